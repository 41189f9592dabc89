"""Logging in by password: one hash for each attempt, whether the name or the password is wrong."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied


class PasswordBackend(AuthenticationBackend):
    """Has the last word: the backends behind it only know whose sessions there are."""

    def authenticate(self, request: Any, **credentials: Any) -> AbstractBaseUser:
        """Who has this name, or address, and this password. Raise PermissionDenied."""
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def _check_password(
        self, user: AbstractBaseUser | None, password: str
    ) -> AbstractBaseUser | None:
        """Several people may have written down an unconfirmed address; one of them is looked at.

        The others log in by their names.
        """
        if self._did_check_password:
            return None
        found: AbstractBaseUser | None = super()._check_password(user, password)
        return found
