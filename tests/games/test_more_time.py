"""*More time*: each player may extend their own question, once per match."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import matches
from games.engine.memory import memory
from games.engine.snapshots import cache, load_snapshot
from games.models import Act, Match
from games.pages import regions
from games.pages.lines import log_lines
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets, sync_data

pytestmark = pytest.mark.django_db(transaction=True)


def begun(**options: object) -> Match:
    return start_match(open_table(PersonFactory(), PersonFactory(), **options))


def take(match: Match, user_id: int | None) -> None:
    rooms.more_time(match.room_id, user_id or 0).result()


def has_button(match: Match, user_id: int | None) -> bool:
    (status,) = [one for one in regions(load(match.room_id), user_id) if one.id == "status"]
    return bool(status.part["longer"])


def test_more_time_doubles_the_time_and_is_announced() -> None:
    match = begun()
    asked, before = on_turn(match), load(match.room_id)
    assert has_button(match, asked.user_id)
    was = load_snapshot(match.pk)
    assert was.row.deadline is not None
    take(match, asked.user_id)
    now = load_snapshot(match.pk)
    assert now.row.deadline == was.row.deadline + timedelta(seconds=matches.usual_time(was))
    assert now.row.wake_at == now.row.deadline
    assert now.state == was.state
    (other,) = [p.user_id for p in now.players if p.user_id != asked.user_id]
    (told,) = packets(before, load(match.room_id, before), other or 0)
    assert told["type"] == "GameDataSync"
    assert told["data"]["deadline"] == sync_data(load(match.room_id), other or 0)["deadline"]
    table = load(match.room_id, with_story=True)
    lines = [line["text"] for line in log_lines(table, table.story, None)]
    assert lines[-1].endswith("takes more time.")
    assert not has_button(match, asked.user_id)


def test_more_time_is_available_once_per_match_to_the_prompted_player() -> None:
    match = begun()
    first = on_turn(match)
    (other,) = [p for p in load_snapshot(match.pk).players if p.seat != first.seat]
    assert not has_button(match, other.user_id)
    with pytest.raises(Refused, match="not_allowed_now"):
        take(match, other.user_id)
    take(match, first.user_id)
    with pytest.raises(Refused, match="not_allowed_now"):
        take(match, first.user_id)
    act(match, first, "Roll")
    assert not has_button(match, first.user_id)
    act(match, first, "Announce", dice="3,2")
    assert has_button(match, other.user_id)
    take(match, other.user_id)


def test_more_time_is_stored_with_the_match() -> None:
    match = begun()
    first = on_turn(match)
    take(match, first.user_id)
    lasts = Match.objects.get(pk=match.pk).deadline
    cache.clear()
    memory.evict(match.room_id)
    found = load_snapshot(match.pk)
    assert (found.row.deadline, found.players[first.seat].more_time) == (lasts, True)
    with pytest.raises(Refused, match="not_allowed_now"):
        take(match, first.user_id)
    taken = Act.objects.get(match=match, kind=Act.Kind.NUDGE)
    assert (taken.seat, taken.by) == (first.seat, "hand")


def test_more_time_is_refused_without_a_clock_and_to_spectators() -> None:
    match, eve = begun(pace="none"), PersonFactory()
    rooms.join(match.room.code, eve.pk, str(eve), spectate=True).result()
    first = on_turn(match)
    assert not has_button(match, first.user_id)
    with pytest.raises(Refused, match="not_allowed_now"):
        take(match, first.user_id)
    with pytest.raises(Ignored):
        take(match, eve.pk)
