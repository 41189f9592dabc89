"""In both themes, text is legible on all its backgrounds (WCAG AA)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.registry import GAMES

CSS = (Path(__file__).parents[1] / "static" / "app.css").read_text()
PAIR = r"light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)|(#[0-9a-f]{3,6})"
THEMES = ("light", "dark")
GROUNDS = ("paper", "glow", "bar", "panel", "field")
WRITING = ("ink", "dim", "link", "gold", "good", "warn")
ON_BUTTONS = [
    *(("main-ink", ground) for ground in ("main-top", "main-low")),
    *(("danger-ink", ground) for ground in ("danger-top", "danger-low")),
    *((ink, ground) for ink in ("ink", "dim") for ground in ("quiet-top", "quiet-low")),
    ("ink", "gold-fill"),
]


def tokens(rule: str) -> dict[str, tuple[str, str]]:
    """Return the colors a rule sets, each in the light and the dark theme."""
    (block,) = re.findall(rf"^  {re.escape(rule)} \{{(.*?)\}}", CSS, re.M | re.S)
    return declared(block)


def declared(block: str) -> dict[str, tuple[str, str]]:
    found = re.findall(rf"--([\w-]+): (?:{PAIR});", block)
    return {name: (one or light, one or dark) for name, light, dark, one in found}


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_has_enough_contrast_on_every_background(theme: str) -> None:
    colour = {name: pair[THEMES.index(theme)] for name, pair in tokens(":root").items()}
    pairs = [(ink, ground) for ink in WRITING for ground in GROUNDS] + ON_BUTTONS
    poor = [pair for pair in pairs if contrast(*(colour[name] for name in pair)) < 4.5]
    strokes = [(stroke, on) for stroke in ("edge", "focus") for on in GROUNDS]
    faint = [pair for pair in strokes if contrast(*(colour[name] for name in pair)) < 3]
    assert not poor
    assert not faint


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("theme", THEMES)
def test_text_is_legible_on_every_games_table(slug: str, theme: str) -> None:
    at = THEMES.index(theme)
    root = tokens(":root")
    own = root | declared("".join(f"--{k}: {v};" for k, v in GAMES[slug].web.colours.items()))
    for cloth in ("felt", "felt-deep"):
        assert contrast(root["felt-ink"][at], own[cloth][at]) >= 4.5
    for ground in ("paper", "glow", "panel"):
        assert contrast(own["accent"][at], root[ground][at]) >= 4.5
