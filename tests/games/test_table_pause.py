"""A paused match: nothing falls due, nobody moves, and it resumes exactly where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from games import rooms
from games.contract.choices import random_move
from games.contract.core import Ignored, Refused
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine import matches, timing
from games.engine.frozen_times import pause_of
from games.engine.snapshots import load_snapshot
from games.engine.time_source import source
from games.models import Heartbeat, Match, Member, Room
from games.pages import regions
from games.registry import GAMES
from games.rooms import nudging, table_pause
from games.runtime import heartbeat
from games.tables.loading import load
from tests.kit import moderation_helpers
from tests.kit.acting import act, let_time_run_out, on_turn, prompt_of, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.sent import packets, sync_data
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
NEARLY = timedelta(milliseconds=2)


@pytest.fixture
def later() -> Iterator[Callable[[timedelta], None]]:
    """Advance all clocks by this much."""
    with moving_on() as pass_:
        yield pass_
    source.adopt()


def table(*names: str, game: str = "mia", **options: object) -> tuple[Room, Match]:
    """A match of these users. The first one is the host."""
    room = open_table(*(PersonFactory(name=name) for name in names), game=game, **options)
    return Room.objects.get(pk=room.pk), start_match(room)


def pause(room: Room) -> Match:
    table_pause.pause(room.pk, Room.objects.get(pk=room.pk).host_id or 0).result()
    return Match.objects.filter(room=room).latest("pk")


def resume(room: Room) -> Match:
    table_pause.resume(room.pk, Room.objects.get(pk=room.pk).host_id or 0).result()
    return Match.objects.filter(room=room).latest("pk")


def left(match: Match) -> timedelta:
    """Return how long the question has been open plus how long it has left."""
    assert match.deadline is not None
    assert match.asked_at is not None
    return match.deadline - match.asked_at


@pytest.mark.parametrize("game", GAMES)
def test_pause_costs_no_time_and_changes_nothing_else(
    game: str, later: Callable[[timedelta], None]
) -> None:
    names = [f"p{at}" for at in range(max(3, GAMES[game].seats[0]))]
    room, match = table(*names, game=game)
    before = Match.objects.get(pk=match.pk)
    paused = pause(room)
    assert (paused.deadline, paused.wake_at, paused.plans) == (None, None, {})
    later(HOUR)
    after = resume(room)
    assert (after.state, after.version) == (before.state, before.version)
    assert abs(left(after) - left(before)) < NEARLY
    assert after.deadline is not None
    assert after.deadline - before.deadline > HOUR
    assert after.wake_at == after.deadline
    assert after.paused is None


def test_clock_ignores_a_paused_match(
    later: Callable[[timedelta], None],
) -> None:
    room, match = table("ann", "bob")
    pause(room)
    later(HOUR)
    with pytest.raises(Ignored):
        rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()
    assert Match.objects.get(pk=match.pk).version == match.version
    resume(room)
    let_time_run_out(match)


def test_paused_bot_resumes_with_the_same_prompt() -> None:
    ann = PersonFactory(name="ann")
    room = open_table(ann, bots=1)
    match = start_match(room)
    if on_turn(match).user_id is not None:
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="3,1")
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    prompt, due = seen.row.plans[str(seat)]
    offers = seen.game.rules.offers(seen.state, seat)
    thought = random_move(seen.game.rules.moves, offers, Luck(b"a bot of the test", 1))
    paused = pause_of(pause(room))
    assert paused is not None
    assert paused.plans[str(seat)][0] == prompt
    with pytest.raises(Refused, match="paused"):  # it was thinking when the match was paused
        matches.bot_move(match.pk, Seat(seat), int(prompt), thought).result()
    resume(room)
    with ticking():
        wait_for(lambda: Match.objects.get(pk=match.pk).version > seen.row.version)


def test_moves_are_refused_while_paused_except_repeats() -> None:
    room, match = table("ann", "bob")
    first = on_turn(match)
    prompt = prompt_of(match, first)
    rolled = act(match, first, "Roll", prompt)
    pause(room)
    assert act(match, first, "Roll", prompt) == rolled  # a repeat of an accepted move
    with pytest.raises(Refused, match="paused"):
        act(match, first, "Announce", dice="2,1")
    with pytest.raises(Ignored):
        matches.move(room.pk, PersonFactory().pk, {"type": "Roll"}).result()
    resume(room)
    assert act(match, first, "Announce", dice="2,1") > rolled


def test_server_downtime_during_a_pause_costs_no_time(later: Callable[[timedelta], None]) -> None:
    room, match = table("ann", "bob")
    before = left(Match.objects.get(pk=match.pk))
    asked = Match.objects.get(pk=match.pk).asked_at
    pause(room)
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": timezone.now(), "leader": "one"})
    later(3 * HOUR)
    heartbeat.begin("another").result()
    assert Match.objects.get(pk=match.pk).wake_at is None
    after = resume(room)
    assert abs(left(after) - before) < NEARLY
    assert after.asked_at is not None
    assert asked is not None
    assert after.asked_at - asked >= 3 * HOUR


def test_prompt_that_opens_during_a_pause_has_its_full_time() -> None:
    room, match = table("ann", "bob", "cid", "dan", onLeave="leave")
    before = load_snapshot(match.pk).state.clock
    pause(room)
    rooms.leave(room.pk, on_turn(match).user_id or 0).result()
    now = load_snapshot(match.pk)
    assert now.state.clock != before
    row = Match.objects.get(pk=match.pk)
    assert (row.deadline, row.wake_at) == (None, None)
    whole = timing.lasts(now.game, now.state, now.pace)
    assert left(resume(room)).total_seconds() == pytest.approx(whole, abs=0.01)


def test_pause_ends_with_the_match() -> None:
    room, match = table("ann", "bob", onLeave="leave")
    pause(room)
    rooms.leave(room.pk, Member.objects.get(name="bob").user_id or 0).result()
    match.refresh_from_db()
    assert match.ended_at is not None
    assert match.paused is None
    room, match = table("eve", "dan")
    assert load(room.pk).pause is None
    pause(room)
    moderation_helpers.end_match(room.pk).result()
    match.refresh_from_db()
    assert pause_of(match) is None
    assert "paused" not in sync_data(load(room.pk), room.host_id)
    start_match(room)
    pause(room)


def test_server_resumes_a_paused_match_abandoned_for_a_day() -> None:
    room, match = table("ann", "bob")
    before = left(match)
    pause(room)
    now = timezone.now()
    room.members.update(away_since=now - timedelta(hours=23))
    assert nudging.deserted(now) == []
    room.members.update(away_since=now - timedelta(hours=25))
    assert nudging.deserted(now) == [match.pk]
    nudging.nudge_deserted(match.pk).result()
    after = Match.objects.get(pk=match.pk)
    assert after.paused is None
    assert abs(left(after) - before) < NEARLY


def test_match_without_a_clock_resumes_without_one(
    later: Callable[[timedelta], None],
) -> None:
    room, match = table("ann", "bob", pace="none")
    bob = Member.objects.get(name="bob").user_id or 0
    pause(room)
    later(HOUR)
    after = resume(room)
    assert (after.deadline, after.wake_at) == (None, None)
    with pytest.raises(Refused, match="not_allowed_now"):  # open for under two minutes
        rooms.nudge(room.pk, bob).result()
    rooms.nudge(room.pk, room.host_id or 0).result()


def test_pause_is_shown_to_everybody_and_the_host_can_resume() -> None:
    room, match = table("ann", "bob")
    bob = Member.objects.get(name="bob").user_id or 0
    before = sync_data(load(room.pk), bob)
    pause(room)
    for person, may in ((room.host_id or 0, True), (bob, False)):
        parts = {region.id: region.part for region in regions(load(room.pk), person)}
        assert parts["status"]["sentence"] == "Paused by ann."
        assert (parts["status"]["deadline"], parts["status"]["mine"]) == (None, False)
        assert parts["status"]["pause"]["may_resume"] is may
        assert parts["status"]["pause"]["left"] in ("30 s", "29 s")  # on a busy machine
        assert parts["actions"]["forms"] == []
        assert parts["people"]["pausable"] is False
        data = sync_data(load(room.pk), person)
        assert data["offers"] == []
        assert data["deadline"] is None
        assert data["secondsLeft"] == pytest.approx(30, abs=1)
        assert data["awaited"] == before["awaited"]


def test_pause_is_announced_once_despite_renames_and_parking() -> None:
    room, _match = table("ann", "bob")
    host = room.host_id or 0
    before = load(room.pk)
    pause(room)
    paused = load(room.pk)
    Member.objects.filter(user=host).update(name="anna")
    renamed = load(room.pk)
    parked = replace(renamed, match=None, parked=True, loading=object())
    resume(room)
    after = load(room.pk)
    told = [
        [p["type"] for p in packets(was, now, host) if p["type"] in ("Paused", "Resumed")]
        for was, now in ((before, paused), (paused, renamed), (renamed, parked), (parked, renamed))
    ]
    assert told == [["Paused"], [], [], []]
    assert "Resumed" in [p["type"] for p in packets(renamed, after, host)]
