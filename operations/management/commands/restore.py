"""Restore a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from operations.backups import archive, keys, restoring
from operations.backups.postgres import Failed
from operations.deployment.env_text import without_password


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Restores a backup into the database of the settings, which must be empty. Backups of"
        " SQLite can be restored into PostgreSQL, and the other way round. Stop the server first,"
        " and start it afterwards."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file written by `backup`")
        parser.add_argument(
            "--check", action="store_true", help="only check whether the file is intact"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with archive.unpacked(options["file"]) as (manifest, folder):
                self.stdout.write(
                    f"A backup from {manifest.made}: {manifest.kind}, {manifest.people} people,"
                    f" {manifest.running} running matches. It is intact."
                )
                if not options["check"]:
                    self._restore(manifest, folder)
        except (archive.Damaged, restoring.Refused, Failed) as error:
            raise CommandError(str(error)) from None
        except (OSError, DatabaseError) as error:
            raise CommandError(f"The restore failed: {error}") from None

    def _restore(self, manifest: archive.Manifest, folder: Path) -> None:
        restoring.must_be_known(manifest)
        restoring.must_be_empty()
        used = settings.DATABASES["default"]
        where = without_password(f"{used['ENGINE'].rpartition('.')[2]}: {used['NAME']}")
        self.stdout.write(f"Restoring into {where} …")
        self.stdout.flush()
        restoring.restore(manifest, folder)
        self.stdout.write(keys.put_back((folder / archive.KEY).read_text()))
        self.stdout.write("Restored. Start the server: matches continue, with a little extra time.")
