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


def test_what_may_come_next_is_shown_after_what_is_asked_now() -> None:
    match = declared("Steal")
    assert chain(match)[1:] == [("ask now", "Challenge?"), ("later", "Block?")]
    act(match, on_turn(match), "Pass")
    assert chain(match)[1:] == [("ask now", "Block?"), ("later", "Challenge?")]


def test_where_nothing_can_be_blocked_no_block_comes_next() -> None:
    assert chain(declared("Tax"))[1:] == [("ask now", "Challenge?")]
