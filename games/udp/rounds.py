"""Rounds of Mia: kept in memory if only programs play, or played as matches with human players.

Both have the same interface: a seat moves or times out, and this step returns the public events.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from games.contract.core import Change, Event, Ignored, Refused
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine.reading import in_thread
from games.engine.snapshots import MatchSnapshot, load_snapshot, told_in
from games.mia.rules.state import MiaOptions, MiaState, MiaView, Moves
from games.models import Act
from games.registry import GAMES
from games.udp import commands, lines
from games.udp.standings import Played

MIA = GAMES["mia"]
LOOK_EVERY = 0.3
"""Seconds between two polls of a match that waits for a human player.

Polling is needed because a notification may be lost.
"""


class Round(Protocol):
    """A running round. `names` are in seat order. Every step returns the new public events."""

    names: tuple[str, ...]

    @property
    def state(self) -> MiaState:
        """The current state of the round."""

    @property
    def over(self) -> bool:
        """Whether the round has ended, with or without a loser."""

    def opening(self) -> list[Event]:
        """Return the public events at the start of the round."""

    async def move(self, seat: Seat, prompt: int, made: Moves) -> list[Event]:
        """Make a move for a program."""

    async def lapse(self, seat: Seat, prompt: int) -> list[Event]:
        """Time out a program."""

    async def others(self) -> list[Event]:
        """Wait until a player without datagrams has acted.

        Return the public events of the act.
        """


def dice_of(round_: Round, seat: Seat) -> str:
    """Return the dice under the cup, which only this seat sees."""
    view: MiaView = MIA.rules.view(round_.state, seat)
    assert view.dice is not None
    return view.dice


class AmongPrograms:
    """A round among programs, kept in memory."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.seed = secrets.token_bytes(32)
        self.transcript: list[str] = []
        self._acts = 0
        options = MiaOptions(scoring="points", rounds=1, on_fault="lose")
        self._change = MIA.rules.setup(len(names), options, self._luck())
        self._told = self._public(self._change)

    @property
    def state(self) -> MiaState:
        state: MiaState = self._change.state
        return state

    @property
    def over(self) -> bool:
        return self.state.phase == "over"

    def opening(self) -> list[Event]:
        return self._told

    async def move(self, seat: Seat, prompt: int, made: Moves) -> list[Event]:
        return self._step(MIA.rules.apply(self.state, seat, made, self._luck()))

    async def lapse(self, seat: Seat, prompt: int) -> list[Event]:
        return self._step(MIA.rules.lapse(self.state, self._luck()))

    async def others(self) -> list[Event]:
        raise AssertionError("a program's round has nobody else in it")

    def played(self, number: int) -> Played:
        """Return the finished round in the form in which it is stored."""
        state, names = self.state, self.names
        lost = state.lost
        return Played(
            number=number,
            order=[names[seat] for seat in state.order],
            losers=[names[seat] for seat in lost.usernames] if lost else (),
            reason=lost.reason if lost else "",
            transcript=self.transcript,
            seed=self.seed.hex(),
            points=dict(zip(names, state.points, strict=True)),
        )

    def _luck(self) -> Luck:
        self._acts += 1
        return Luck(self.seed, self._acts)

    def _step(self, change: Change[MiaState]) -> list[Event]:
        self._change = change
        return self._public(change)

    def _public(self, change: Change[MiaState]) -> list[Event]:
        events = [told.event for told in change.told if told.to is None]
        said = (lines.told(event, self.names) for event in events)
        self.transcript += [line for line in said if line is not None]
        return events


class WithPeople:
    """A round that includes human players: a match of the table, committed and shown act by act."""

    def __init__(self, match: MatchSnapshot, changed: asyncio.Event) -> None:
        self.names = match.names
        self._match, self._seen, self._changed = match, 0, changed
        self._told: list[Event] = []

    @classmethod
    async def begin(
        cls, room_id: int, number: int, programs: Sequence[str], changed: asyncio.Event
    ) -> WithPeople:
        """Start a round of these programs and of the players without datagrams.

        Raise Refused if there are too few players.
        """
        match_id = await commands.begin(room_id, number, programs)
        round_ = cls(await in_thread(load_snapshot, match_id), changed)
        round_._told = await round_._new_events()
        return round_

    @property
    def state(self) -> MiaState:
        state: MiaState = self._match.state  # type: ignore[assignment]
        return state

    @property
    def match_id(self) -> int:
        return int(self._match.row.pk)

    @property
    def over(self) -> bool:
        return self._match.over

    def opening(self) -> list[Event]:
        return self._told

    async def move(self, seat: Seat, prompt: int, made: Moves) -> list[Event]:
        with suppress(Ignored, Refused):
            await commands.act(self.match_id, seat, prompt, made)
        return await self._new_events()

    async def lapse(self, seat: Seat, prompt: int) -> list[Event]:
        with suppress(Ignored, Refused):
            await commands.time_out(self.match_id, seat, prompt)
        return await self._new_events()

    async def others(self) -> list[Event]:
        self._changed.clear()
        if events := await self._new_events():
            return events
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_EVERY):
                await self._changed.wait()
        return await self._new_events()

    async def _new_events(self) -> list[Event]:
        """Return the public events since the last call."""
        before = self._seen
        self._match = await in_thread(load_snapshot, self.match_id)
        self._seen = self._match.row.version
        return await in_thread(_told, self._match, before) if self._seen > before else []


def _told(match: MatchSnapshot, after: int) -> list[Event]:
    acts = Act.objects.filter(
        match=match.row, number__gt=after, number__lte=match.row.version
    ).order_by("number")
    return [told.event for act in acts for told in told_in(match.game, act.told) if told.to is None]
