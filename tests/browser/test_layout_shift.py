"""What is on the page stays where it is while a match goes on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.rules import GAMES
from tests.kit.browser import PHONE, open_table
from tests.kit.served import as_served
from tests.kit.stage import FEED, WATCH_SHIFTS, stays_put
from tests.kit.staged import Staged

ACTS = 40
PLAYERS = 6


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", GAMES)
def test_no_update_moves_what_is_on_a_phone(person: Callable[..., Page], game: str) -> None:
    page = person(PHONE, animated=True, own=True)
    page.add_init_script(WATCH_SHIFTS)
    open_table(page, "Ann", game)
    staged = Staged(game, players=PLAYERS)
    pushed = staged.pushed(staged.people[1].pk, ACTS)
    page.evaluate(FEED, list(map(as_served, pushed)))
    stays_put(page)
