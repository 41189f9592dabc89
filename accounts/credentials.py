"""Credentials of an account that become invalid when its password is replaced.

Sessions and links to reset or set a password become invalid automatically, because they are signed
with the password's hash. This module invalidates the rest.
"""

from __future__ import annotations

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import mail_addresses
from accounts.models import HandOff, User


class EndWithPassword:
    """A password validator without checks. Django calls its hook after every password change."""

    def validate(self, password: str, user: Any = None) -> None:
        """Accept every password."""

    def get_help_text(self) -> str | Promise:
        """Return the help text: what becomes invalid with a new password."""
        return _("This logs out other devices and revokes the tokens of programs.")

    def password_changed(self, password: str, user: User | None = None) -> None:
        """Invalidate the credentials of `user`, unless this is the account's first password."""
        if user is not None and user.replaces_password:
            end(user)


def end(user: User) -> None:
    """Invalidate a user's tokens, hand-off codes, push subscriptions, and links to confirm an
    address.
    """
    user.tokens.all().delete()
    HandOff.objects.filter(user=user, used_at=None).delete()
    # The browser in use subscribes again when it loads a page (static/notifications.js).
    user.push_subscriptions.all().delete()
    mail_addresses.end_links(user)
