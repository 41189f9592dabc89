"""Common steps of command tests: act, let time run out, break the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.engine import matches
from games.engine.snapshots import cache, load_snapshot
from games.models import Match, Member, Player, Room
from games.registry import GAMES
from games.runtime.clock import Clock
from tests.kit.altered import altered
from tests.kit.factories import start_match


def on_turn(match: Match) -> Player:
    """Return the player who must answer now."""
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    return seen.players[seat]


def act(match: Match, player: Player, type_: str, prompt: int | None = None, **args: Any) -> int:
    """Make a move of this player through the command and return the version."""
    packet = {"type": type_, **args}
    return matches.move(match.room_id, player.user_id, packet, prompt).result()


def looks(room: Room, *people: User) -> None:
    """Mark these users as viewing the table in a browser."""
    for member in Member.objects.filter(room=room, user__in=people):
        rooms.opened_page(member.pk).result()


def prompt_of(match: Match, player: Player) -> int:
    """Return the number of this player's open prompt."""
    return load_snapshot(match.pk).state.prompts[player.seat]


def make_due(match: Match) -> None:
    """Move the deadline into the past. Bumps the version, because matches are cached by it."""
    past = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(deadline=past, wake_at=past, version=F("version") + 1)


def move_deadline_to_now(match: Match) -> None:
    """Set the deadline to now and leave everything else unchanged, including the version."""
    now = timezone.now()
    cache.evict(match.pk)
    Match.objects.filter(pk=match.pk).update(deadline=now, wake_at=now)


def let_time_run_out(match: Match) -> None:
    """Let the open question time out."""
    make_due(match)
    rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()


def change_rules(monkeypatch: pytest.MonkeyPatch, slug: str, **functions: Any) -> None:
    """Replace some functions of this game for the length of a test."""
    monkeypatch.setitem(GAMES, slug, altered(GAMES[slug], **functions))


def fail(*args: Any) -> Any:
    """A faulty rule."""
    raise ZeroDivisionError


def play_out(room: Room, start: Callable[[Room], Match] = start_match) -> Match:
    """Roll twice and announce the second roll as Mia, which ends the match."""
    match = start(room)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="3,2")
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="2,1")
    match.refresh_from_db()
    assert match.ended_at is not None
    return match


@contextmanager
def ticking() -> Iterator[None]:
    """Run the server's clock inside the block. Set up everything it should handle before."""
    running = Clock()
    running.start()
    try:
        yield
    finally:
        running.stop()


def go_out(match: Match, person: User) -> None:
    """Eliminate a player in Mia with one life, by an announcement that is too low.

    Everybody else believes the previous announcement, and announces a little more.
    """
    worth = iter(("3,2", "4,1", "4,2", "4,3", "5,1", "5,2", "5,3", "5,4", "6,1", "6,2"))
    for announced in worth:
        player = on_turn(match)
        act(match, player, "Roll")
        mine = player.user_id == person.pk and announced != "3,2"
        act(match, player, "Announce", dice="3,1" if mine else announced)
        if mine:
            return


def put_out(room: Room) -> None:
    """Mark all human players as out of the running match on the platform, but not in the rules."""
    match = Match.objects.get(room=room, ended_at=None)
    match.players.filter(bot="").update(out=True)
    Match.objects.filter(pk=match.pk).update(revision=F("revision") + 1)
