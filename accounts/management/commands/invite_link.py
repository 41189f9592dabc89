"""Print a registration link for one person."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.invitations import DAYS, address, make_link


class Command(BaseCommand):
    help = f"Prints a link with which one person can register within {DAYS} days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--note", default="", help="who it is for (shown in the admin)")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.REGISTRATION == "closed":
            raise CommandError("REGISTRATION is closed: registration links do not work.")
        self.stdout.write(address(make_link(note=options["note"][:80])))
