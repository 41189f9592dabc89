"""A tap that comes too soon is visibly refused. Key presses always count."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.kit.browser import PHONE, let_stand, open_table
from tests.kit.staged import Staged, put

pytestmark = pytest.mark.django_db(transaction=True)

STOP_THE_CLOCK = """() => {
  const now = Date.now();
  Date.now = () => now;
  window.answers = 0;
  window.shaken = new Set();
  new MutationObserver((changes) => {
    const shakes = changes.filter((one) => one.target.classList.contains("too-soon"));
    for (const one of shakes) window.shaken.add(one.target.closest("section, div[id]").id);
  }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
  document.addEventListener("submit", (event) => {
    if (event.target.closest("#actions")) window.answers += 1;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}"""
ANSWERS = "() => window.answers"
EARLY = "That tap came just as the question appeared"


TAPPED = [
    "mia",
    *(pytest.param(slug, marks=pytest.mark.slow) for slug in ("coup", "secret_hitler")),
]


@pytest.mark.parametrize("game", TAPPED)
def test_early_tap_is_rejected_with_a_message_but_a_key_press_counts(
    person: Callable[..., Page], game: str
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    mine = next(
        one
        for one in Staged(game, players=GAMES[game].seats[0]).moments()
        if one.eyes == "mine" and 'class="act' in one.regions["actions"]
    )
    page.evaluate(STOP_THE_CLOCK)
    put(page, mine.regions)
    button = page.locator("#actions form > button, #actions .choices > button").first
    box = button.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#notice")).to_contain_text(EARLY)
    assert page.evaluate("() => [...window.shaken]") == ["actions"]
    assert page.evaluate(ANSWERS) == 0
    button.focus()
    page.keyboard.press("Enter")
    assert page.evaluate(ANSWERS) == 1
    let_stand(page)
    button.click()
    assert page.evaluate(ANSWERS) == 2
