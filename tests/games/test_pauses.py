"""Results stay visible for a while, even if others continue at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.engine import matches
from games.engine.pauses import TooSoon
from games.engine.snapshots import load_snapshot
from games.models import Match, Member
from tests.kit.acting import act, let_time_run_out, looks, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)
STANDS = 3.0
BOTS = {"bots": 2, "lives": 2, "onLeave": "substitute"}


@pytest.fixture(autouse=True)
def _results_stand(settings: Any) -> None:
    settings.RESULT_SECONDS = STANDS


def lose_a_round(match: Match) -> Match:
    """Let the player's time run out, which shows a result."""
    let_time_run_out(match)
    match.refresh_from_db()
    assert load_snapshot(match.pk).state.phase == "result"
    return match


def bots_wait(match: Match) -> list[float]:
    """Return the second of the pause at which each bot continues."""
    match.refresh_from_db()
    assert match.deadline is not None
    pause = {"normal": 6, "fast": 3}[match.options.get("pace", "normal")]
    begun = match.deadline.timestamp() - pause
    return [round(due - begun, 1) for _, due in match.plans.values()]


@pytest.mark.parametrize(("pace", "seconds"), [("normal", 3.0), ("fast", 1.5)])
def test_bots_wait_so_that_spectators_can_see_the_result(pace: str, seconds: float) -> None:
    host, watcher = PersonFactory(), PersonFactory()
    room = open_table(host, watcher, **BOTS, pace=pace)
    rooms.set_spectating(room.pk, watcher.pk, True).result()
    looks(room, watcher)
    match = lose_a_round(start_match(room))
    assert bots_wait(match) == [seconds, seconds]


def test_result_stays_visible_for_eliminated_players() -> None:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(people[0], *people[1:], lives=1)
    looks(room, *people)
    match = lose_a_round(start_match(room))
    gone = load_snapshot(match.pk).game.rules.out(load_snapshot(match.pk).state)
    first, last = (p for p in match.players.order_by("seat") if p.seat not in gone)
    act(match, first, "Continue")
    with pytest.raises(TooSoon):
        act(match, last, "Continue")
    rooms.leave(room.pk, match.players.get(seat=gone[0]).user_id).result()
    act(match, last, "Continue")
    assert load_snapshot(match.pk).state.phase == "turn"


def test_bots_continue_when_all_viewers_have_continued() -> None:
    host = PersonFactory()
    room = open_table(host, **BOTS)
    looks(room, host)
    match = lose_a_round(start_match(room))
    assert bots_wait(match) == [STANDS, STANDS]
    player = match.players.get(user=host)
    act(match, player, "Continue")
    match.refresh_from_db()
    now = timezone.now().timestamp()
    assert all(due <= now for _, due in match.plans.values())


def test_absent_members_delay_nothing() -> None:
    host, left, away = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(host, left, away, **BOTS)
    looks(room, left, away)
    for person in (left, away):
        rooms.set_spectating(room.pk, person.pk, True).result()
    rooms.leave(room.pk, left.pk).result()
    rooms.gone_away([Member.objects.get(room=room, user=away).pk]).result()
    assert bots_wait(lose_a_round(start_match(room))) == [0.0, 0.0]


def test_nobody_can_skip_a_result_that_others_are_viewing() -> None:
    ann, bob, watcher = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, watcher, lives=2)
    rooms.set_spectating(room.pk, watcher.pk, True).result()
    looks(room, ann, bob, watcher)
    match = lose_a_round(start_match(room))
    first, last = match.players.order_by("seat")
    act(match, first, "Continue")
    version = load_snapshot(match.pk).row.version
    with pytest.raises(TooSoon) as soon:
        act(match, last, "Continue")
    assert 0 < soon.value.seconds <= STANDS
    assert load_snapshot(match.pk).row.version == version
    rooms.leave(room.pk, watcher.pk).result()
    act(match, last, "Continue")
    assert load_snapshot(match.pk).state.phase == "turn"


def talking(*people: User, **options: object) -> Match:
    """A match of Secret Hitler with a nominated chancellor and time to talk."""
    room = open_table(*people, game="secret_hitler", discussion=90, **options)
    match = start_match(room)
    named = {"type": "ChancellorNomination", "player": first_eligible(match)}
    matches.move(room.pk, on_turn(match).user_id, named).result()
    return match


def first_eligible(match: Match) -> str:
    seen = load_snapshot(match.pk)
    return seen.names[seen.game.rules.view(seen.state, None).eligible[0]]


def goes_away(person: User) -> None:
    rooms.gone_away(Member.objects.filter(user=person).values_list("pk", flat=True)).result()


def ends_now(match: Match) -> bool:
    """Return whether the clock ends the current display at once."""
    match.refresh_from_db()
    assert match.deadline is not None
    return match.deadline <= timezone.now() and match.wake_at == match.deadline


@pytest.mark.parametrize("last", ["goes away", "is ready"])
def test_discussion_does_not_wait_for_absent_players(last: str) -> None:
    people = [PersonFactory() for _ in range(5)]
    match = talking(*people)
    away, *others, one = people
    if last == "is ready":
        goes_away(away)
    for person in others:
        matches.move(match.room_id, person.pk, {"type": "Ready"}).result()
        assert not ends_now(match)
    if last == "is ready":
        matches.move(match.room_id, one.pk, {"type": "Ready"}).result()
    else:
        matches.move(match.room_id, one.pk, {"type": "Ready"}).result()
        assert not ends_now(match)
        goes_away(away)
    assert ends_now(match)
    assert load_snapshot(match.pk).phase == "discuss"
    rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()
    assert load_snapshot(match.pk).phase == "vote"


@pytest.mark.parametrize("pace", ["relaxed", "none"])
def test_discussion_time_is_the_same_at_every_pace(pace: str) -> None:
    match = talking(*(PersonFactory() for _ in range(5)), pace=pace)
    match.refresh_from_db()
    assert match.deadline is not None
    assert match.asked_at is not None
    assert (match.deadline - match.asked_at).total_seconds() == pytest.approx(90)
