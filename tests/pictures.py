"""Take the README's screenshots: `python -m tests.pictures [NAME …]`, all of them by default.

Players move at random until a moment that shows the game well. Pictures are WebP: a third of
the size of PNG, and gradients stay smooth.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from tests.installed import chromium
from tests.kit.browser import is_over, join, let_stand, open_table, start, wait_for_change
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.served import ROOT, Served
from tests.kit.waiting import patiently

PICTURES = ROOT / "docs" / "pictures"
QUALITY = 88
"""WebP quality at which letters are still sharp."""
GUESTS = ("Bob", "Carla", "Dan", "Eva", "Finn", "Greta", "Hugo")


@dataclass(frozen=True)
class Scene:
    """A game, its number of players, its device, and a script that recognizes the moment."""

    game: str
    people: int
    viewport: dict[str, int]
    scheme: str
    moment: str
    options: dict[str, str] = field(default_factory=dict)


TALL = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 960}
MOMENT = """(() => {
  const count = what => document.querySelectorAll(what).length;
  const told = what => document.querySelector("#log-lines").innerText.split(what).length - 1;
  const busy = document.body.matches(".is-held, .is-moment");
  return Boolean(!busy && %s);
})()"""
SCENES = {
    "chamber-desktop": Scene(
        *("chamber", 6, WIDE, "dark"),
        "count('#status.mine') && count('.shot.live') && !count('.seat.out')"
        " && count('#actions form') > 2 && !told('themselves')",
        {"startLives": "6", "itemsPerRound": "4", "liveMin": "3", "blankMin": "3"},
    ),
    "secret-hitler-desktop": Scene(
        *("secret_hitler", 7, WIDE, "dark"),
        "count('.act-vote') && told('liberal policy') > 1 && told('fascist policy') > 1",
    ),
    "cards-phone": Scene(*("cards", 5, TALL, "dark"), "count('.act-vote') && count('.line') > 12"),
    "iron-throne-phone": Scene(
        *("coup", 4, TALL, "dark"), "count('.act-challenge') && count('.seat .lost')"
    ),
    "mia-phone": Scene(
        *("mia", 4, TALL, "dark"),
        "count('#status.mine') && count('.mia.asked') && count('.ladder li') > 1",
    ),
}


def main(names: list[str]) -> None:
    """Play and take the pictures with these names."""
    server = Served(Path(tempfile.mkdtemp()), "uvicorn", WS_BURST="400")
    server.prepare()
    server.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for name in names or SCENES:
                take(browser, server.url, SCENES[name], PICTURES / f"{name}.webp")
    finally:
        server.stop()


def take(browser: Browser, url: str, scene: Scene, to: Path) -> None:
    """Play until the moment comes, and take its picture."""
    pages = [
        browser.new_context(
            viewport=scene.viewport,
            base_url=url,
            color_scheme=scene.scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        ).new_page()
        for _ in range(scene.people)
    ]
    host, *guests = pages
    code = open_table(host, "Ann", scene.game, **scene.options)
    for page, name in zip(guests, GUESTS, strict=False):
        join(page, code, name)
    start(host)
    for _ in patiently(f"{scene.moment} never comes", 600):
        if is_over(host):
            start(host)
        if host.evaluate(MOMENT % scene.moment):
            host.mouse.move(0, 0)
            host.evaluate("document.querySelectorAll('#hints').forEach((hints) => hints.remove())")
            host.evaluate("scrollTo(0, 0)")
            host.evaluate(TWO_FRAMES)
            shot = Image.open(io.BytesIO(host.screenshot())).convert("RGB")
            shot.save(to, quality=QUALITY, method=6)
            print(to)
            break
        for page in pages:
            choose(page)
        wait_for_change(host)
    for page in pages:
        page.context.close()


def choose(page: Page) -> None:
    """Make a random move, if one is possible."""
    forms = page.locator("#actions > form, #actions .kit > form, #actions > details[open] > form")
    if not (count := forms.count()):
        return
    let_stand(page)
    form = forms.nth(random.randrange(count))
    try:
        for ticks in form.locator(".ticks").all():
            least = int(ticks.get_attribute("data-least", timeout=500) or 0)
            boxes = ticks.locator("input")
            for at in random.sample(range(boxes.count()), least):
                boxes.nth(at).check(timeout=500)
        buttons = form.locator("button:enabled")
        buttons.nth(random.randrange(buttons.count())).click(timeout=500, no_wait_after=True)
    except (TimeoutError, ValueError):
        return  # another question has replaced it


if __name__ == "__main__":
    main(sys.argv[1:])
