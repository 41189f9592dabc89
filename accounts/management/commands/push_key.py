"""Print a new private key for push messages (VAPID)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from accounts.push_keys import new_private_key


class Command(BaseCommand):
    help = "Prints a key for push notifications. Add the line to the settings, and restart."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"PUSH_PRIVATE_KEY={new_private_key()}")
