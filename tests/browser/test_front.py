"""The front page in a browser: no accidental starts, no lost input, and fast loading."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.registry import GAMES
from tests.kit.browser import (
    DESKTOP,
    PASSWORD,
    PHONE,
    SMALLEST,
    log_in,
    look,
    look_all_round,
    open_table,
    start,
)
from tests.kit.served import Served

People = Callable[..., Page]

FIRST_LOAD = 120 * 1024
TABLE_LOAD = 160 * 1024
FETCHED_LATER = """() => {
  const there = performance.getEntriesByType("navigation")[0].loadEventStart;
  const files = performance.getEntriesByType("resource");
  return files.filter((file) => file.startTime >= there).map((file) => file.name);
}"""
MAKE_STAFF = f"""
from accounts.models import User
User.objects.create_user("Stella", password="{PASSWORD}", is_staff=True)
"""
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
SIZES = (DESKTOP, PHONE, SMALLEST, LANDSCAPE)


def test_enter_in_the_name_field_starts_no_game(person: People) -> None:
    page = person(PHONE)
    page.goto("/")
    page.fill("#play-name", "Ann")
    page.press("#play-name", "Enter")
    expect(page.locator("#play-now")).to_be_focused()
    assert page.url.endswith("/")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*/")


def test_a_code_and_its_button_share_a_line_on_a_small_phone(person: People) -> None:
    page = person(SMALLEST, locale="de-DE")
    page.goto("/")
    field, button = (page.locator(one).bounding_box() for one in ("#code", "#by-code"))
    assert field is not None
    assert button is not None
    assert button["y"] < field["y"] + field["height"]


def test_missing_name_is_reported_at_the_name_field(person: People) -> None:
    page = person(PHONE)
    page.goto("/")
    page.fill("#code", "zzzzz")
    page.click("#seek-coup")
    expect(page.locator("#play-name")).to_be_focused()
    expect(page.locator("#play-name")).to_be_in_viewport()
    expect(page.locator("#play-name-error")).to_have_text("Type your name first.")
    expect(page.locator("#code")).to_have_value("zzzzz")
    page.keyboard.type("Ann")
    page.click(".game-coup .invite")
    page.wait_for_url("**/t/*/")


def test_enter_in_the_code_field_opens_the_table(person: People) -> None:
    host, page = person(), person(SMALLEST)
    code = open_table(host, "Ann")
    page.goto("/")
    page.fill("#play-name", "Bob")
    page.fill("#code", code.lower())
    page.press("#code", "Enter")
    page.wait_for_url(f"**/t/{code}/")
    expect(page.locator("#people li")).to_have_count(2)


def test_theme_chosen_in_the_menu_persists(person: People) -> None:
    page = person(PHONE)
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.fill("#play-name", "Ann")
    page.locator("summary", has_text="Menu").click()
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Evening").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    expect(page.locator("#play-name")).to_have_value("Ann")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Evening")).to_be_hidden()
    page.goto("/rules/mia/")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def first_load(page: Page, address: str) -> int:
    """Return the bytes fetched with an empty cache until this page has loaded."""
    got: list[Any] = []
    page.on("requestfinished", lambda request: got.append(request))
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready")
    later = page.evaluate(FETCHED_LATER)
    sizes = {one.url: one.sizes() for one in list(got) if one.url not in later}
    assert any(url.endswith(".ttf") for url in sizes)
    print({url.rsplit("/", 1)[-1][:40]: size["responseBodySize"] for url, size in sizes.items()})
    return sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes.values())


def test_first_load_of_the_front_page_is_small(person: People) -> None:
    assert first_load(person(own=True), "/") <= FIRST_LOAD


@pytest.mark.slow
def test_pages_leading_to_a_table_pass_layout_and_accessibility_checks(person: People) -> None:
    """The face list scrolls, so that the rest of the form remains visible."""
    host, page = person(), person()
    code = open_table(host, "Ann", "coup", bots=2, public=True)
    edge = "e => e.getBoundingClientRect().right"
    for address in ("/", "/t/ZZZZZ/", f"/t/{code}/"):
        page.goto(address)
        page.locator("summary", has_text="Menu").click()
        look_all_round(page, SIZES)
    for size in SIZES:
        page.set_viewport_size(size)
        card = page.locator(".join").evaluate(edge)
        for part in ("#id_name", ".choose-face", "main button.main"):
            assert page.locator(part).evaluate(edge) <= card, (size, part)


def test_a_face_follows_the_name_until_one_is_chosen(person: People) -> None:
    page = person(SMALLEST)
    page.goto("/")
    own = page.locator("[data-own-face]")
    page.fill("#play-name", "Kit")
    expect(own).to_have_attribute("src", re.compile(r"/face/\?name=Kit$"))
    page.click(".own-face summary")
    look(page)
    page.get_by_label("Face 3", exact=True).check(force=True)  # its picture covers it
    chosen = page.locator("label:has(:checked) img").get_attribute("src") or ""
    expect(own).to_have_attribute("src", re.compile(f"{chosen}$"))
    page.fill("#play-name", "Kit Gray")
    expect(page.locator("[data-by-name]")).to_have_attribute("src", re.compile("Kit%20Gray$"))
    expect(own).to_have_attribute("src", re.compile(f"{chosen}$"))
    page.click("#play-mia")
    page.wait_for_url("**/t/*/")
    assert page.goto("/you/")
    expect(page.locator("h1 img")).to_have_attribute("src", chosen)


@pytest.mark.slow
def test_every_component_passes_layout_and_accessibility_checks(
    person: People, served: Served
) -> None:
    page = person()
    served.manage("shell", "-c", MAKE_STAFF)
    page.goto("/account/login/?next=/style/")
    log_in(page, "Stella")
    page.wait_for_url("**/style/")
    look_all_round(page, (DESKTOP, SMALLEST))


def test_the_first_load_of_a_table_is_small(person: People) -> None:
    """Measured during a match at a full table."""
    page = person()
    open_table(page, "Ann", "cards", bots=GAMES["cards"].seats[1] - 1)
    start(page)
    address, cookies = page.url, page.context.cookies()
    fresh = person(own=True)
    fresh.context.add_cookies(cookies)  # type: ignore[arg-type]
    assert first_load(fresh, address) <= TABLE_LOAD


def test_code_field_is_visible_and_the_footer_is_at_the_bottom(person: People) -> None:
    page = person(LANDSCAPE)
    page.goto("/")
    expect(page.locator("#code")).to_be_in_viewport(ratio=1)
    page.set_viewport_size(PHONE)
    page.goto("/nowhere/")
    foot = page.locator(".foot").evaluate("e => innerHeight - e.getBoundingClientRect().bottom")
    assert abs(foot) < 2


@pytest.mark.slow
def test_table_is_dark_in_the_light_theme_but_dialogs_are_light(person: People) -> None:
    page = person(DESKTOP)
    page.emulate_media(color_scheme="light")
    open_table(page, "Ann", "chamber", bots=2)
    start(page)
    page.click(".ask-items")
    expect(page.locator(".scene")).to_have_css("color-scheme", "dark")
    expect(page.locator(".legend-of-items")).to_have_css("color-scheme", "light dark")
    expect(page.locator(".legend-of-items")).to_have_css("background-color", "rgb(255, 250, 243)")
