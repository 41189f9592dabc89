"""Acts are animated, and everything that depends on them waits until they have been shown."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import rooms
from games.contract.beats import Beat, Weight
from games.contract.data import Seat
from games.contract.words import Text
from games.engine import grace, shows, timing
from games.engine.frozen_times import freeze, thaw
from games.engine.pauses import TooSoon
from games.engine.snapshots import load_snapshot
from games.mia.rules.state import Announced, PlayerRolls
from games.models import Act, Match
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.acting import act, let_time_run_out, looks, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)
ROLL, SAY, SEE, SHOWN, LOST = 0.6, 1.2, 1.2, 2.5, 1.2


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def match_of_two(watched: bool = True, bots: int = 0, **options: object) -> Match:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, *([] if bots else [bob]), bots=bots, **options)
    if watched:
        looks(room, ann)
    return start_match(room)


def since_the_act(match: Match, moment: datetime | None) -> float:
    """Return the seconds from the newest act to this moment."""
    assert moment is not None
    newest = Act.objects.filter(match=match).latest("number")
    return (moment - newest.at).total_seconds()


def fresh(match: Match) -> Match:
    match.refresh_from_db()
    return match


def lasts(match: Match) -> float:
    """Return the seconds allowed for the open question."""
    seen = load_snapshot(match.pk)
    return timing.lasts(seen.game, seen.state, seen.pace) or 0


def stop_showing(match: Match) -> None:
    """Pretend that everything has been shown."""
    seen = load_snapshot(match.pk)
    assert seen.row.awaited_from is not None
    Match.objects.filter(pk=match.pk).update(
        awaited_from=seen.row.awaited_from - timedelta(minutes=1), revision=seen.row.revision + 1
    )


@pytest.mark.parametrize(
    ("pace", "factor"), [("relaxed", 1.5), ("normal", 1), ("fast", 0.5), ("bullet", 0.2)]
)
def test_deadline_starts_after_the_animation(pace: str, factor: float) -> None:
    match = match_of_two(pace=pace)
    stop_showing(match)
    act(match, on_turn(match), "Roll")
    shown = since_the_act(match, fresh(match).awaited_from)
    assert shown == pytest.approx(ROLL * factor)
    assert since_the_act(match, match.deadline) == pytest.approx(shown + lasts(match))
    assert match.asked_at == match.awaited_from


def bots_turn() -> Match:
    """A bot has an open question."""
    match = match_of_two(bots=1)
    if not on_turn(match).bot:
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="3,2")
    return fresh(match)


def test_bot_delay_starts_after_the_animation(settings: Any) -> None:
    settings.BOT_DELAY = (4, 4)
    match = bots_turn()
    ((_, due),) = match.plans.values()
    assert match.awaited_from is not None
    assert due == pytest.approx(match.awaited_from.timestamp() + 4)


def test_slow_bot_answers_before_the_deadline(settings: Any) -> None:
    settings.BOT_DELAY = (60, 60)
    match = start_match(open_table(PersonFactory(), PersonFactory(), bots=1, pace="bullet"))
    pairs = iter(("3,1", "3,2", "4,1"))
    while not fresh(match).plans:
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice=next(pairs))
    asked = fresh(match)
    ((_, due),) = asked.plans.values()
    assert asked.asked_at is not None
    assert asked.deadline is not None
    assert asked.asked_at.timestamp() < due < asked.deadline.timestamp()


def test_animation_is_skipped_if_nobody_is_watching() -> None:
    match = match_of_two(watched=False)
    act(match, on_turn(match), "Roll")
    assert fresh(match).awaited_from is None
    assert since_the_act(match, match.deadline) == pytest.approx(lasts(match))
    assert "awaitedFrom" not in sync_data(load(match.room_id), on_turn(match).user_id)


@pytest.mark.parametrize("in_memory", [True, False])
def test_big_screen_beside_programs_shows_animations(in_memory: bool) -> None:
    match = match_of_two(watched=False)
    rooms.screen_seen([match.room_id]).result()
    if in_memory:
        load(match.room_id)
    act(match, on_turn(match), "Roll")
    assert since_the_act(match, fresh(match).awaited_from) == pytest.approx(ROLL, abs=0.01)
    stop_showing(match)
    rooms.screen_gone(match.room_id).result()
    let_time_run_out(match)
    assert fresh(match).awaited_from is None


def test_result_stays_on_a_big_screen_until_players_with_pages_continue(settings: Any) -> None:
    settings.BEATS, settings.RESULT_SECONDS = 0.1, 3.0
    match = match_of_two(watched=False, lives=2)
    rooms.screen_seen([match.room_id]).result()
    let_time_run_out(match)
    first, last = match.players.order_by("seat")
    act(match, first, "Continue")
    with pytest.raises(TooSoon):
        act(match, last, "Continue")
    looks(match.room, last.user)
    act(match, last, "Continue")


def test_programs_receive_awaited_from_but_need_not_wait() -> None:
    match = match_of_two()
    act(match, on_turn(match), "Roll")
    told = sync_data(load(match.room_id), on_turn(match).user_id)
    moment = datetime.fromisoformat(told["awaitedFrom"])
    assert moment == pytest.approx(fresh(match).awaited_from, abs=timedelta(milliseconds=1))
    act(match, on_turn(match), "Announce", dice="3,2")
    stop_showing(match)
    assert "awaitedFrom" not in sync_data(load(match.room_id), on_turn(match).user_id)


def test_early_answer_is_shown_after_the_current_animation() -> None:
    match = match_of_two()
    stop_showing(match)
    act(match, on_turn(match), "Roll")
    rolled = fresh(match).awaited_from
    act(match, on_turn(match), "Announce", dice="3,2")
    assert rolled is not None
    assert fresh(match).awaited_from == rolled + timedelta(seconds=SAY)


def test_result_stays_until_it_has_been_shown() -> None:
    match = match_of_two(lives=2)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="6,6")
    stop_showing(match)
    act(match, on_turn(match), "See")
    shown = SEE + SHOWN + LOST
    assert since_the_act(match, fresh(match).awaited_from) == pytest.approx(shown)
    assert since_the_act(match, match.deadline) == pytest.approx(shown + lasts(match))
    looks, other = match.players.order_by("user")
    act(match, other, "Continue")
    act(match, looks, "Continue")
    assert load_snapshot(match.pk).state.phase == "turn"


def test_briefly_shown_result_keeps_its_minimum_time(settings: Any) -> None:
    settings.BEATS, settings.RESULT_SECONDS = 0.1, 3.0
    match = match_of_two(lives=2)
    watcher = PersonFactory()
    rooms.join(match.room.code, watcher.pk, str(watcher), spectate=True).result()
    looks(match.room, watcher)
    stop_showing(match)
    let_time_run_out(match)
    assert since_the_act(match, fresh(match).awaited_from) == pytest.approx(3)
    first, last = match.players.order_by("seat")
    act(match, first, "Continue")
    assert since_the_act(match, fresh(match).awaited_from) < 3  # the pause is not extended
    with pytest.raises(TooSoon):
        act(match, last, "Continue")


def test_resumed_match_shows_the_rest_of_its_animation() -> None:
    row = copy(match_of_two())
    now = timezone.now()
    row.awaited_from = now + timedelta(seconds=2)
    freeze(row, 1, now, now)
    assert row.awaited_from is None
    later = now + timedelta(hours=1)
    thaw(row, later)
    assert row.awaited_from == later + timedelta(seconds=2)


def test_animation_end_is_postponed_with_the_deadlines() -> None:
    match = match_of_two()
    before = fresh(match).awaited_from
    grace.put_off(timedelta(hours=1), timezone.now())
    assert before is not None
    assert fresh(match).awaited_from == before + timedelta(hours=1)


def weights(*of: Weight) -> Sequence[Beat]:
    return [Beat(headline=Text("-"), weight=weight) for weight in of]


def test_beats_share_the_time_of_their_act() -> None:
    options = GAMES["mia"].rules.options()
    usual = weights("light", "normal", "heavy")
    assert shows.lengths(usual, options.pace) == pytest.approx([0.6, 1.2, 2.5])
    long = shows.lengths(weights("heavy", "heavy", "heavy", "normal"), options.pace)
    assert sum(long) == pytest.approx(shows.MOST)
    assert long[0] / long[3] == pytest.approx(2.5 / 1.2)


def test_duration_of_an_animation_does_not_depend_on_later_beats() -> None:
    drawing = Beat(headline=Text("-"), weight="heavy", stage="lift")
    for rest in ((), weights("normal"), weights("heavy", "heavy", "heavy", "heavy")):
        assert shows.held([drawing, *rest], "normal") == pytest.approx(2.5)
        assert sum(shows.lengths([drawing, *rest], "normal")) <= 2.5 + shows.MOST + 0.01
    assert shows.held([drawing], "fast") == pytest.approx(1.25)
    assert shows.held([drawing], "bullet") == 0  # too short to be seen
    assert shows.held(weights("heavy"), "normal") == 0


def test_private_events_take_no_animation_time() -> None:
    game = GAMES["mia"]
    told = [(PlayerRolls(Seat(0)), None), (Announced(Seat(0), "3,2"), (Seat(1),))]
    beats = shows.beats_of(game, game.rules.options(), "normal", told, None)
    assert [beat.weight for beat in beats] == ["light"]


def test_animation_backlog_is_bounded() -> None:
    match = match_of_two(lives=9)
    for dice in ("3,2", "4,1", "4,2", "4,3", "5,1"):
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice=dice)
    assert since_the_act(match, fresh(match).awaited_from) == pytest.approx(shows.MOST, abs=0.1)
