"""Print a registration link for one person."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from accounts.invitations import DAYS, address, make_link


class Command(BaseCommand):
    help = f"Makes a link by which one person may register within {DAYS} days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--note", default="", help="for whom it is, shown in the admin")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.REGISTRATION == "closed":
            raise CommandError("REGISTRATION is closed: no link lets anybody register.")
        self.stdout.write(address(make_link(note=options["note"][:80])))
