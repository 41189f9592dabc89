"""The chain of steps of a turn on the board of Iron Throne."""

from __future__ import annotations

import re

import pytest

from games.models import Match
from games.pages import regions
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

STEP = re.compile(r'<li class="step ([\w ]+)">.*?<strong>(.*?)</strong>', re.S)


def chain(match: Match) -> list[tuple[str, str]]:
    """Return the kind and the text of each step."""
    table = load(match.room_id)
    (board,) = (one for one in regions(table, table.members[0].user_id) if one.id == "board")
    return STEP.findall(render(table, board, "en"))


def declared(move: str) -> Match:
    """Return a match of two in which the first player has declared this action."""
    match = start_match(open_table(PersonFactory(), PersonFactory(), game="coup", startCoins=3))
    actor = on_turn(match)
    other = next(name for name in load(match.room_id).names if name != actor.name)
    act(match, actor, move, **({"target": other} if move == "Steal" else {}))
    return match


def test_next_possible_step_is_shown_after_the_current_one() -> None:
    match = declared("Steal")
    assert chain(match)[1:] == [("ask now", "Challenge?"), ("later", "Block?")]
    act(match, on_turn(match), "Pass")
    assert chain(match)[1:] == [("ask now", "Block?"), ("later", "Challenge?")]


def test_chain_shows_no_block_for_an_unblockable_action() -> None:
    assert chain(declared("Tax"))[1:] == [("ask now", "Challenge?")]
