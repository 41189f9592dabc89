"""A game imports no other game. Its rules import no bots, and neither imports the telling."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from games.contract.game import Rules
from games.registry import SLUGS
from tests.kit.repository import ROOT

GAMES = ROOT / "games"
ORDER = ("rules", "bots", "telling", "web")
"""The parts of a game. Each may import those that come before it in this list."""
ONLY_MIA = ("udp", "management")
"""Packages of the platform that concern only Mia."""
PACKAGES = 10
REQUIRED = 11


def files_of(slug: str, part: str) -> list[Path]:
    """Return the files of a part, which is a module or a folder."""
    module = GAMES / slug / f"{part}.py"
    return [*([module] if module.is_file() else ()), *(GAMES / slug / part).rglob("*.py")]


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """Return the modules of `games` that a file imports, without the prefix `games`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            first, *rest = node.module.split(".")
            if first == "games":
                yield from ((*rest, alias.name) for alias in node.names)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_part_of_a_game_imports_only_earlier_parts(slug: str) -> None:
    for at, part in enumerate(ORDER):
        for path in files_of(slug, part):
            used = {found[1] for found in imports(path) if found[0] == slug and len(found) > 1}
            assert used <= {*ORDER[: at + 1]}, path


@pytest.mark.parametrize("slug", SLUGS)
def test_no_game_imports_another(slug: str) -> None:
    others = {*SLUGS} - {slug}
    for path in (GAMES / slug).rglob("*.py"):
        assert not {found[0] for found in imports(path)} & others, path


def test_platform_imports_no_game() -> None:
    for path in GAMES.rglob("*.py"):
        package, *_ = path.relative_to(GAMES).parts
        if package not in (*SLUGS, *ONLY_MIA):
            assert not {found[0] for found in imports(path)} & {*SLUGS}, path


def test_numbers_of_packages_and_required_members_are_limited() -> None:
    folders = {path.parent.name for path in GAMES.glob("*/__init__.py")}
    assert len(folders - {*SLUGS, "models", "migrations", "management"}) <= PACKAGES
    assert sum(one.default is MISSING is one.default_factory for one in fields(Rules)) <= REQUIRED
