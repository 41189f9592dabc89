"""What people do in a browser: pages filled in, moves made, matches played."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, TimeoutError, expect

PASSWORD = "correct horse 7"
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
SMALLEST = {"width": 320, "height": 640}


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


def look(page: Page) -> None:
    """axe finds nothing, and nothing is wider than the window."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert wide <= 0, f"{page.url} is {wide}px too wide"


QUICK = {
    "chamber": {"startLives": "2", "maxRounds": "3"},
    "cards": {"pointsToWin": "2", "maxRounds": "3"},
    "mia": {"lives": "1"},
}
"""Options that make a match short."""


def watched(page: Page) -> None:
    """Somebody who watches sees nothing that is for one player, and has nothing to do."""
    expect(page.locator("#hand")).to_be_hidden()
    assert page.locator("#actions form").count() == 0
    assert page.locator("#log-lines .private").count() == 0


def fill_in(page: Page, name: str) -> None:
    """The registration form, sent by a nervous finger."""
    page.fill("#id_username", name)
    page.fill("#id_password1", PASSWORD)
    page.fill("#id_password2", PASSWORD)
    page.locator("main button.main").dblclick()


def is_in(page: Page) -> None:
    """Until this person is logged in to an account."""
    expect(page.locator("header form button")).to_have_text("Log out")


def log_in(page: Page, name: str) -> None:
    page.fill("#id_login", name)
    page.fill("#id_password", PASSWORD)
    page.click("main button.main")
