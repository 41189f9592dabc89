"""Logging in by password: one hash for each attempt, whether the name or the password is wrong."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.utils import filter_users_by_email
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied

from accounts.models import User, account_of


class PasswordBackend(AuthenticationBackend):
    """Has the last word: the backends behind it only know whose sessions there are."""

    def authenticate(self, request: Any, **credentials: Any) -> AbstractBaseUser:
        """Return who has this name, or address, and this password. Raise PermissionDenied."""
        name, password = str(credentials.pop("username", "")), str(credentials.get("password"))
        by_mail = "email" in credentials and (
            account_of(name) is None or filter_users_by_email(credentials["email"])
        )
        if name and not by_mail:
            user = self._by_name(name, password)
        else:
            user = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def _by_name(self, name: str, password: str) -> AbstractBaseUser | None:
        """A wrong name costs one hash, as a wrong password does."""
        self._did_check_password = False
        found = self._check_password(account_of(name), password)
        if not self._did_check_password:
            User().set_password(password)
        return found

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
