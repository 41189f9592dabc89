"""Adds a small playable game as a starting point: a folder, and a line in the registry."""

from __future__ import annotations

import keyword
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.contract.game import LONGEST_SLUG

STARTER = Path(__file__).parents[1] / "starter"
SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
IMPORT = r"from (games\S+) import (?:\([^)]*\)|[^\n]*)\n"
IMPORTS = re.compile(f"(?:{IMPORT})+")
SLUGS = re.compile(r'^SLUGS = \(\n(?:    "\w+",\n)*(?=\))', re.MULTILINE)
NEXT = """\
{name} was added. Try it: make run.

Change its files in games/{slug}/:
  rules.py           state, moves, events and views
  bots.py            bots
  telling.py         sentences and the rules for people
  tests/secrets.py   secrets and invariants

Next steps:
  python -m tests.rules.golden               record the views of a match
  python manage.py wire_schema --write       document its packets
  make messages                              add its sentences to locale/de; translate all of
                                             them, or German is not offered
  docs/words.md                              list its buttons and terms, English and German
  docs/rules/{slug}.md                       specify it
  docs/wire.md                               list its moves in section 6
  python manage.py check                     list what is missing
  python -m pytest tests/rules -k {slug}     run the tests

docs/add-a-game.md explains them, and what a game that ships with Parlour also has:
presets, pictures, an example and a stored match."""


class Command(BaseCommand):
    help = "Adds a small playable game as a starting point."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "name", metavar="NAME", help='the name shown to people, e.g. "Liar\'s Dice"'
        )

    def handle(self, *args: Any, **given: Any) -> None:
        if not (settings.BASE_DIR / "tests").is_dir():
            raise CommandError(
                "Games can only be added to a checkout with tests. Clone Parlour first."
            )
        name = " ".join(given["name"].split())
        slug = slug_of(name)
        registry = _registry_with(slug)
        for source in sorted(STARTER.rglob("*.txt")):
            target = _folder(slug) / source.relative_to(STARTER).with_suffix("")
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text("utf-8").replace("@SLUG@", slug).replace("@NAME@", name)
            target.write_text(IMPORTS.sub(in_order, text), "utf-8")
        _registry().write_text(registry, "utf-8")
        self.stdout.write(NEXT.format(name=name, slug=slug))


def slug_of(name: str) -> str:
    """Return the slug of a new game.

    `Liar's Dice` becomes `liars_dice`. Raise CommandError if the name is not valid.
    """
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower().replace("'", "")).strip("_")
    if not SLUG.fullmatch(slug) or keyword.iskeyword(slug) or not name.isprintable():
        raise CommandError("The name of a game must begin with a letter from A to Z.")
    if '"' in name or "\\" in name or "%" in name or len(name) > 40:
        raise CommandError(
            'The name of a game must have at most 40 characters, without ", % and \\.'
        )
    if len(slug) > LONGEST_SLUG:
        raise CommandError(
            f"The slug {slug} has more than {LONGEST_SLUG} characters. Choose a shorter name."
        )
    if _folder(slug).exists() or _folder(slug).with_suffix(".py").exists():
        raise CommandError(f"games/{slug} already exists. Choose another name.")
    return slug


def _folder(slug: str) -> Path:
    """Return the folder of the game with this slug."""
    path: Path = settings.BASE_DIR / "games" / slug
    return path


def in_order(imports: re.Match[str]) -> str:
    """Sort the imports of a generated module, because their order depends on the game's slug."""
    found = re.finditer(IMPORT, imports[0])
    return "".join(each[0] for each in sorted(found, key=lambda each: each[1]))


def _registry() -> Path:
    path: Path = settings.BASE_DIR / "games" / "registry.py"
    return path


def _registry_with(slug: str) -> str:
    """Return the text of games/registry.py with this game added.

    Raise CommandError if the list of games is not found.
    """
    text = _registry().read_text("utf-8")
    listed = SLUGS.search(text)
    if listed is None:
        raise CommandError(
            "games/registry.py has no list SLUGS with one game per line. Restore it first."
        )
    return f'{text[: listed.end()]}    "{slug}",\n{text[listed.end() :]}'
