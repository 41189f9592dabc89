"""Questions without a clock never block a match, because players or the server can nudge."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Act, Match, Member, Room
from games.pages import regions
from games.pages.lines import log_lines
from games.rooms import nudging
from games.tables.loading import load
from tests.kit.acting import act, make_due, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(hours=24, seconds=1)


def put_back(match: Match, passed: timedelta) -> None:
    """Move the start of the question this far into the past."""
    row = Match.objects.get(pk=match.pk)
    assert row.asked_at is not None
    Match.objects.filter(pk=match.pk).update(
        asked_at=row.asked_at - passed, version=row.version + 1
    )


def leave_alone(room: Room, passed: timedelta) -> None:
    """Pretend that nobody has been connected for this long."""
    room.members.filter(bot="").update(away_since=timezone.now() - passed)


def button(room: Room, user_id: int) -> datetime | None:
    """Return the time from which the page shows the nudge button."""
    (status,) = [one.part for one in regions(load(room.pk), user_id) if one.id == "status"]
    return datetime.fromisoformat(status["nudge"]) if status["nudge"] else None


def test_player_may_nudge_after_two_minutes() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, pace="none")
    match = start_match(room)
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.nudge(room.pk, bob.pk).result()
    put_back(match, timedelta(seconds=119))
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.nudge(room.pk, bob.pk).result()
    put_back(match, timedelta(seconds=2))
    rooms.nudge(room.pk, bob.pk).result()
    match.refresh_from_db()
    assert match.deadline is not None
    assert Act.objects.get(match=match, kind=Act.Kind.NUDGE).by == "hand"
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.nudge(room.pk, bob.pk).result()


def test_nudge_delay_restarts_with_every_prompt() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, pace="none")
    match = start_match(room)
    put_back(match, matches.STOOD)
    act(match, on_turn(match), "Roll")
    with pytest.raises(Refused, match="not_allowed_now"):
        rooms.nudge(room.pk, bob.pk).result()


def test_partial_answer_does_not_restart_the_nudge_delay() -> None:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="cards", pace="none")
    match = start_match(room)
    put_back(match, matches.STOOD)
    before = Match.objects.get(pk=match.pk).asked_at
    seen = load_snapshot(match.pk)
    hand = seen.state.stock.whites(seen.state.hands[0])
    pick = seen.state.black.cards_to_pick
    act(match, seen.players[0], "PlayWhiteCards", cards=[card.id for card in hand[:pick]])
    assert Match.objects.get(pk=match.pk).asked_at == before
    rooms.nudge(room.pk, people[1].pk).result()


def test_spectators_and_eliminated_players_may_not_nudge() -> None:
    ann, bob, cid, eve = (PersonFactory() for _ in range(4))
    room = open_table(ann, bob, cid, pace="none", lives=1)
    rooms.join(room.code, eve.pk, str(eve), spectate=True).result()
    match = start_match(room)
    put_back(match, matches.STOOD)
    with pytest.raises(Ignored):
        rooms.nudge(room.pk, eve.pk).result()
    assert button(room, eve.pk) is None
    (player,) = [p for p in load_snapshot(match.pk).players if p.user_id == cid.pk]
    rooms.leave(room.pk, cid.pk).result()
    with pytest.raises(Ignored):
        rooms.nudge(room.pk, player.user_id or 0).result()


def test_nudge_button_is_shown_to_players_who_are_waiting() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, pace="none")
    match = start_match(room)
    asked = on_turn(match).user_id
    waiting = ann if asked == bob.pk else bob
    assert button(room, asked or 0) is None
    since = load_snapshot(match.pk).row.asked_at
    later = since if waiting == ann else since + matches.STOOD
    assert abs((button(room, waiting.pk) or since) - later) < timedelta(seconds=1)
    put_back(match, matches.STOOD)
    rooms.nudge(room.pk, waiting.pk).result()
    assert button(room, waiting.pk) is None
    table = load(room.pk, with_story=True)
    lines = [line["text"] for line in log_lines(table, table.story, None)]
    assert "60 seconds left to answer." in lines


def test_nudging_is_unavailable_with_a_clock() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    match = start_match(room)
    put_back(match, matches.STOOD)
    assert button(room, ann.pk) is button(room, bob.pk) is None
    for person in (ann, bob):
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.nudge(room.pk, person.pk).result()


def test_match_abandoned_for_a_day_is_played_to_the_end_by_the_server() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, pace="none", lives=1)
    match = start_match(room)
    leave_alone(room, timedelta(hours=23))
    assert nudging.deserted() == []
    leave_alone(room, DAY)
    for _ in range(5):
        if load_snapshot(match.pk).over:
            break
        assert nudging.deserted() == [match.pk]
        nudging.nudge_deserted(match.pk).result()
        assert nudging.deserted() == []  # the clock is running
        make_due(match)
        rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()
    assert load_snapshot(match.pk).over
    assert set(Act.objects.filter(kind=Act.Kind.NUDGE).values_list("by", flat=True)) == {"clock"}
    assert nudging.deserted() == []


def test_server_does_not_nudge_while_somebody_is_present() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, pace="none")
    match = start_match(room)
    leave_alone(room, DAY)
    Member.objects.filter(user=bob).update(away_since=None)
    assert nudging.deserted() == []
    Member.objects.filter(user=bob).update(left_at=timezone.now(), away_since=timezone.now() - DAY)
    assert nudging.deserted() == []  # left only just now
    Member.objects.filter(user=bob).update(left_at=timezone.now() - DAY)
    assert nudging.deserted() == [match.pk]


def test_parked_match_does_not_block_nudges_in_other_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nudging, "AT_ONCE", 1)
    found = []
    for _ in range(2):
        room = open_table(PersonFactory(), PersonFactory(), pace="none")
        found.append(start_match(room))
        leave_alone(room, DAY)
    parked, match = found
    Match.objects.filter(pk=parked.pk).update(game_version=99, revision=1)
    assert nudging.deserted() == [match.pk]
