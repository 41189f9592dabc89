"""Writes the documents that describe the packets exchanged by programs and the server."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.wire.asyncapi import asyncapi
from games.wire.library import library
from games.wire.schema import schema

FOLDER: Path = settings.BASE_DIR / "docs" / "api"
LIBRARY: Path = settings.BASE_DIR / "parlour_client" / "commands.py"


class Command(BaseCommand):
    """Checks whether docs/api/ and the client library are up to date, or writes them."""

    help = "Checks that docs/api/ and parlour_client/ match the packet types. --write updates them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--write", action="store_true", help="write the documents")

    def handle(self, *args: Any, **options: Any) -> None:
        if not FOLDER.is_dir():
            raise CommandError("This needs a checkout. A server publishes the documents at /api/.")
        old = outdated()
        for path, text in old.items():
            changes = changes_in(path, text)
            if options["write"]:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = "written" if options["write"] else "not up to date"
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {done}{changes}")
        if not old:
            self.stdout.write("The documents are up to date.")


def documents() -> Mapping[Path, str]:
    """Return the expected contents of docs/api/ and the client library, by path."""
    found = {"schema.json": schema(), "asyncapi.json": asyncapi()}
    written = {
        FOLDER / name: json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        for name, document in found.items()
    }
    return {**written, LIBRARY: library()}


def changes_in(path: Path, text: str) -> str:
    """Return how many definitions a new version adds, changes and removes, as text.

    A line-by-line diff of these files often pairs the wrong lines. `git diff --patience` does
    better.
    """
    if path.suffix != ".json" or not path.exists():
        return ""
    old, new = (_definitions(json.loads(one)) for one in (path.read_text("utf-8"), text))
    added, removed = len(new.keys() - old.keys()), len(old.keys() - new.keys())
    changed = sum(old[name] != new[name] for name in old.keys() & new.keys())
    return f" ({added} definitions added, {changed} changed, {removed} removed)"


def _definitions(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schemas of a document by name, whether it is JSON Schema or AsyncAPI."""
    found: Mapping[str, Any] = document.get("$defs") or document["components"]["schemas"]
    return found


def outdated() -> Mapping[Path, str]:
    """Return the documents that differ from the existing files."""
    return {
        path: text
        for path, text in documents().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
