"""Take a backup while the server runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat

from operations.backups import archive, taking
from operations.backups.postgres import Failed


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Writes all data into one file: the database with people, matches, messages and decks, and"
        " the secret key. The server may be running. Keep the file secret, and on another machine."
        " `restore` restores it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a new file, or a folder (the file is named by the time)")
        parser.add_argument(
            "--keep", type=int, metavar="N", help="keep only the newest N backups in the folder"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        given, keep = Path(options["file"]), options["keep"]
        is_folder = given.is_dir() or options["file"].endswith("/")
        if keep is not None and (keep < 1 or not is_folder):
            raise CommandError("--keep needs a number from 1, and a folder instead of a file.")
        target = given / taking.new_name() if is_folder else given
        if target.exists():
            raise CommandError(f"{target} already exists. Choose another file.")
        try:
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            manifest = taking.take(target)
            with archive.unpacked(target):  # verify that the backup can be read
                pass
        except (Failed, OSError, DatabaseError, archive.Damaged) as error:
            raise CommandError(f"No backup was taken: {error}") from None
        size = filesizeformat(target.stat().st_size).replace("\xa0", " ")
        self.stdout.write(
            f"{target}: {size}, {manifest.people} people, {manifest.running} running matches."
        )
        for path in taking.remove_old(given, keep) if keep else ():
            self.stdout.write(f"Removed {path.name}.")
