"""Automatic moves are marked everywhere: on the wire, in a page's log, in the view."""

from __future__ import annotations

import msgspec
import pytest

from games import rooms
from games.engine.snapshots import load_snapshot
from games.engine.told import told_acts_since
from games.models import Match
from games.pages.lines import log_lines
from games.tables.loading import load
from games.tables.serializers import told_to
from games.tables.views import view_data
from tests.kit.acting import let_time_run_out
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def on_the_wire(match: Match, version: int) -> list[dict[str, object]]:
    """Return the public events after this version, as sent."""
    acts = told_acts_since(load_snapshot(match.pk), version)
    return [msgspec.to_builtins(event) for act in acts for event in told_to(act, None)]


def lines(match: Match) -> list[str]:
    table = load(match.room_id, with_story=True)
    return [line["text"] for line in log_lines(table, table.story, None)]


def test_timed_out_turn_is_flagged_on_the_wire_and_in_the_log() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), game="coup"))
    let_time_run_out(match)
    declared, *rest = on_the_wire(match, 1)
    assert (declared["type"], declared["auto"]) == ("ActionDeclared", "clock")
    assert all("auto" not in event for event in rest)
    assert any("ran out of time. " in line for line in lines(match))


def test_ballots_cast_on_timeout_are_flagged_in_event_and_history() -> None:
    people = [PersonFactory() for _ in range(5)]
    match = start_match(open_table(*people, game="secret_hitler", idleKick=0))
    let_time_run_out(match)
    let_time_run_out(match)
    told = {str(event["type"]): event for event in on_the_wire(match, 1)}
    names = sorted(str(person) for person in people)
    assert told["ChancellorVote"]["auto"] == told["Voted"]["auto"] == "clock"
    assert sorted(told["VotesRevealed"]["auto"]) == names  # type: ignore[call-overload]
    (entry,) = (view_data(load(match.room_id), None) or {})["history"]
    assert sorted(entry["auto"]) == names
    assert entry["autoBy"] == {"nominate": "clock"}


def test_autopilot_moves_of_a_leaver_are_flagged() -> None:
    people = [PersonFactory() for _ in range(5)]
    room = open_table(*people, game="secret_hitler", onLeave="leave")
    match = start_match(room)
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    rooms.leave(room.pk, seen.players[seat].user_id or 0).result()
    told = {str(event["type"]): event for event in on_the_wire(match, 1)}
    assert "auto" not in told["Autopilot"]
    assert told["ChancellorVote"]["auto"] == "autopilot"
    assert any(" is away. " in line for line in lines(match))
