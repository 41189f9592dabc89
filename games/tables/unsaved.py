"""Matches whose rows are never saved: tables for the workbench and for replays of files.

They run no query, because everything that the serializers read is in these rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from accounts.models import User
from games.contract.core import Change, Move, Options, Outcome, Told, ranked
from games.contract.data import Seat, pack
from games.contract.game import AnyGame
from games.contract.luck import Draw, Luck, derived_nonce, drawn_after
from games.engine import time_source, timing
from games.engine.mixed import Mixed
from games.engine.snapshots import MatchSnapshot, luck_of, seed_of
from games.engine.told import ToldAct, told_act
from games.models import Act, Match, Member, Player, Room
from games.tables.table import Table

ROOM = "BENCH"


class Sitter(NamedTuple):
    """The occupant of a seat: a bot of this level, or a guest's program if there is no level."""

    name: str
    level: str = ""


class Logged(NamedTuple):
    """An act as the log would store it, with the game's own objects."""

    number: int
    kind: str
    by: str
    at: datetime
    seat: Seat | None
    prompt: int | None
    move: Move | None
    told: Sequence[Told]
    draws: Sequence[Draw]

    def row(self) -> Act:
        """Return the row that the log would store."""
        return Act(**pack(self._asdict() | {"at": None}) | {"at": self.at})


class UnsavedMatch:
    """A match that is played in memory. `log` has its acts so far, and `newest` is the last one as
    it is told.
    """

    match: MatchSnapshot
    """The match now. Its row is the same at all versions."""
    newest: ToldAct

    def __init__(
        self,
        game: AnyGame,
        options: Options,
        sitters: Sequence[Sitter],
        number: int,
        secret: bytes,
        nonces: Sequence[str] | None = None,
        mixed: Mixed | None = None,
    ) -> None:
        """Sit down and deal.

        `number` is the id of the match. Missing `nonces` are derived from the `secret`. `mixed` is
        what the seats added instead of nonces, if the luck has version 2.
        """
        now = time_source.now()
        nonces = nonces or [derived_nonce(secret, at) for at in range(len(sitters))]
        room = Room(
            pk=1,
            code=ROOM,
            game=game.slug,
            options=pack(options),
            secret=secret.hex(),
            status=Room.Status.PLAYING,
        )
        members = tuple(_member(room, at, one, now) for at, one in enumerate(sitters))
        room.host_id = next((m.user_id for m in members if m.user_id), None)
        row = Match(
            pk=number,
            room=room,
            game=game.slug,
            game_version=game.rules.version,
            options=room.options,
            secret=room.secret,
            nonces=nonces,
            nonces_derived=True,
            mixed=None if mixed is None else mixed.stored(),
            version=0,
            started_at=now,
        )
        players = tuple(
            Player(match=row, seat=at, user=m.user, name=m.name, bot=m.bot)
            for at, m in enumerate(members)
        )
        self.seed = seed_of(row)
        self.log: list[Logged] = []
        self.outcome: Outcome | None = None
        luck = luck_of(row, self.seed, 1, {})
        change = game.rules.setup(len(sitters), game.rules.stock(options, lambda name: None), luck)
        self.match = MatchSnapshot(row, players, game, options, change.state)
        self._table = Table(
            room, members, gone=(), match=self._match_shown(), chat=(), for_pages=False
        )
        self._not_shown: list[ToldAct] = []
        self._commit(change, Act.Kind.SETUP, Act.By.HAND, luck, asks=True)

    @property
    def table(self) -> Table:
        """The table now. Acts are added only when it is needed, because built-in bots need none."""
        if self._not_shown:
            table = self._table.advanced(self._match_shown(), *self._not_shown)
            assert table is not None
            self._table = table if self.outcome is None else _finished(table)
            self._not_shown = []
        return self._table

    def move(self, seat: Seat, move: Move, by: Act.By = Act.By.HAND) -> None:
        """Make a move of a seat. Raise Refused or Ignored if it is not legal."""
        match, luck = self.match, self.match.luck()
        change = match.game.rules.apply(match.state, seat, move, luck)
        self._commit(change, Act.Kind.MOVE, by, luck, seat, move)

    def lapse(self) -> None:
        """Apply a timeout."""
        match, luck = self.match, self.match.luck()
        self._commit(match.game.rules.lapse(match.state, luck), Act.Kind.LAPSE, Act.By.CLOCK, luck)

    def leave(self, seat: Seat) -> None:
        """Let a player leave."""
        match, luck = self.match, self.match.luck()
        change = match.game.rules.leave(match.state, seat, luck)
        self._commit(change, Act.Kind.LEAVE, Act.By.HAND, luck, seat)

    def stay(self, kind: Act.Kind, seat: Seat | None = None) -> None:
        """Log an act that changes nothing in the game."""
        change: Change[Any] = Change(self.match.state, ())
        self._commit(change, kind, Act.By.HAND, self.match.luck(), seat)

    def _commit(
        self,
        change: Change[Any],
        kind: Act.Kind,
        by: Act.By,
        luck: Luck,
        seat: Seat | None = None,
        move: Move | None = None,
        asks: bool = False,
    ) -> None:
        now, before = time_source.now(), self.match
        row, game, state = before.row, before.game, change.state
        row.version += 1
        if row.mixed is not None:
            row.drawn = drawn_after(row.drawn or {}, luck.draws)
        self.outcome = game.rules.outcome(state)
        if self.outcome is not None:
            row.deadline, row.outcome, row.ended_at = None, pack(self.outcome), now
        elif asks or state.clock != before.state.clock:
            seconds = timing.lasts(game, state, before.pace)
            row.deadline = None if seconds is None else now + timedelta(seconds=seconds)
        prompt = None if seat is None or move is None else before.state.prompts[seat]
        told = tuple(change.told)
        self.log.append(
            Logged(row.version, kind, by, now, seat, prompt, move, told, tuple(luck.draws))
        )
        self.match = before.then(row, self._players(before, state), state)
        self.newest = told_act(self.match, row.version, kind, told, seat)
        self._not_shown.append(self.newest)

    def _match_shown(self) -> MatchSnapshot:
        """Return the match now, with a row of its own."""
        match = self.match
        return match.then(copy(match.row), match.players, match.state)

    def _players(self, before: MatchSnapshot, state: Any) -> tuple[Player, ...]:
        """Return the players with their places, once the match is over, and who is out."""
        out = set(before.game.rules.out(state))
        places = {} if self.outcome is None else _places(self.outcome)
        if not places and out == {player.seat for player in before.players if player.out}:
            return before.players
        players = tuple(map(copy, before.players))
        for player in players:
            player.out, player.place = player.seat in out, places.get(player.seat)
            if self.outcome is not None and self.outcome.points is not None:
                player.points = self.outcome.points[Seat(player.seat)]
        return players


def _member(room: Room, at: int, sitter: Sitter, now: datetime) -> Member:
    name = sitter.name
    user = None if sitter.level else User(pk=at + 1, username=name, name=name, is_guest=True)
    joined = now + timedelta(milliseconds=at)
    return Member(pk=at + 1, room=room, user=user, name=name, bot=sitter.level, joined_at=joined)


def _places(outcome: Outcome) -> dict[int, int]:
    return {seat: place for place, group in ranked(outcome.places) for seat in group}


def _finished(table: Table) -> Table:
    room = copy(table.room)
    room.status = Room.Status.FINISHED
    return replace(table, room=room)
