"""Count the costs of a running match that are equal on any machine: statements, frames, bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread
from typing import Any, TypeVar

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from games import rooms
from games.contract.choices import random_move
from games.contract.core import Offer
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine import matches, writer
from games.engine.committing import Job
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.models import Act, Match, Room
from games.pages import templating
from games.pages.region import Region
from games.registry import GAMES
from games.sockets.room_socket import RoomConsumer
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import wire_packet

R = TypeVar("R")

VIEWERS = 10


class Statements(list[str]):
    """Every SQL statement sent, by any thread."""

    def of(self, start: str) -> list[str]:
        """Return the statements that begin like this."""
        return [sql for sql in self if sql.startswith(start)]


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    """Record every statement inside the block."""
    found, execute = Statements(), CursorWrapper.execute
    set_autocommit = BaseDatabaseWrapper.set_autocommit

    def noting(self: Any, sql: str, params: Any = None) -> Any:
        found.append(sql.replace('"', ""))
        return execute(self, sql, params)

    def noting_begin(self: Any, autocommit: bool, *args: Any, **options: Any) -> None:
        if not autocommit and self.vendor != "sqlite":  # SQLite begins with a statement
            found.append("BEGIN")
        set_autocommit(self, autocommit, *args, **options)

    with monkeypatch.context() as patched:
        patched.setattr(CursorWrapper, "execute", noting)
        patched.setattr(BaseDatabaseWrapper, "set_autocommit", noting_begin)
        yield found


@contextmanager
def jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Record the statements of each job of the writer inside the block, and the queries that other
    threads make meanwhile.

    Several jobs may share a transaction, and other threads may write, too.
    """
    found: list[list[str]] = [[]]
    execute = CursorWrapper.execute

    def noting(self: Any, sql: str, params: Any = None) -> Any:
        if sql.startswith("SELECT") or current_thread().name == "writer":
            found[-1].append(sql.replace('"', ""))
        return execute(self, sql, params)

    class Noted(Job[R]):
        def __init__(self, run: Callable[[], R], *given: Any) -> None:
            def begin() -> R:
                found.append([])
                return run()

            super().__init__(begin, *given)

    with monkeypatch.context() as patched:
        patched.setattr(CursorWrapper, "execute", noting)
        patched.setattr(writer, "Job", Noted)
        yield found


@contextmanager
def drawings(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Record the name of every Parlour template rendered inside the block."""
    found: list[str] = []
    given = templating.given

    def noting(table: Table, region: Region, language: str) -> dict[str, Any]:
        template = templating.game_template(table.game.slug, region.template, language)
        found.append(str(template.name))
        return given(table, region, language)

    with monkeypatch.context() as patched:
        patched.setattr(templating, "given", noting)
        yield found


class Audience:
    """Ten members of a table, each with a page or a program. The frames sent to each are counted.

    They receive the frames that a hub would send, act by act, without sockets.
    """

    def __init__(self, game: str, kind: type[RoomConsumer], **options: Any) -> None:
        seats = min(GAMES[game].seats[1], 6)
        self.people = [PersonFactory(name=f"Viewer {at}") for at in range(VIEWERS)]
        self.room = open_table(*self.people, game=game, pace="none", idleKick=0, **options)
        Room.objects.filter(pk=self.room.pk).update(secret="ab" * 32)  # always the same match
        for watcher in self.people[seats:]:
            rooms.set_spectating(self.room.pk, watcher.pk, True).result()
        self.match = start_match(self.room)
        self.frames: list[str] = []
        self.sockets = [self._socket(kind, person.pk) for person in self.people]
        self.shown = load(self.room.pk, with_story=True)
        memory.put(self.shown, memory.ticket())
        for socket in self.sockets:
            socket.show(None, self.shown, {})
        self.frames.clear()
        self.dice = Luck(b"audience", 1)

    def move(self) -> bool:
        """Make a random move and show it to all. Return False if the match is over."""
        seen = load_snapshot(self.match.pk)
        if seen.over:
            return False
        asked = [Seat(at) for at in range(len(seen.players)) if gentle(seen, Seat(at))]
        seat = self.dice.pick("who", asked)
        made = random_move(seen.game.rules.moves, gentle(seen, seat), self.dice)
        prompt, user_id = seen.state.prompts[seat], seen.players[seat].user_id
        matches.move(self.room.pk, user_id, wire_packet(made, seen.names), prompt).result()
        return True

    def show(self) -> bool:
        """Show the newest act to everybody. Return False if the table had to be loaded again."""
        held = memory.get(self.room.pk)
        now = held.since(self.shown) if isinstance(held, Table) else None
        at_hand = now is not None
        now = now or load(self.room.pk, self.shown)
        memory.put(now, memory.ticket())
        memo: dict[Any, Any] = {}
        for socket in self.sockets:
            socket.show(self.shown, now, memo)
        self.shown = now
        return at_hand

    def lengthen(self, acts: int) -> None:
        """Pretend the match has this many acts, without telling anybody, and reload everything."""
        row = Match.objects.get(pk=self.match.pk)
        numbers = range(row.version + 1, acts + 1)
        Act.objects.bulk_create(
            Act(match=row, number=number, kind=Act.Kind.LAPSE) for number in numbers
        )
        Match.objects.filter(pk=row.pk).update(version=acts)
        memory.evict(self.room.pk)
        self.shown = load(self.room.pk)
        memory.put(self.shown, memory.ticket())

    def _socket(self, kind: type[RoomConsumer], user_id: int) -> Any:
        socket: Any = kind()
        socket.user_id, socket.room_id = user_id, self.room.pk
        socket.put = lambda *frames: self.frames.extend(frames)
        socket.put_update = self.frames.extend
        return socket


def gentle(seen: MatchSnapshot, seat: Seat) -> Sequence[Offer]:
    """Return this seat's offers. Leave out risky offers if there are others."""
    offers = seen.game.rules.offers(seen.state, seat)
    return [offer for offer in offers if not offer.risky] or offers
