"""What tests of the commands do again and again: act, let time run out, break the rules."""

from __future__ import annotations

from collections.abc import Iterator
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
    """Who has to answer now."""
    seen = load_snapshot(match.pk)
    (seat,) = seen.game.rules.awaited(seen.state)
    return seen.players[seat]


def act(match: Match, player: Player, type_: str, prompt: int | None = None, **args: Any) -> int:
    """A move of this player by the command; return the version."""
    packet = {"type": type_, **args}
    return matches.move(match.room_id, player.user_id, packet, prompt).result()


def looks(room: Room, *people: User) -> None:
    """These people have the table open in a browser."""
    for member in Member.objects.filter(room=room, user__in=people):
        rooms.opened_page(member.pk).result()


def prompt_of(match: Match, player: Player) -> int:
    """The number of the question put to this player."""
    return load_snapshot(match.pk).state.prompts[player.seat]


def make_due(match: Match) -> None:
    """The deadline has passed. A new version, because matches are remembered by it."""
    past = timezone.now() - timedelta(seconds=1)
    Match.objects.filter(pk=match.pk).update(deadline=past, wake_at=past, version=F("version") + 1)


def move_deadline_to_now(match: Match) -> None:
    """The deadline is here; everything else stays, the version too."""
    now = timezone.now()
    cache.evict(match.pk)
    Match.objects.filter(pk=match.pk).update(deadline=now, wake_at=now)


def let_time_run_out(match: Match) -> None:
    """The question that is open now lapses."""
    make_due(match)
    rooms.time_is_up(match.pk, load_snapshot(match.pk).state.clock).result()


def change_rules(monkeypatch: pytest.MonkeyPatch, slug: str, **functions: Any) -> None:
    """This game with some of its functions replaced, for the length of a test."""
    monkeypatch.setitem(GAMES, slug, altered(GAMES[slug], **functions))


def fail(*args: Any) -> Any:
    """A rule with a fault in it."""
    raise ZeroDivisionError


def play_out(room: Room) -> Match:
    """Two rolls; the second is announced as Mia, so that the match ends with it."""
    match = start_match(room)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="3,2")
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="2,1")
    match.refresh_from_db()
    assert match.ended_at is not None
    return match


@contextmanager
def ticking() -> Iterator[None]:
    """The clock of the house runs in here. What is set up before, it finds as it is."""
    running = Clock()
    running.start()
    try:
        yield
    finally:
        running.stop()


def go_out(match: Match, person: User) -> None:
    """In Mia with one life: this person announces too little and is out, or sees and is out.

    Everybody else who is asked meanwhile believes, and announces a little more.
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
    """All people are out of the running match, for the house; its rules know nothing of it."""
    match = Match.objects.get(room=room, ended_at=None)
    match.players.filter(bot="").update(out=True)
    Match.objects.filter(pk=match.pk).update(revision=F("revision") + 1)
