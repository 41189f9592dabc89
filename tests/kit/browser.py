"""User actions in a browser: fill in pages, make moves, play matches."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import cycle
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page, TimeoutError, ViewportSize, expect

from tests.kit.browser_scripts import (
    ACT,
    BEGUN,
    CHANGED,
    FOLD_AGAIN,
    LET_STAND,
    LOOK,
    OPEN_ALL,
    OPEN_PICKS,
)
from tests.kit.waiting import BETWEEN, patiently

PASSWORD = "correct horse 7"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
SMALLEST: ViewportSize = {"width": 320, "height": 640}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

CHANGE = 100
"""Milliseconds within which a page usually changes. Check again afterwards."""


def play_now(page: Page, name: str, game: str = "mia") -> None:
    """Go from the front page to a running match against bots."""
    page.goto("/")
    page.fill("#play-name", name)
    page.click(f"#play-{game}")
    page.wait_for_selector("#seats .seat")


def open_table(
    page: Page, name: str, game: str = "mia", bots: int = 0, public: bool = False, **options: str
) -> str:
    """Open a new table with this host and return its code."""
    page.goto(f"/new/{game}/")
    page.fill("#id_name", name)
    page.fill("#id_bots", str(bots))
    if public:
        page.check("[name=visibility][value=public]")
    if options:
        page.click("main details summary")
        for option, value in options.items():
            field = page.locator(f"#option-{option}")
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
    page.click("main button.main")
    page.wait_for_url("**/t/*/")
    page.wait_for_selector("#people li", state="attached")
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def join(page: Page, code: str, name: str, watch: bool = False) -> None:
    """Join a table by its link."""
    page.goto(f"/t/{code}/")
    page.fill("#id_name", name)
    page.click("main button[name=spectate]" if watch else "main button.main")
    page.wait_for_selector("#people li", state="attached")


def open_panel(page: Page, name: str) -> None:
    """Show a panel beside the table: log, chat, people, rules or more."""
    tab = page.locator(f"#tab-{name}")
    for _ in patiently(f"#tab-{name} cannot be opened"):  # taps before scripts load do nothing
        if tab.get_attribute("aria-selected") == "true":
            return
        tab.click()


def say(page: Page, text: str) -> None:
    """Send a chat message."""
    open_panel(page, "chat")
    page.fill("#message", text)
    page.press("#message", "Enter")


def start(page: Page) -> None:
    """Start a match and wait until it has begun. A short one may already be over by then."""
    before = page.locator("#luck").get_attribute("data-commitment")
    page.click("#setup .start button.main")
    page.wait_for_function(BEGUN, arg=before)


def is_over(page: Page) -> bool:
    return page.locator("#ending .end").count() > 0


def let_stand(page: Page) -> None:
    """Advance the page's clock so that every button is old enough to be tapped."""
    page.evaluate(LET_STAND)


def act(page: Page, patience: int = 0) -> bool:
    """Make one move, preferring moves that are not risky. Return False if none is possible now.

    `patience`: milliseconds to wait for a change if nothing is possible yet. A question that has
    been answered is not answered again while the page waits for the result.
    """
    return _answer(page, patience) is not None


def act_and_wait(page: Page) -> bool:
    """Make one move and wait for its result, so that later checks see it."""
    form = _answer(page, 0)
    if form is not None:
        wait_until_gone(page, form)
    return form is not None


def _answer(page: Page, patience: int) -> str | None:
    answered = page.evaluate(ACT, patience)
    return answered[0] if answered and _made(page, *answered) else None


def _made(page: Page, form: str, tap: bool) -> bool:
    """Tap if the form needs a real tap. Return whether the answer was given."""
    return not tap or _tap(page, form)


def _tap(page: Page, form: str) -> bool:
    """Tap the last button of a form. Return False if the question is withdrawn."""
    for _ in patiently(f"{form} cannot be tapped"):
        if not page.locator(f"[id='{form}']").count():
            break
        with suppress(TimeoutError):
            page.evaluate(OPEN_PICKS, form)  # an update may have closed them
            button = page.locator(f"[id='{form}'] button:enabled").last
            button.click(timeout=1000, no_wait_after=True)
            return True
    return False


