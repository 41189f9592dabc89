"""Browsers drop declarations that they do not understand, without a word."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page

from tests.kit.served import ROOT

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
FACE = re.compile(r"@font-face\s*{[^}]*}")
VALUE = r"(?:[^;{}\"']|\"[^\"]*\"|'[^']*')+"
DECLARATION = re.compile(rf"(?<=[{{}};])\s*([a-z-]+)\s*:\s*({VALUE})(?=[;}}])")
OF_OTHERS = {"-webkit-touch-callout"}
"""Properties of other browsers."""
UNKNOWN = "all => all.filter(([file, name, value]) => !CSS.supports(name, value))"


def test_browser_understands_every_declaration(person: Callable[..., Page]) -> None:
    declarations = []
    for file in (*ROOT.glob("static/*.css"), *ROOT.glob("games/*/web/static/*.css")):
        css = FACE.sub("", COMMENT.sub("", file.read_text()))
        declarations += [
            [file.name, name, value.replace("!important", "").strip()]
            for name, value in DECLARATION.findall(css)
            if name not in OF_OTHERS
        ]
    assert len(declarations) > 5000
    assert not person().evaluate(UNKNOWN, declarations)
