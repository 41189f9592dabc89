"""Three people watch bots: two leave for a new game, the host restarts, and skips to the end."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.kit.browser import join, look, open_panel, open_table, start
from tests.kit.stage import check_sizes

People = Callable[..., Page]

FIRST = re.compile(r"Round 1\b")
ANN = ("#skip-ahead button", "#restart button", "button[form=to-new-game]", "#spectating p")
BOB = ("#skip-ahead button", "button[form=to-new-game]", "#spectating p")


def test_who_is_not_in_has_a_way_on_from_the_dock(person: People) -> None:
    ann, bob, eve = person(), person(reduced_motion="reduce"), person()
    code = open_table(ann, "Ann", "mia", bots=6, lives="9", pace="bullet")
    join(bob, code, "Bob", watch=True)
    join(eve, code, "Eve", watch=True)
    ann.get_by_role("button", name="Watch").click()
    expect(ann.get_by_role("button", name="Sit down")).to_be_visible()
    start(ann)
    expect(ann.locator("#spectating")).to_contain_text("Only bots are still playing.")
    assert check_sizes(ann, *ANN) == []
    eve.get_by_role("button", name="New game").click()
    eve.wait_for_url(lambda url: code not in url)
    expect(bob.locator("#spectating")).to_contain_text("Eve has started a new game.")
    assert check_sizes(bob, *BOB) == []
    look(bob)
    bob.get_by_role("button", name="Join Eve").click()
    bob.wait_for_url(eve.url)
    open_panel(eve, "people")
    expect(eve.locator("#people")).to_contain_text("Bob")
    expect(ann.locator("#board")).not_to_contain_text(FIRST, timeout=30000)
    ann.get_by_role("button", name="Restart").click()
    expect(ann.locator("#board")).to_contain_text(FIRST)
    ann.get_by_role("button", name="Skip ahead").click()
    expect(ann.locator("#ending")).to_be_visible(timeout=30000)
