"""The clock lets bots act and ends questions on time. A failure stops only its own table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from games import rooms
from games.contract.core import Ignored
from games.engine.process import process
from games.engine.snapshots import load_snapshot
from games.engine.time_source import source
from games.mia.rules.state import Announce
from games.models import Act, Match, Room
from games.registry import GAMES
from games.runtime import bots
from games.runtime import clock as house_clock
from tests.kit.acting import act, change_rules, fail, make_due, on_turn, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.quick import quick
from tests.kit.waiting import PATIENCE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def ended(match: Match) -> bool:
    return Match.objects.get(pk=match.pk).ended_at is not None


def bots_only(slug: str = "mia", bots: int = 3, **options: object) -> Match:
    """A match of bots whose host has started it and left."""
    host = PersonFactory()
    room = open_table(host, game=slug, bots=bots, onLeave="substitute", **options)
    match = start_match(room)
    rooms.leave(room.pk, host.pk).result()
    return match


@pytest.mark.parametrize("slug", quick(GAMES, "coup", "secret_hitler"))
def test_bots_play_every_game_to_the_end(clock: None, slug: str) -> None:
    match = bots_only(slug, GAMES[slug].seats[0])
    wait_for(lambda: ended(match))
    match.refresh_from_db()
    assert not match.broken
    assert match.outcome is not None
    moves = Act.objects.filter(match=match, kind=Act.Kind.MOVE)
    assert set(moves.values_list("by", flat=True)) == {"bot"}


def cheat(*args: Any) -> Announce:
    return Announce("7,7")


@pytest.mark.parametrize("bot", [fail, cheat])
def test_failed_or_illegal_bot_move_is_replaced_by_a_random_one(
    clock: None, monkeypatch: pytest.MonkeyPatch, bot: Any
) -> None:
    change_rules(monkeypatch, "mia", levels={"random": bot, "normal": bot})
    match = bots_only(lives=1)
    wait_for(lambda: ended(match))
    assert not Match.objects.get(pk=match.pk).broken


def test_bot_that_exceeds_its_time_budget_moves_at_random(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    slow = []
    normal = GAMES["mia"].bots.levels["normal"]

    def words() -> Iterator[int]:
        over.wait(PATIENCE)
        yield 0

    def sleepy(*args: Any) -> Any:
        if not slow:
            slow.append(1)
            luck = args[-1]
            luck._words = words()
            luck.draw("slow", 2)  # so the clock meanwhile needs luck of its own
        return normal(*args)

    monkeypatch.setattr(bots, "BUDGET", 0.05)
    change_rules(monkeypatch, "mia", levels={"random": sleepy, "normal": sleepy})
    match = bots_only(lives=1)
    wait_for(lambda: ended(match))
    over.set()
    assert slow
    assert not Match.objects.get(pk=match.pk).broken


def test_unanswered_prompt_times_out(clock: None) -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), idleKick=0))
    make_due(match)
    wait_for(lambda: Act.objects.filter(match=match, kind=Act.Kind.LAPSE, by="clock").exists())


@pytest.mark.parametrize("broken", ["apply", "offers", "view", "lapse"])
def test_match_with_failing_rules_is_stopped_and_its_table_can_restart(
    monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    # Start the clock after the setup. Otherwise a bot answering while the rules break would pass
    # the question to the host, who has a minute for it.
    whole = bots_only("mia", lives=1)
    host = PersonFactory()
    people, bots = ((PersonFactory(),), 0) if broken == "lapse" else ((), 2)
    room = open_table(host, *people, game="coup", bots=bots)
    match = start_match(room)
    with monkeypatch.context() as patched:
        change_rules(patched, "coup", **{broken: fail})
        make_due(match)
        with ticking():
            wait_for(lambda: ended(match))
            wait_for(lambda: ended(whole))
    match.refresh_from_db()
    room.refresh_from_db()
    assert match.broken
    assert match.outcome is None
    assert room.status == Room.Status.FINISHED
    assert not Match.objects.get(pk=whole.pk).broken
    assert start_match(room).version == 1


def test_move_that_raises_in_the_rules_is_reported_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = open_table(PersonFactory(), PersonFactory())
    with monkeypatch.context() as patched:
        change_rules(patched, "mia", apply=fail)
        match = start_match(room)
        with pytest.raises(ZeroDivisionError):
            act(match, on_turn(match), "Roll")
    assert Match.objects.get(pk=match.pk).version == 1
    assert Act.objects.filter(match=match).count() == 1


def test_duplicate_wake_up_changes_nothing() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory(), idleKick=0))
    make_due(match)
    number = load_snapshot(match.pk).state.clock
    rooms.time_is_up(match.pk, number).result()
    version = Match.objects.get(pk=match.pk).version
    with pytest.raises(Ignored):
        rooms.time_is_up(match.pk, number).result()
    assert Match.objects.get(pk=match.pk).version == version


def test_stopping_clock_does_not_abort_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that cannot move because the clock stops must not abort the match."""
    match = bots_only()
    make_due(match)
    stopping = house_clock.Clock()
    stopping.halt()
    monkeypatch.setattr(stopping._bots, "_think", fail)
    stopping._carefully(match.pk, stopping._wake_up)
    assert not ended(match)


def test_clock_handles_match_of_another_process_once_it_is_overdue() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    assert Match.objects.get(pk=match.pk).clock == process.name
    rows = Match.objects.filter(pk=match.pk)
    due = source.judged() - house_clock.OVERDUE / 2
    watching = house_clock.Clock()
    for keeper, since, ours in (
        (process.name, due, True),
        ("", due, True),
        ("another", due, False),
        ("another", due - house_clock.OVERDUE, True),
    ):
        rows.update(clock=keeper, wake_at=since)
        assert bool(watching._first_waiting()) is ours
    act(match, on_turn(match), "Roll")
    assert rows.get().clock == process.name


def test_clock_that_stops_leaves_its_matches_to_all_others() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    with ticking():
        assert Match.objects.get(pk=match.pk).clock == process.name
    assert Match.objects.get(pk=match.pk).clock == ""