def play_until(so: str, *people: Page) -> None:
    """Play until a JavaScript expression is true on the first page.

    The expression is evaluated in the same page task as the move, so nothing can happen in between.
    """
    first, *others = people
    for _ in patiently(lambda: f"it never comes; {_state_of(first)}"):
        acted = first.evaluate(f"async patience => ({so}) ? 'so' : await ({ACT})(patience)", 0)
        if acted == "so":
            return
        if not any([acted and _made(first, *acted), *map(act, others)]):
            wait_for_change(first)


def _state_of(page: Page) -> str:
    """Return what a page shows and is waiting for. Used in failure messages."""
    status, actions = (page.locator(f"#{part}").inner_html() for part in ("status", "actions"))
    return f"{page.url} says {status}, offers {actions}, {page.evaluate('window.answeredForm')}"


def shown(selector: str) -> str:
    """Return a JavaScript expression that is true if the selector matches on a page."""
    return f"document.querySelector({json.dumps(selector)})"


def play_on(*people: Page) -> None:
    """Play on these pages until the match is over."""
    play_until(shown("#ending .end"), *people)


def until_mine(page: Page) -> None:
    """Wait until it is this player's turn, skipping pauses between rounds."""
    for _ in patiently("it is never this person's turn"):
        page.wait_for_selector("#status.mine, .act-continue button")
        if page.locator("#status.mine").count():
            return
        act(page, CHANGE)


def wait_until_gone(page: Page, form: str) -> None:
    """Wait until a question has been withdrawn."""
    page.wait_for_function("id => !document.getElementById(id)", arg=form)


def wait_for_change(page: Page) -> None:
    """Wait until the page changes, or until it would usually have changed."""
    page.evaluate(CHANGED, CHANGE)


def hear_events(page: Page) -> None:
    """Let pending browser events arrive here, for pages in which no script can be run."""
    page.wait_for_timeout(1000 * BETWEEN)


def look(page: Page) -> None:
    """Check that axe finds nothing and nothing is wider than the window."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations, wide = page.evaluate(LOOK)
    assert not violations, AxeResults({"violations": violations}).generate_report()
    assert wide <= 0, f"{page.url} is {wide}px too wide"


def look_all_round(
    page: Page, widths: tuple[ViewportSize, ...] = (DESKTOP, SMALLEST), opened: bool = False
) -> None:
    """Check a page at these widths, alternating the color schemes: no color depends on the width.

    `opened`: open everything that can be opened.
    """
    if opened:
        page.evaluate(OPEN_ALL)
    for width, scheme in zip(widths, cycle(SCHEMES), strict=False):
        page.set_viewport_size(width)
        page.emulate_media(color_scheme=scheme)
        look(page)
    if opened:
        page.evaluate(FOLD_AGAIN)


QUICK = {
    "chamber": {"startLives": "2", "maxRounds": "3"},
    "cards": {"pointsToWin": "2", "maxRounds": "3"},
    "mia": {"lives": "1"},
}
"""Options that make a match short."""


def watched(page: Page) -> None:
    """Check that a spectator sees nothing private to a player, and is offered no actions."""
    expect(page.locator("#hand")).to_be_hidden()
    assert page.locator("#actions form").count() == 0
    assert page.locator("#log-lines .private").count() == 0


def fill_in(page: Page, name: str) -> None:
    """Fill in the registration form and submit it by a double tap."""
    page.fill("#id_username", name)
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    page.locator("main button.main").dblclick()


def is_in(page: Page) -> None:
    """Wait until the page shows that its user is logged in to an account."""
    expect(page.locator("header .out button")).to_have_text("Log out")


def log_in(page: Page, name: str) -> None:
    page.fill("#id_login", name)
    page.fill("#id_password", PASSWORD)
    page.click("main button.main")
