"""The UDP table: receives datagrams and plays rounds continuously."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

from django.conf import settings

from games.contract.core import Event, Ignored, Refused
from games.engine import figures
from games.engine.reading import in_thread
from games.mia.rules.state import RoundStarted
from games.udp import commands, lines
from games.udp.allowance import LARGE, Endpoint
from games.udp.lines import Answer, Dialect, Register
from games.udp.listeners import Listener, Program
from games.udp.names import Names
from games.udp.prompts import Prompts
from games.udp.reception import Reception
from games.udp.rest import Rest
from games.udp.rounds import AmongPrograms, Round, WithPeople, dice_of
from games.udp.standings import Played

log = logging.getLogger(__name__)

REFRESH_EVERY = 2.0
SHOWN_EVERY = 0.5
DROP_NAMES_EVERY = 300.0
PAUSE = 5.0
"""Seconds for viewers to see the end of a round before the next one starts."""


class Table(asyncio.DatagramProtocol):
    """The protocol of the UDP table, with the state that it keeps between rounds."""

    def __init__(self, room_id: int, number: int, dialect: Dialect, pause: float) -> None:
        self.room_id, self.number, self.dialect, self.pause = room_id, number, dialect, pause
        self.names, self.prompts, self.rest = Names(), Prompts(), Rest()
        self.reception = Reception(self.names, dialect, self._send, self._came)
        self.seated: Sequence[commands.Seated] = ()
        self.changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.DatagramTransport | None = None
        self._dirty = True
        self._refreshed = self._shown = self._dropped_names_at = 0.0

    # Datagrams

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        endpoint: Endpoint = (str(addr[0]), int(addr[1]))
        name = self.names.heard(endpoint)
        found = lines.read(data, self.dialect)
        figures.datagrams.labels(_kind(found, name)).inc()
        match found:
            case Register(wanted, watch=True):
                self.reception.watch(wanted, endpoint)
            case Register(wanted):
                self.reception.register(wanted, endpoint)
            case Answer() as answer if name is not None:
                self.names.returned(name, answer.token)
                self.prompts.answer(name, answer)
            case _:
                pass

    def error_received(self, exc: Exception) -> None:
        """Ignore errors from closed ports, because silent endpoints are dropped after a while."""

    def on_notification(self, room_id: int, by_act: bool) -> None:
        """Handle the notification that a room has changed. Called in the writer's thread."""
        if room_id == self.room_id and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note_change)

    def _note_change(self) -> None:
        self._dirty = True
        self.changed.set()

    def _came(self, name: str) -> None:
        self.rest.came(name)
        self.changed.set()

    def _send(self, endpoint: Endpoint, line: str) -> None:
        """Send a reply to a registration."""
        data = line.encode()
        if self._transport is not None and self.names.may_get(endpoint, len(data)):
            self._transport.sendto(data, endpoint)

    def _send_to(self, name: str, line: str) -> None:
        program = self.names.programs.get(name)
        if program is not None:
            self._pass_on(program, line.encode())

    def _tell(self, line: str) -> None:
        """Send a line to all registered endpoints, whether or not they joined the round.

        Long messages go only to endpoints that answered in this round
        (docs/rules/mia.md rule 34a).
        """
        data = line.encode()
        for listener in self.names.audience():
            if len(data) < LARGE or listener.answered:
                self._pass_on(listener, data)

    def _pass_on(self, listener: Listener, data: bytes) -> None:
        if self._transport is not None and listener.may_get(len(data)):
            self._transport.sendto(data, listener.endpoint)

    # Rounds

    async def play_for(self, seconds: float) -> None:
        """Play rounds for about `seconds`."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self._refresh()
            if self.rest.left:
                await self._wait_for_somebody(self.rest.left)
            elif not self.names.invited() and len(self.seated) < 2:
                await self._wait_for_somebody(SHOWN_EVERY)
            else:
                await self._round()

    async def _wait_for_somebody(self, seconds: float) -> None:
        """Wait for players. No rounds are started meanwhile, so that round numbers do not rise."""
        self.changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, SHOWN_EVERY)):
                await self.changed.wait()

    async def _refresh(self) -> None:
        """Read the stored table after a notification, or every two seconds."""
        now = time.monotonic()
        if not self._dirty and now - self._refreshed < REFRESH_EVERY:
            return
        self._dirty, self._refreshed = False, now
        if moved := self.names.moved():
            await commands.note(moved)
        if now - self._dropped_names_at > DROP_NAMES_EVERY:
            self._dropped_names_at = now
            await commands.drop_unused_names()
        self.reception.newer.clear()
        found = await in_thread(commands.find, self.room_id)
        told = [row for row in found.names if row.name not in self.reception.coming]
        self.names.refresh(told, self.reception.newer)
        for one in set(found.seated) - set(self.seated):
            self.rest.came(one.name)
        self.seated = found.seated

    async def _round(self) -> None:
        """Play a round from the invitation to SCORE."""
        self.number += 1
        self.rest.begin()
        invited = self.names.invited()
        joined = await self._invite(invited)
        await self._play(joined)
        self.rest.after([*joined, *(one.name for one in self.seated)])
        self.names.round_ended([program.name for program in invited])

    async def _play(self, joined: Sequence[str]) -> None:
        """Play a round with the programs that have joined and the players without datagrams."""
        if not joined and not self.seated:
            self._tell(lines.round_canceled(self.dialect, 0))
            await commands.count(self.room_id, self.number)
        elif len(joined) + len(self.seated) == 1:
            await self._alone(joined[0] if joined else self.seated[0].name)
        elif self.seated:
            await self._with_people(joined)
        else:
            await self._among_programs(joined)

    async def _invite(self, invited: Sequence[Program]) -> list[str]:
        """Invite these programs. Return the names of those that join before the deadline."""
        joined: list[str] = []
        everybody = asyncio.Event()

        def join(name: str, answer: Answer) -> bool:
            if answer.fields != ("JOIN",):
                return False
            joined.append(name)
            if settings.MIA_EARLY_START and len(joined) == len(tokens):
                everybody.set()
            return True

        tokens = {
            program.name: self.prompts.put(program.name, partial(join, program.name))
            for program in invited
        }
        for name, token in tokens.items():
            self._give(name, token, lines.round_starting(self.dialect, self.number, token))
        if tokens:
            with suppress(TimeoutError):
                async with asyncio.timeout(_answer_time()):
                    await everybody.wait()
        self.prompts.withdraw(*tokens.values())
        return joined

    async def _alone(self, name: str) -> None:
        """Play a round with one player, who wins at once."""
        started = lines.round_started(self.dialect, self.number, [name])
        canceled = lines.round_canceled(self.dialect, 1)
        self._tell(started)
        self._tell(canceled)
        await self._write_down(Played(number=self.number, order=[name], points={name: 1}))

    async def _among_programs(self, joined: Sequence[str]) -> None:
        round_ = AmongPrograms(joined)
        await self._conduct(round_)
        await self._write_down(round_.played(self.number))

    async def _with_people(self, joined: Sequence[str]) -> None:
        try:
            round_ = await WithPeople.begin(self.room_id, self.number, joined, self.changed)
        except (Refused, Ignored):  # the human players have just left: play without them
            self._dirty, self.seated = True, ()
            await self._play(joined)
            return
        await self._conduct(round_)
        self._dirty = True
        await self._refresh()
        self._tell(lines.score(self.names.points()))
        await asyncio.sleep(self.pause)

    async def _conduct(self, round_: Round) -> None:
        """Ask each player in turn until the round is lost."""
        self._tell_events(round_, round_.opening())
        while not round_.over:
            state = round_.state
            seat, prompt = state.at, state.prompts[state.at]
            name = round_.names[seat]
            if name not in self.names.programs:
                self._tell_events(round_, await round_.others())
                continue
            answer = await self._ask(round_, name)
            if answer is None:
                told = await round_.lapse(seat, prompt)
            else:
                told = await round_.move(seat, prompt, lines.move_of(answer.fields, state.phase))
            self._tell_events(round_, told)

    def _give(self, name: str, token: str, line: str) -> None:
        """Send a prompt with its token. If the token comes back, the prompt has arrived."""
        self.names.gave(name, token)
        self._send_to(name, line)

    async def _ask(self, round_: Round, name: str) -> Answer | None:
        state = round_.state
        dice = dice_of(round_, state.at) if state.phase == "announce" else None

        def send(token: str) -> None:
            line = lines.your_turn(token) if dice is None else lines.rolled(dice, token)
            self._give(name, token, line)

        return await self.prompts.ask(name, send, _answer_time())

    def _tell_events(self, round_: Round, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, RoundStarted):
                order = [round_.names[seat] for seat in event.order]
                self._tell(lines.round_started(self.dialect, self.number, order))
            elif (line := lines.told(event, round_.names)) is not None:
                self._tell(line)

    async def _write_down(self, played: Played) -> None:
        """Store the round and its points, then send the score."""
        now = time.monotonic()
        shown = now - self._shown >= SHOWN_EVERY
        self._shown = now if shown else self._shown
        await commands.keep(self.room_id, played, shown)
        self.names.gain(played.points.items())
        self._tell(lines.score(self.names.points()))


def _answer_time() -> float:
    return float(settings.MIA_ANSWER_MS) / 1000


def _kind(found: object, name: str | None) -> str:
    """Return the label under which the metrics count a datagram."""
    match found:
        case Register():
            return "register"
        case Answer():
            return "answer" if name is not None else "stranger"
        case _:
            return "junk"
