"""The page's layout stays stable during a match."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import PHONE, open_table
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.served import as_served
from tests.kit.stage import FEED, SIZES, WATCH_SHIFTS, stays_put
from tests.kit.staged import Staged

pytestmark = pytest.mark.slow

PLAYERS = 5


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("game", GAMES)
def test_match_causes_no_layout_shift(person: Callable[..., Page], game: str) -> None:
    staged = Staged(game, players=PLAYERS)
    frames = list(map(as_served, staged.pushed(staged.people[1].pk)))
    assert 'id="ending"' in frames[-1]
    page = person(PHONE, animated=True, own=True)
    page.add_init_script(WATCH_SHIFTS)
    open_table(page, "Ann", game)
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        page.reload()
        page.evaluate(FEED, frames)
        stays_put(page)
