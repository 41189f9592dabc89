"""Draw the preview images of shared links (`og.png` of each game) and the icons of the installed
app (`static/icons/*.png`): `python -m tests.posters`.

Each combines the poster of its game, the colors of `static/app.css` and the display font. The cloth
is drawn in flat rings, because PNG compresses those well, and gradients badly. Run it when one of
these, or the text on the pictures, changes.
"""

from __future__ import annotations

import os
from pathlib import Path

import django
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from config.web_app import SIZES
from games.registry import GAMES
from tests.installed import chromium

STATIC = Path(__file__).parents[1] / "static"
GAMES_OF = STATIC.with_name("games")
SIZE: ViewportSize = {"width": 1200, "height": 630}
RINGS = 7
RED = "#7a1f3d"
"""Background of the icon."""
ICON = """<!doctype html><style>* {{ margin: 0; }} body {{ height: 100vh; display: grid;
  place-items: center; background: {under}; }} svg {{ width: {part}vmin; }}</style>{svg}"""
ANY = ("#2c1d25", "#1a1116")
PAGE = """<!doctype html><meta charset="utf-8"><style>
@font-face {{ font-family: D; src: url("{face}"); }}
* {{ margin: 0; }}
body {{ width: 1200px; height: 630px; overflow: hidden; color: #fdf4e7; background: {deep}; }}
.cloth {{ position: absolute; inset: 0; }}
main {{ position: absolute; inset: 0; display: flex; align-items: center; gap: 24px; }}
main {{ padding: 0 60px; }}
.art {{ flex: none; width: 520px; }}
.art svg {{ width: 100%; height: auto; }}
.row {{ position: absolute; left: 10px; bottom: 36px; display: flex; }}
.row svg {{ width: 236px; height: auto; }}
h1 {{ font: 400 {size}px/1.02 D; }}
p {{ font: 400 38px/1.3 D; margin-top: 18px; color: #f0c069; white-space: nowrap; }}
</style><div class="cloth">{rings}</div><main>{body}</main>"""


def colours(slug: str) -> tuple[str, str]:
    """Return the colors of a game's cloth, lit and in shadow."""
    found = {} if slug == "any" else GAMES[slug].web.colours
    return (found["felt"], found["felt-deep"]) if found else ANY


def rings(lit: str, deep: str) -> str:
    """Return a spot of light in steps."""
    steps = "".join(
        f'<ellipse cx="400" cy="230" rx="{1000 - 130 * at}" ry="{620 - 80 * at}"'
        f' fill="color-mix(in oklab, {lit} {100 * (at + 1) // RINGS}%, {deep})"/>'
        for at in range(RINGS)
    )
    return f'<svg viewBox="0 0 1200 630" width="1200" height="630">{steps}</svg>'


def art(slug: str) -> str:
    own = folder(slug) / "poster.svg"
    return (own if own.exists() else folder("any") / own.name).read_text()


def folder(slug: str) -> Path:
    """Return the folder for the pictures of a game."""
    return STATIC / "games" / slug if slug == "any" else GAMES_OF / slug / "web" / "static"


def page(slug: str, face: str, body: str, size: int) -> str:
    lit, deep = colours(slug)
    return PAGE.format(face=face, deep=deep, rings=rings(lit, deep), body=body, size=size)


def pages() -> dict[str, str]:
    """Return the pages to draw, by picture name."""
    from font_fredoka_one import FredokaOne  # type: ignore[attr-defined]

    from games.registry import GAMES

    face = Path(FredokaOne).as_uri()
    drawn = {}
    for game in GAMES.values():
        least, most = game.seats
        about = f"{least}–{most} players · {game.minutes} minutes"
        body = (
            f'<div class="art">{art(game.slug)}</div><div><h1>{game.name}</h1><p>{about}</p></div>'
        )
        drawn[game.slug] = page(game.slug, face, body, 104 if len(game.name) < 9 else 84)
    row = "".join(art(slug) for slug in GAMES)
    words = '<h1 style="margin-bottom: 190px">Look them in the eye and lie.</h1>'
    drawn["any"] = page("", face, f'{words}<div class="row">{row}</div>', 104)
    return drawn


def icons() -> dict[str, tuple[int, str]]:
    """Return the icons by name, each with its size and page.

    Maskable icons have an empty margin, because phones round the corners themselves.
    """
    rounded = (STATIC / "icon.svg").read_text()
    square = rounded.replace('rx="7" ', "")
    free, full = (
        ICON.format(svg=square, part=76, under=RED),
        ICON.format(svg=square, part=100, under=RED),
    )
    plain = ICON.format(svg=rounded, part=100, under="none")
    drawn = {f"icon-{size}": (size, plain) for size in SIZES}
    drawn |= {f"maskable-{size}": (size, free) for size in SIZES}
    return {**drawn, "apple": (180, full)}


def draw(browser: Browser, path: Path, size: ViewportSize, html: str) -> None:
    """Draw a page into a picture."""
    path.parent.mkdir(exist_ok=True)
    drawing = path.with_suffix(".html")
    drawing.write_text(html)
    sheet = browser.new_page(viewport=size)
    sheet.goto(drawing.as_uri())
    sheet.evaluate("document.fonts.ready")
    sheet.screenshot(path=path, omit_background=True)
    sheet.close()
    drawing.unlink()


def main() -> None:
    """Draw all pictures."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, html in pages().items():
            draw(browser, folder(name) / "og.png", SIZE, html)
        for name, (side, html) in icons().items():
            square: ViewportSize = {"width": side, "height": side}
            draw(browser, STATIC / "icons" / f"{name}.png", square, html)
        browser.close()


if __name__ == "__main__":
    main()
