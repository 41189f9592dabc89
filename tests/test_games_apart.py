"""A game imports no other game. Its rules import no bots, and neither imports the telling.

The platform names no game: everything that belongs to one game is in its folder.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
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
CONNECTED = {
    "games/registry.py",
    "games/runtime/background.py",
}
"""Files that name a single game: the list of games, and the server of Mia over UDP."""
PLATFORM = ("accounts", "chat", "config", "games", "lobby", "moderation", "operations")
PAGES = ("static", "templates")
KINDS = {".css", ".html", ".jinja", ".js"}
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$|\{#.*?#\}", re.DOTALL | re.MULTILINE)
NAMED = re.compile(rf"game-(?:{'|'.join(SLUGS)})\b|[\"'/](?:{'|'.join(SLUGS)})[\"'/]")
CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
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


def texts(*folders: Path) -> dict[str, str]:
    """Return the style sheets, scripts and templates in these folders, without comments."""
    found = [path for at in folders for path in at.rglob("*") if path.suffix in KINDS]
    return {str(at.relative_to(ROOT)): COMMENT.sub("", at.read_text("utf-8")) for at in found}


def compared(path: Path) -> Iterator[object]:
    """Return the constants that a module compares with, looks up, or passes to a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        given: Iterable[ast.AST] = ()
        if isinstance(node, ast.Compare):
            given = ast.walk(node)
        elif isinstance(node, ast.Subscript):
            given = (node.slice,)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") != "_":
            given = (*node.args, *(one.value for one in node.keywords))
        yield from (one.value for one in given if isinstance(one, ast.Constant))


def words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in re.findall(r"[\w-]+", text)}


def test_no_style_sheet_script_or_template_of_the_platform_names_a_game() -> None:
    pages = texts(*(ROOT / at for at in PAGES))
    assert len(pages) > 100
    found = {path: NAMED.findall(text) for path, text in pages.items() if NAMED.search(text)}
    assert found.keys() - CONNECTED == set(), found


def test_no_module_of_the_platform_names_a_game() -> None:
    found = set()
    for path in (path for at in PLATFORM for path in (ROOT / at).rglob("*.py")):
        name, parts = str(path.relative_to(ROOT)), path.relative_to(ROOT).parts
        if parts[0] == "games" and parts[1] in (*SLUGS, *ONLY_MIA):
            continue
        if {*compared(path)} & {*SLUGS}:
            found.add(name)
    assert found - CONNECTED == set()


def test_no_style_sheet_of_the_platform_styles_a_class_that_one_game_alone_uses() -> None:
    styles = texts(ROOT / "static")
    classes = {
        name
        for path, text in styles.items()
        if path.endswith(".css")
        for name in CLASS.findall(re.sub(r"url\([^)]*\)", "", text))
    }
    modules = [path.read_text("utf-8") for path in (GAMES / "pages").rglob("*.py")]
    scripts = [text for path, text in styles.items() if path.endswith(".js")]
    known = words([*texts(ROOT / "templates").values(), *scripts, *modules])
    templates = {slug: words(texts(GAMES / slug / "web").values()) for slug in SLUGS}
    for name in classes - known:
        assert sum(name in there for there in templates.values()) != 1, name


def test_numbers_of_packages_and_required_members_are_limited() -> None:
    folders = {path.parent.name for path in GAMES.glob("*/__init__.py")}
    assert len(folders - {*SLUGS, "models", "migrations", "management"}) <= PACKAGES
    assert sum(one.default is MISSING is one.default_factory for one in fields(Rules)) <= REQUIRED
