"""Password logins. Each attempt costs one hash, whether the name or the password is wrong."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.utils import filter_users_by_email
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import PermissionDenied

from accounts.models import User, account_of


class PasswordBackend(AuthenticationBackend):
    """The only backend that checks passwords; the ones after it only load users of sessions."""

    def authenticate(self, request: Any, **credentials: Any) -> AbstractBaseUser:
        """Return the user with this name or address and password. Raise PermissionDenied."""
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
        """Check the password; hash it for unknown names too, so that both take equally long."""
        self._did_check_password = False
        found = self._check_password(account_of(name), password)
        if not self._did_check_password:
            User().set_password(password)
        return found

    def _check_password(
        self, user: AbstractBaseUser | None, password: str
    ) -> AbstractBaseUser | None:
        """Check only the first account that gave an unconfirmed address.

        Other accounts with the same address log in by name.
        """
        if self._did_check_password:
            return None
        found: AbstractBaseUser | None = super()._check_password(user, password)
        return found
