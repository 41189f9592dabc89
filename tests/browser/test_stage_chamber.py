"""Chamber at a full table: facts, questions and actions are visible at every screen size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, ViewportSize

from games.chamber.rules.state import View
from tests.kit.browser import PHONE, open_table
from tests.kit.staged import AT_SIZES, Moment, Staged, at_the_end, see_all
from tests.kit.touch import check_faces

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SHOT = ".shot .word, .shot .line, .shot .did"
PUBLIC = ("#seats .seat .lives", "#seats .seat .held", ".rack .count", SHOT)
KNOWN = "#hand .known"
MET = {
    *(f"rebalance {eyes}" for eyes in ("mine", "theirs", "watching")),
    *(f"turn {eyes}" for eyes in ("mine", "mine knows", "theirs", "out", "watching")),
    *(f"over {eyes}" for eyes in ("won", "lost", "watching")),
}


def needed(moment: Moment) -> tuple[str, ...]:
    if moment.phase == "over":
        return at_the_end(moment)
    states = [".news .state"] if 'class="state' in moment.regions["board"] else []
    return (*PUBLIC, *states, *([KNOWN] if "knows" in moment.eyes else []))


def knows(view: View) -> str:
    """Return whether a player has looked at the next shell."""
    return " knows" if view.known_next else ""


@AT_SIZES
def test_everything_needed_is_visible_to_eight_players_in_every_phase(
    person: Callable[..., Page], sizes: Sequence[ViewportSize]
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "chamber")
    moments = list(Staged("chamber", seed=2, startLives=3, itemsPerRound=6).moments(knows))
    assert {one.kind for one in moments} >= MET
    see_all(page, moments, needed, sizes)
    check_faces(page, 8, moments)
