"""Password logins. Each attempt computes one hash, even if there is no such user."""

from __future__ import annotations

from typing import Any

from allauth.account.utils import filter_users_by_email
from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied

from accounts.models import User, account_of


class PasswordBackend(ModelBackend):
    """The only backend that checks passwords. Other backends only load the user of a session."""

    def authenticate(self, request: Any, **credentials: Any) -> User:  # type: ignore[override]
        """Return the user with this name or address and password. Raise PermissionDenied if there
        is none.

        Inactive users are returned too, so that allauth can explain why they cannot log in.
        `get_user` never loads them for a session.
        """
        name, email = str(credentials.get("username", "")), credentials.get("email")
        password = str(credentials.get("password") or "")
        user = _holder(str(email)) if email else None
        if user is None and name:
            user = account_of(name)
        if user is None:
            User().set_password(password)  # takes as long as checking a password
        elif password and user.check_password(password):
            return user
        raise PermissionDenied


def _holder(email: str) -> User | None:
    """Return the user who can log in with this e-mail address, or None.

    Several accounts may have the same unconfirmed address. Only the first of them can log in with
    it.
    """
    found: list[User] = filter_users_by_email(email, prefer_verified=True)
    return found[0] if found else None
