"""The server: owns the port, listens to datagrams, plays round after round.

It runs in a thread with an event loop of its own, so that a page being drawn delays no bot.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections, connections

from games import hints
from games.rules.core import Event, Refused
from games.rules.mia.state import RoundStarted
from games.udp import doors, lines
from games.udp.lines import Answer, Dialect, Register
from games.udp.lock import lock
from games.udp.names import Endpoint, Names
from games.udp.prompts import Prompts
from games.udp.rounds import AmongPrograms, Round, WithPeople, dice_of
from games.udp.standings import Played

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # not on every system
    new_event_loop = asyncio.new_event_loop

log = logging.getLogger(__name__)

TRY_AGAIN = 2.0
REFRESH_EVERY = 2.0
SHOWN_EVERY = 0.5
FORGET_EVERY = 3600.0
PAUSE = 5.0
"""Seconds people have to look at the end of a round before the next one starts."""
MOST_REGISTERING = 50
BUFFER = 1 << 20


class UdpServer:
    """Runs until stopped; tries again and again to own the port."""

    def __init__(
        self, host: str, port: int, dialect: Dialect | None = None, pause: float = PAUSE
    ) -> None:
        self.host, self.port, self.pause = host, port, pause
        self.dialect: Dialect = dialect or settings.MIA_DIALECT
        self.listening = threading.Event()
        self._stopped = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="udp", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stops playing. A round that runs is void, as after a crash."""
        self._stopped.set()
        for _ in range(20):  # a wait that has just ended swallows a cancellation
            if self._loop is not None and self._task is not None:
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._task.cancel)
            self._thread.join(timeout=0.5)
            if not self._thread.is_alive():
                return

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            self._loop = runner.get_loop()
            with suppress(asyncio.CancelledError):
                runner.run(self._main())
        connections.close_all()

    async def _main(self) -> None:
        self._task = asyncio.current_task()
        said = ""
        while not self._stopped.is_set():
            mine = lock()
            if not await _in_thread(mine.acquire):
                said = _say_once(said, "Another process plays Mia over UDP; this one waits.")
                await asyncio.sleep(TRY_AGAIN)
                continue
            try:
                await self._own(mine)
            except OSError as error:
                said = _say_once(said, f"Mia over UDP has no port {self.port}: {error}")
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("Mia over UDP stumbled")
            finally:
                self.listening.clear()
                await asyncio.shield(_in_thread(mine.release))
            await asyncio.sleep(TRY_AGAIN)

    async def _own(self, mine: Any) -> None:
        """Binds the port and plays until the lock is lost."""
        loop = asyncio.get_running_loop()
        port = _bound(self.host, self.port)
        room_id, number = await doors.open_table()
        table = Table(room_id, number, self.dialect, self.pause)
        transport, _ = await loop.create_datagram_endpoint(lambda: table, sock=port)
        log.info("Mia over UDP at %s:%s", self.host, self.port)
        hints.listen(table.hint)
        self.listening.set()
        try:
            while await _in_thread(mine.held):
                await table.play_for(TRY_AGAIN)
        finally:
            hints.unlisten(table.hint)
            transport.close()


