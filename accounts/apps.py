"""The accounts app."""

from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Connect signals.

        A mute carries over to the next name or account that is used in the same browser. Logging
        out ends the browser's push notifications.
        """
        from allauth.account.signals import (
            authentication_step_completed,
            password_reset,
            user_signed_up,
        )
        from allauth.mfa.signals import authenticator_added
        from django.contrib.auth.signals import user_logged_in, user_logged_out
        from django.db.backends.signals import connection_created
        from django.db.models import Field

        from accounts import authentication, lookups, second_step, sent_forms
        from accounts.folding import add_to_sqlite

        authentication_step_completed.connect(authentication.note)
        password_reset.connect(_forgive)
        connection_created.connect(add_to_sqlite)
        Field.register_lookup(lookups.Among)
        user_logged_in.connect(_carry_over_to_guest)
        user_logged_in.connect(sent_forms.note_login)
        user_logged_out.connect(_forget_browser)
        user_signed_up.connect(_carry_over)
        authenticator_added.connect(second_step.note_added)


def _carry_over(sender: Any, request: Any, user: Any, **_: Any) -> None:
    from accounts.sanctions import carry_over

    carry_over(request, user)


def _carry_over_to_guest(sender: Any, request: Any, user: Any, **_: Any) -> None:
    if user.is_guest:  # an existing account may belong to somebody who shares the device
        _carry_over(sender, request, user)


def _forget_browser(sender: Any, request: Any, **_: Any) -> None:
    from accounts.push import forget_browser

    forget_browser(request.session.session_key)


def _forgive(sender: Any, request: Any, user: Any, **_: Any) -> None:
    from allauth.account.adapter import get_adapter

    from accounts.login_limits import forgive

    forgive(request, user, get_adapter(request).get_client_ip(request))
