"""The accounts app."""

from typing import Any

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """A mute follows a guest into the next name in the same browser."""
        from django.contrib.auth.signals import user_logged_in

        user_logged_in.connect(_carry_over)


def _carry_over(sender: Any, request: Any, user: Any, **_: Any) -> None:
    from accounts.sanctions import carry_over

    carry_over(request, user)
