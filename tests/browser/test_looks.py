"""Pages at every width: nothing overflows, and axe finds nothing. test_stage_*.py checks each phase
of a match."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import (
    look_all_round,
)
from tests.kit.served import ROOT

pytestmark = pytest.mark.slow

People = Callable[..., Page]


STYLES = [*(ROOT / "static").glob("*.css"), *(ROOT / "games").glob("*/web/static/*.css")]
FOR_A_WIDTH = re.compile(r"@media [^{]*width[^{]*\{(?:[^{}]*\{[^{}]*\})*")
FOR_A_SCHEME = re.compile(r"prefers-color-scheme")
COLOUR = re.compile(r"light-dark|colou?r|background|#[0-9a-f]{3,8}\b|rgb\((?!0 0 0)")


def test_no_color_depends_on_the_page_width() -> None:
    """Because of this, each width needs to be checked in one color scheme only."""
    for style in STYLES:
        text = style.read_text()
        assert not any(map(COLOUR.search, FOR_A_WIDTH.findall(text))), style
        assert not FOR_A_SCHEME.search(text), f"{style}: light-dark() depends on nothing else"


def test_pages_pass_layout_and_accessibility_checks(person: People) -> None:
    page = person()
    games = [f"/{page_of}/{slug}/" for slug in GAMES for page_of in ("new", "rules")]
    programs = ["/api/", "/api/secret_hitler/"]  # one template: the overview and the longest page
    for address in (*games, *programs):
        page.goto(address)
        look_all_round(page, opened=True)
