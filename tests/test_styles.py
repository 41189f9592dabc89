"""Style sheets declare nothing that nobody reads."""

from __future__ import annotations

import re

from games.registry import GAMES
from tests.kit.repository import ROOT

FOLDERS = ("static", "templates", "games")
KINDS = {".css", ".js", ".jinja", ".html"}
PROPERTY = re.compile(r"(--[\w-]+)\s*:")
READ = re.compile(r"var\(\s*(--[\w-]+)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def test_every_declared_custom_property_is_read() -> None:
    files = [path for at in FOLDERS for path in (ROOT / at).rglob("*") if path.suffix in KINDS]
    texts = {path: COMMENT.sub("", path.read_text("utf-8")) for path in files}
    declared = {f"--{name}" for game in GAMES.values() for name in game.web.colours}
    for path, text in texts.items():
        declared |= {*PROPERTY.findall(text)} if path.suffix == ".css" else set()
    assert len(declared) > 100
    assert declared - {name for text in texts.values() for name in READ.findall(text)} == set()
