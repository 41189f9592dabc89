"""Show whether a user has a second step, or remove one that was lost."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from accounts import second_step
from accounts.isolation import for_terminal
from accounts.models import account_of


class Command(BaseCommand):
    help = "Shows whether a user has two-step login, or turns it off."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="a user name")
        parser.add_argument("--off", action="store_true", help="remove passkeys, apps and codes")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account_of(options["name"])
        if user is None:
            raise CommandError("There is no user with that name.")
        name = for_terminal(user.username)
        count = second_step.steps_of(user).count()
        if options["off"]:
            second_step.remove_all(user.pk)
            self.stdout.write(f"{name} can log in with the password alone again.")
        else:
            self.stdout.write(f"{name} has passkeys and apps: {count}.")