class Table(asyncio.DatagramProtocol):
    """The table as the owner of the port plays it."""

    def __init__(self, room_id: int, number: int, dialect: Dialect, pause: float) -> None:
        self.room_id, self.number, self.dialect, self.pause = room_id, number, dialect, pause
        self.names, self.prompts = Names(), Prompts()
        self.seated: Sequence[doors.Seated] = ()
        self.changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.DatagramTransport | None = None
        self._registering: dict[str, tuple[str, asyncio.Task[None]]] = {}
        """New names that are being written down: their address, and who does it."""
        self._newer: set[str] = set()
        self._dirty = True
        self._refreshed = self._shown = self._forgot = 0.0

    # Datagrams

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        endpoint: Endpoint = (str(addr[0]), int(addr[1]))
        name = self.names.heard(endpoint)
        match lines.read(data, self.dialect):
            case Register(wanted, watch=True):
                self._watch(wanted, endpoint)
            case Register(wanted):
                self._register(wanted, endpoint)
            case Answer() as answer:
                self.prompts.answer(name, answer)
            case None:
                pass

    def error_received(self, exc: Exception) -> None:
        """Somebody's port is closed; who is silent gets nothing after a while anyhow."""

    def hint(self, room_id: int) -> None:
        """From the writer's thread: a room has changed."""
        if room_id == self.room_id and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note_change)

    def _note_change(self) -> None:
        self._dirty = True
        self.changed.set()

    def _register(self, name: str | None, endpoint: Endpoint) -> None:
        if name is None or not lines.is_name(name):
            self._send(endpoint, lines.rejected(self.dialect, taken=False))
        elif self.names.is_taken(name, endpoint[0]):
            self._send(endpoint, lines.rejected(self.dialect, taken=True))
        elif name in self.names.programs:
            self._enter(name, endpoint)
        elif name in self._registering or len(self._registering) >= MOST_REGISTERING:
            pass
        elif self.names.has_room(endpoint[0], [one for one, _ in self._registering.values()]):
            task = self._loop.create_task(self._register_new(name, endpoint))
            self._registering[name] = (endpoint[0], task)
        else:
            self._send(endpoint, lines.rejected(self.dialect, taken=True))

    async def _register_new(self, name: str, endpoint: Endpoint) -> None:
        """A name is written down before it is confirmed."""
        fits = True
        try:
            await doors.register(name, *endpoint)
        except Refused:
            fits = False
        finally:
            del self._registering[name]
        if fits:
            self._newer.add(name)
            self._enter(name, endpoint)
        else:
            self._send(endpoint, lines.rejected(self.dialect, taken=True))

    def _enter(self, name: str, endpoint: Endpoint) -> None:
        self.names.enter(name, endpoint)
        self._send(endpoint, lines.registered())
        self.changed.set()

    def _watch(self, name: str | None, endpoint: Endpoint) -> None:
        if lines.is_name(name) and self.names.watch(endpoint):
            self._send(endpoint, lines.registered())
        else:
            self._send(endpoint, lines.rejected(self.dialect, taken=False))

    def _send(self, endpoint: Endpoint | None, line: str) -> None:
        if self._transport is not None and endpoint is not None:
            self._transport.sendto(line.encode(), endpoint)

    def _send_to(self, name: str, line: str) -> None:
        program = self.names.programs.get(name)
        if program is not None and program.active:
            self._send(program.endpoint, line)

    def _tell(self, line: str) -> None:
        """Says something to everybody who has registered, joined or not."""
        data = line.encode()
        assert self._transport is not None
        for endpoint in self.names.audience():
            self._transport.sendto(data, endpoint)

    # Rounds

    async def play_for(self, seconds: float) -> None:
        """Plays rounds for about so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self._refresh()
            if not self.names.active() and len(self.seated) < 2:
                await self._wait_for_somebody()
                continue
            await self._round()
            self.names.round_ended()

    async def _wait_for_somebody(self) -> None:
        """Nobody is there to play: the number stands still."""
        self.changed.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.changed.wait(), SHOWN_EVERY)

    async def _refresh(self) -> None:
        """Looks at what is kept, where a hint said so, or after two seconds."""
        now = time.monotonic()
        if not self._dirty and now - self._refreshed < REFRESH_EVERY:
            return
        self._dirty, self._refreshed = False, now
        if moved := self.names.moved():
            await doors.note(moved)
        if now - self._forgot > FORGET_EVERY:
            self._forgot = now
            await doors.forget()
        self._newer.clear()
        found = await _in_thread(doors.find, self.room_id)
        told = [row for row in found.names if row.name not in self._registering]
        self.names.refresh(told, self._newer)
        self.seated = found.seated

    async def _round(self) -> None:
        """One round from the invitation to SCORE."""
        self.number += 1
        joined = await self._invite()
        if not joined and not self.seated:
            self._tell(lines.round_canceled(self.dialect, 0))
            await doors.count(self.room_id, self.number)
        elif len(joined) + len(self.seated) == 1:
            await self._alone(joined[0] if joined else self.seated[0].name)
        elif self.seated:
            await self._with_people(joined)
        else:
            await self._among_programs(joined)

    async def _invite(self) -> list[str]:
        """Sends everybody an invitation; returns who has joined in time."""
        invited = self.names.active()
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
            self._send_to(name, lines.round_starting(self.dialect, self.number, token))
        if tokens:
            with suppress(TimeoutError):
                await asyncio.wait_for(everybody.wait(), _answer_time())
        self.prompts.withdraw(*tokens.values())
        return joined

    async def _alone(self, name: str) -> None:
        """A round of one: it is won at once."""
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
        except Refused:  # people have just left
            self._dirty = True
            self._tell(lines.round_canceled(self.dialect, 0))
            return
        await self._conduct(round_)
        self._dirty = True
        await self._refresh()
        self._tell(lines.score(self.names.points()))
        await asyncio.sleep(self.pause)

    async def _conduct(self, round_: Round) -> None:
        """Asks whoever is on turn until somebody has lost."""
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

    async def _ask(self, round_: Round, name: str) -> Answer | None:
        state = round_.state
        dice = dice_of(round_, state.at) if state.phase == "announce" else None

        def send(token: str) -> None:
            line = lines.your_turn(token) if dice is None else lines.rolled(dice, token)
            self._send_to(name, line)

        return await self.prompts.ask(name, send, _answer_time())

    def _tell_events(self, round_: Round, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, RoundStarted):
                order = [round_.names[seat] for seat in event.order]
                self._tell(lines.round_started(self.dialect, self.number, order))
            elif (line := lines.told(event, round_.names)) is not None:
                self._tell(line)

    async def _write_down(self, played: Played) -> None:
        """The round and its points are kept before anybody is told the score."""
        now = time.monotonic()
        shown = now - self._shown >= SHOWN_EVERY
        self._shown = now if shown else self._shown
        await doors.keep(self.room_id, played, shown)
        self.names.gain(played.points.items())
        self._tell(lines.score(self.names.points()))


def _bound(host: str, port: int) -> socket.socket:
    """A socket on this address, with room for a burst. Raises OSError."""
    family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    made = socket.socket(family, kind)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


def _answer_time() -> float:
    return float(settings.MIA_ANSWER_MS) / 1000


def _say_once(said: str, sentence: str) -> str:
    if said != sentence:
        log.warning(sentence)
    return sentence


async def _in_thread(function: Any, *args: Any) -> Any:
    def run() -> Any:
        close_old_connections()
        return function(*args)

    return await sync_to_async(run, thread_sensitive=False)()
