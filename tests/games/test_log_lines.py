"""Headings of the log, and the faces beside its lines."""

from __future__ import annotations

import pytest

from games.contract.data import Seat
from games.pages.lines import log_lines
from games.registry import GAMES
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

BEGIN = {
    "chamber": "Round 1",
    "secret_hitler": "Election",
    "cards": "Round 1",
    "mia": "Round 1",
    "coup": "'s turn",
}


def begun(slug: str) -> Table:
    """A match of this game at its start, with its log. Iron Throne has had one action."""
    people = [PersonFactory() for _ in range(GAMES[slug].seats[0])]
    match = start_match(open_table(*people, game=slug))
    if slug == "coup":
        act(match, on_turn(match), "Income")
    return load(match.room_id, with_story=True)


@pytest.mark.parametrize("slug", BEGIN)
def test_new_turn_or_round_is_a_heading_in_the_log(slug: str) -> None:
    table = begun(slug)
    headings = [line["heading"] for line in log_lines(table, table.story, None)]
    assert next(filter(None, headings)).endswith(BEGIN[slug])


def test_log_line_shows_the_face_of_the_player_it_is_about() -> None:
    table = begun("coup")
    taken = next(one for one in log_lines(table, table.story, None) if one["heading"])
    assert taken["text"].startswith(taken["who"])
    reader = Seat(table.names.index(taken["who"]))
    told = next(one for one in log_lines(table, table.story, reader) if one["heading"])
    assert (told["heading"], told["who"]) == ("Your turn", taken["who"])
