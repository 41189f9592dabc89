"""A match with only bots left: spectators skip to its end, or the host restarts it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import timing
from games.engine.memory import memory
from games.engine.snapshots import cache, load_snapshot
from games.models import Match, Room
from games.pages import regions
from games.registry import GAMES
from games.tables.loading import load
from games.tables.table import Json
from tests.kit.acting import looks, put_out, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.quick import quick
from tests.kit.sent import packets, sync_data
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SOON = 30.0
"""Maximum seconds of "at once" on a busy machine."""


@pytest.fixture
def slow(settings: Any) -> None:
    """Bots think and everything is shown, as at a real table."""
    settings.BOT_DELAY, settings.BEATS, settings.RESULT_SECONDS = (3000, 4000), 1.0, 3000.0


def watched(game: str = "mia", people: int = 1, **options: object) -> tuple[Room, list[User]]:
    """A match among bots that users watch on their pages. The first user is the host."""
    watchers = [PersonFactory(name=name) for name in NAMES[:people]]
    room = open_table(*watchers, game=game, bots=max(3, GAMES[game].seats[0]), **options)
    for one in watchers:
        rooms.set_spectating(room.pk, one.pk, spectating=True).result()
    start_match(room)
    looks(room, *watchers)
    return Room.objects.get(pk=room.pk), watchers


def stored(room: Room) -> Match:
    return Match.objects.filter(room=room).latest("pk")


def is_over(room: Room) -> Callable[[], bool]:
    return lambda: stored(room).ended_at is not None


def part(room: Room, person: User) -> Json:
    found = regions(load(room.pk), person.pk)
    return next(region.part for region in found if region.id == "spectating")


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("game", quick(GAMES, "chamber", "secret_hitler"))
def test_host_can_skip_to_the_end_of_a_bot_match(game: str) -> None:
    few: dict[str, dict[str, object]] = {"cards": {"maxRounds": 2}, "mia": {"lives": 1}}
    room, (host,) = watched(game, **few.get(game, {}))
    assert stored(room).wake_at is not None
    rooms.skip_ahead(room.pk, host.pk).result()
    cache.evict(stored(room).pk)  # as on a server that has just started
    memory.evict(room.pk)
    assert load_snapshot(stored(room).pk).pace == timing.INSTANT
    with ticking():
        wait_for(is_over(room), SOON)
    ended = stored(room)
    assert ended.outcome is not None
    assert not ended.players.filter(idle__gt=0).exists()


def test_skipping_needs_a_majority_of_the_members_present() -> None:
    room, (_ann, bob, cleo, dan) = watched(people=4)
    before = load(room.pk)
    rooms.skip_ahead(room.pk, bob.pk).result()
    assert stored(room).pace == ""
    now = load(room.pk, before)
    asked = {"by": ["Bob"], "needed": 3, "granted": False}
    assert {"type": "SkipAsked", **asked} in packets(before, now, cleo.pk)
    assert sync_data(now, cleo.pk)["skip"] == asked
    assert part(room, cleo)["skip"] == {"by": 1, "needed": 3}
    rooms.leave(room.pk, dan.pk).result()
    rooms.skip_ahead(room.pk, cleo.pk).result()
    assert stored(room).pace == timing.INSTANT
    assert part(room, cleo)["skipping"]


def test_skip_and_restart_are_refused_while_a_person_plays() -> None:
    ann, bob = (PersonFactory(name=name) for name in NAMES[:2])
    room = open_table(ann, bob, bots=2)
    match = start_match(room)
    for function in (rooms.skip_ahead, rooms.restart):
        with pytest.raises(Refused, match="not_allowed_now"):
            function(room.pk, ann.pk).result()
    assert load_snapshot(match.pk).pace == "normal"
    put_out(room)
    with pytest.raises(Ignored):
        rooms.restart(room.pk, bob.pk).result()
    rooms.skip_ahead(room.pk, bob.pk).result()
    assert sync_data(load(room.pk), bob.pk)["skip"]["needed"] == 2


def test_player_who_takes_a_seat_back_restores_the_old_pace() -> None:
    ann, bob = (PersonFactory(name=name) for name in NAMES[:2])
    room = open_table(ann, bob, bots=2, onLeave="substitute", pace="relaxed")
    match = start_match(room)
    rooms.leave(room.pk, bob.pk).result()
    assert not load_snapshot(match.pk).only_bots
    rooms.leave(room.pk, ann.pk).result()
    assert load_snapshot(match.pk).only_bots
    eve = PersonFactory(name="Eve")
    rooms.join(room.code, eve.pk, "Eve").result()
    rooms.skip_ahead(room.pk, eve.pk).result()
    assert load_snapshot(match.pk).pace == timing.INSTANT
    rooms.join(room.code, bob.pk, "Bob").result()
    seen = load_snapshot(match.pk)
    assert (seen.only_bots, seen.pace) == (False, "relaxed")


def test_host_restarts_with_the_same_people_and_bots() -> None:
    ann, bob = (PersonFactory(name=name) for name in NAMES[:2])
    room = open_table(ann, bob, bots=2)
    match = start_match(room)
    put_out(room)
    before = load(room.pk)
    assert part(room, ann)["bots"]
    rooms.restart(room.pk, ann.pk).result()
    again = stored(room)
    assert again.pk != match.pk
    match.refresh_from_db()
    assert (match.ended_at is not None, match.outcome) == (True, None)
    names = [set(one.players.values_list("name", "bot")) for one in (match, again)]
    assert names[0] == names[1]
    kinds = [p["type"] for p in packets(before, load(room.pk, before), ann.pk)]
    assert kinds.index("GameEnd") < kinds.index("GameStarted")
    assert Room.objects.get(pk=room.pk).standings == {}
