"""A served Parlour and a Chromium to look at it with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError, expect

from tests.served import Served

expect.set_options(timeout=15000)  # so that a busy machine fails no test

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
SMALLEST = {"width": 320, "height": 640}


@pytest.fixture(scope="session", params=["uvicorn"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The server of the browser tests. Bots take a moment, so that people can watch them."""
    server = Served(
        tmp_path_factory.mktemp("served"),
        request.param,
        BOT_DELAY="0.05",
        ALLOWED_HOSTS="127.0.0.1,parlour.test",
        WS_BURST="400",
    )
    server.manage("prepare")
    server.start()
    yield server
    said = server.said()
    server.stop()
    assert "Traceback" not in said, said


@pytest.fixture
def person(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    """Makes people: each a page in a browser of its own. Their script errors fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def make(viewport: dict[str, int] = DESKTOP, base: str | None = None, **more: object) -> Page:
        context = browser.new_context(viewport=viewport, base_url=base or served.url, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


def play_now(page: Page, name: str, game: str = "mia") -> None:
    """From the front page to a running match against bots."""
    page.goto("/")
    page.fill("#play-name", name)
    page.click(f"button[name=game][value={game}]")
    page.wait_for_selector("#seats .seat")


def open_table(page: Page, name: str, game: str = "mia", bots: int = 0, **options: str) -> str:
    """A new table with this host; returns its code."""
    page.goto(f"/new/{game}/")
    page.fill("#id_name", name)
    page.fill("#id_bots", str(bots))
    if options:
        page.click("details summary")
        for option, value in options.items():
            field = page.locator(f"#option-{option}")
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
    page.click("main button.main")
    page.wait_for_url("**/t/*/")
    page.wait_for_selector("#people li")
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def join(page: Page, code: str, name: str, watch: bool = False) -> None:
    """In by the link of a table."""
    page.goto(f"/t/{code}/")
    page.fill("#id_name", name)
    if watch:
        page.check("#id_spectate")
    page.click("main button.main")
    page.wait_for_selector("#people li")


def start(page: Page) -> None:
    page.click("#setup button.main")
    page.wait_for_selector("#setup", state="hidden")


FIRST_FORM = """() => document.querySelector(
  "#actions > form, #actions > details[open] > form")?.id ?? "" """


def act(page: Page) -> bool:
    """One move, none that is risky while there is another; False when none can be made now."""
    first = page.evaluate(FIRST_FORM)
    if not first:
        return False
    page.wait_for_timeout(360)
    form = page.locator(f"[id='{first}']")
    try:
        for ticks in form.locator(".ticks").all():
            for at in range(int(ticks.get_attribute("data-least", timeout=1000) or 0)):
                ticks.locator("input").nth(at).check(timeout=1000)
        form.locator("button:enabled").last.click(timeout=1000, no_wait_after=True)
    except TimeoutError:
        return False  # another question has taken its place
    return True


def is_over(page: Page) -> bool:
    return page.locator("#board .end").count() > 0


def play_on(*people: Page, steps: int = 2000) -> None:
    """These people play until the match is over."""
    for _ in range(steps):
        for page in people:
            if is_over(page):
                return
            act(page)
        people[0].wait_for_timeout(50)
    raise AssertionError("the match does not end")


def until_mine(page: Page) -> None:
    """Until it is this person's turn; pauses between rounds are not sat out."""
    for _ in range(600):
        if page.locator("#status.mine").count():
            return
        if page.locator(".act-continue button").count():
            act(page)
        page.wait_for_timeout(50)
    raise AssertionError("it is never this person's turn")
