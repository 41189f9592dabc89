"""The pages that lead to a table, at 200 % and in forced colors: complete and distinguishable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browser import DESKTOP, PHONE, fill_in, is_in, look, open_table
from tests.kit.stage import unseen

pytestmark = pytest.mark.slow

People = Callable[..., Page]
ZOOMED: ViewportSize = {"width": DESKTOP["width"] // 2, "height": DESKTOP["height"] // 2}
"""Size of a window at 200 % zoom, in CSS pixels."""
FLAT = """() => [...document.querySelectorAll("main :is(button, .button, input, select)")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !one.matches("[type=hidden], [type=radio], [type=checkbox]"))
  .filter((one) => !one.matches("[role=tab], .one-person"))
  .filter((one) => getComputedStyle(one).borderTopWidth === "0px")
  .map((one) => one.outerHTML)"""
"""Controls without a border, which forced colors would make invisible by removing backgrounds."""
GROUNDS = """() => {
  const ground = (one) => getComputedStyle(one).backgroundColor;
  const shown = [...document.querySelectorAll("main :is(button, .button)")]
    .filter((one) => one.checkVisibility());
  const main = shown.filter((one) => one.matches(".main")).map(ground);
  const others = shown.filter((one) => !one.matches(".main, .danger")).map(ground);
  return [main.length, main.filter((one) => others.includes(one))];
}"""
AT_200 = {"viewport": ZOOMED, "device_scale_factor": 2}
FORCED = {"viewport": PHONE, "forced_colors": "active"}


@pytest.mark.parametrize("seen", [AT_200, FORCED], ids=["zoomed", "forced"])
def test_pages_leading_to_a_table_are_usable_zoomed_and_in_forced_colors(
    person: People, seen: dict[str, Any]
) -> None:
    page = person(**seen)
    host = person()
    code = open_table(host, "Zoe", "coup", bots=2)
    for address in ("/", f"/t/{code}/", "/account/login/", "/new/coup/", "/account/signup/"):
        page.goto(address)
        assert_told_apart(page, seen)
    fill_in(page, "Petra" if "forced_colors" in seen else "Paula")
    is_in(page)
    page.goto("/you/")
    assert_told_apart(page, seen)
    page.goto(f"/t/{code}/")
    page.click("main button.main")
    expect(page.locator("#people li")).to_have_count(4)
    open_table(page, "Ann", "coup", bots=1)
    assert_told_apart(page, seen)
    assert not unseen(page, ".welcome code", "#setup form:not(.inline) button")


def assert_told_apart(page: Page, seen: dict[str, Any]) -> None:
    """Check borders and backgrounds here, because axe does not know forced colors."""
    if "forced_colors" not in seen:
        look(page)
        return
    assert page.evaluate(FLAT) == []
    main, same = page.evaluate(GROUNDS)
    assert main or "/you/" in page.url
    assert not same, "what goes on looks like the rest"
