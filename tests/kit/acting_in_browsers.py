"""Make a move on whichever open page offers it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.kit.browser import wait_for_change
from tests.kit.waiting import patiently

MOVE = """name => {
  const buttons = [...document.querySelectorAll(`#actions form.act-${name} button:enabled`)];
  const button = buttons.find(one => one.value === "6,6") ?? buttons[0];
  button?.form.requestSubmit(button);
  return Boolean(button);
}"""


def move(people: list[Page], name: str) -> Page:
    """Make this move on the first page that offers it, always announcing 6,6. Return that page."""
    for _ in patiently(lambda: f"nobody can {name}"):
        for page in people:
            if page.evaluate(MOVE, name):
                return page
        wait_for_change(people[0])
    raise AssertionError
