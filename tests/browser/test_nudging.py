"""If there is no clock, waiting players have a button that starts one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import join, open_table, start
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow

People = Callable[..., Page]


def test_host_can_nudge_at_once_and_other_players_only_later(person: People) -> None:
    ann, bob = person(), person()
    code = open_table(ann, "Ann", "cards", bots=1, pace="none")
    join(bob, code, "Bob")
    start(ann)
    expect(ann.get_by_role("button", name="Nudge: give them 60 seconds")).to_be_visible()
    expect(bob.locator("#nudge")).to_be_attached()
    expect(bob.locator("#nudge")).to_be_hidden()

    def has_come() -> bool:
        """Return whether the button appears when due. Each act renders it with its time."""
        bob.evaluate("document.querySelector('#nudge').dataset.from = new Date(0).toISOString()")
        return bob.locator("#nudge button").is_visible()

    wait_for(has_come)
    ann.locator("#nudge button").click()
    expect(bob.locator("#status time")).to_be_visible()
    expect(ann.locator("#nudge")).to_have_count(0)
