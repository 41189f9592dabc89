"""Programs that play without pauses, reconnect by themselves, and record the answers they get."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]

BETWEEN_TRIES = 0.2
SILENCE = 20.0
"""Seconds without a packet after which a program checks the connection."""


@dataclass(frozen=True)
class Acknowledged:
    """A move that the server has acknowledged."""

    match: int
    version: int
    prompt: int
    username: str


@dataclass
class Account:
    """Everything that the programs have seen so far."""

    acknowledged: set[Acknowledged] = field(default_factory=set)
    violations: list[str] = field(default_factory=list)
    finished: set[int] = field(default_factory=set)
    refused: dict[str, int] = field(default_factory=dict)
    connections: int = 0
    slowest: float = 0.0
    """Slowest answer to a move since this was last reset to 0, in seconds."""


@dataclass(frozen=True)
class Setting:
    """A kind of table: its game, numbers of programs and bots, options."""

    game: str
    programs: int
    bots: int
    options: Json


SETTINGS = (
    Setting("mia", 2, 2, {"lives": 3}),
    Setting("coup", 2, 2, {}),
    Setting("chamber", 2, 1, {}),
    Setting("secret_hitler", 2, 3, {}),
    Setting("cards", 2, 2, {"pointsToWin": 3}),
)


class Program:
    """One seat: connects to any of the servers, plays from offers, reconnects with its token."""

    def __init__(self, table: PlayedTable, number: int) -> None:
        self.table, self.name = table, f"p{number}"
        self.dice = random.Random(f"{table.seed}/{number}")
        self.token: str | None = None
        self.data: Json = {}
        self.asked: dict[int, tuple[int, int]] = {}
        self.asked_at = 0.0
        self.number = 0
        self.newest: tuple[int, int] = (0, 0)
        """The latest (match, version) on this connection."""

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, EOFError):
                async with connect(self.table.url(), max_size=None, open_timeout=10) as socket:
                    self.table.account.connections += 1
                    await self._talk(socket)
            await asyncio.sleep(BETWEEN_TRIES * (1 + self.dice.random()))

    async def _talk(self, socket: ClientConnection) -> None:
        self.newest, self.asked, self.socket = (0, 0), {}, socket
        if not await self._enter():
            return
        while True:
            try:
                async with asyncio.timeout(SILENCE):  # `wait_for` may lose a cancellation
                    text = await socket.recv()
            except TimeoutError:
                await self._send("GameDataRequest")
                continue
            await self._take(json.loads(text))

    async def _enter(self) -> bool:
        """Join or rejoin. Return False if that is not possible now."""
        if self.token is not None:
            await self._send("JoinGame", room=self.table.code, token=self.token)
        elif self.table.code:
            await self._send("JoinGame", room=self.table.code, username=self.name)
        elif self.name == "p0":
            setting = self.table.setting
            options = {"idleKick": 0, **setting.options}
            await self._send("HostGame", game=setting.game, username=self.name, options=options)
        else:
            return False
        return True

    async def _take(self, packet: Json) -> None:
        kind = packet["type"]
        self._check_order(packet)
        if kind in ("GameCreated", "GameJoined", "GameRejoined"):
            self.token = packet.get("token") or self.token
            self.table.code = packet["room"]
        elif kind == "PlayerJoinRejected" and packet["reason"] != "RoomFull":
            self.table.account.violations.append(f"{self.name} was rejected: {packet}")
        elif kind == "Done" and packet.get("id") in self.asked:
            match, prompt = self.asked.pop(packet["id"])
            took = time.monotonic() - self.asked_at
            self.table.account.slowest = max(self.table.account.slowest, took)
            done = Acknowledged(match, packet["version"], prompt, self.data["you"])
            self.table.account.acknowledged.add(done)
            await self._go_on()  # the sync may already have come before the answer
        elif kind == "ActionFailed":
            await self._failed(packet)
        elif kind == "GameEnd":
            self.table.account.finished.add(self.data["matchId"])
        elif kind == "GameDataSync":
            self.data = packet["data"]
            await self._go_on()

    async def _failed(self, packet: Json) -> None:
        refused = self.table.account.refused
        refused[packet["code"]] = refused.get(packet["code"], 0) + 1
        if packet["code"] == "busy":
            await asyncio.sleep(BETWEEN_TRIES)
        if self.asked.pop(packet.get("id"), None):
            await self._send("GameDataRequest")

    def _check_order(self, packet: Json) -> None:
        """Check that versions never decrease within one connection and match."""
        version = packet.get("version")
        if packet["type"] == "GameDataSync":
            match, version = packet["data"]["matchId"] or 0, packet["data"]["version"] or 0
        elif packet["type"] == "GameStarted":
            match = packet["matchId"]
        else:
            return
        if (match, version) < self.newest:
            said = f"{self.name}: {packet['type']} {match}/{version} after {self.newest}"
            self.table.account.violations.append(said)
        self.newest = (match, version)

    async def _go_on(self) -> None:
        data = self.data
        me = next((p for p in data["players"] if p["username"] == data["you"]), None)
        if me is None:
            return
        if data["status"] == "playing":
            await self._move()
        elif me["isSpectator"]:
            await self._send("SetSpectating", spectating=False)
        elif data["gameHost"] == data["you"]:
            await self._start()

    async def _start(self) -> None:
        """As the host, fill the table with bots and start the next match."""
        setting, players = self.table.setting, self.data["players"]
        bots = sum(p["isBot"] for p in players)
        here = sum(p["connected"] and not p["isSpectator"] and not p["isBot"] for p in players)
        if here < setting.programs:
            return
        for _ in range(setting.bots - bots):
            await self._send("AddBot")
        if bots >= setting.bots:
            await self._send("StartGame")

    async def _move(self) -> None:
        offers = [o for o in self.data["offers"] if not o["risky"]] or self.data["offers"]
        if not offers or any(m == self.data["matchId"] for m, _ in self.asked.values()):
            return
        offer = self.dice.choice(offers)
        args = {name: self._choose(of) for name, of in offer["args"].items()}
        prompt = self.data["prompt"]
        self.asked_at = time.monotonic()
        self.asked[self.number + 1] = (self.data["matchId"], prompt)
        await self._send(offer["move"], prompt=prompt, **args)

    def _choose(self, argument: Json) -> Any:
        if "oneOf" in argument:
            return self.dice.choice(argument["oneOf"])
        count = self.dice.randint(argument["least"], argument["most"])
        return self.dice.sample(argument["some"], count)

    async def _send(self, kind: str, **fields: Any) -> None:
        self.number += 1
        await self.socket.send(json.dumps({"type": kind, "id": self.number, **fields}))


class PlayedTable:
    """A table at which programs keep playing."""

    def __init__(self, setting: Setting, seed: int, account: Account, url: Callable[[], str]):
        self.setting, self.seed, self.account, self.url = setting, seed, account, url
        self.code = ""
        self.programs = [Program(self, number) for number in range(setting.programs)]

    def progress(self) -> tuple[int, int]:
        """Return the newest (match, version) shown to any of its programs."""
        shown = [(p.data.get("matchId") or 0, p.data.get("version") or 0) for p in self.programs]
        return max(shown)


class Load:
    """Tables in play until the load is closed."""

    def __init__(self, urls: Sequence[Callable[[], str]], tables: int, seed: int = 1) -> None:
        """`urls`: one for the programs of each table, in rotation."""
        self.account = Account()
        self.tables = [
            PlayedTable(SETTINGS[at % len(SETTINGS)], seed + at, self.account, urls[at % len(urls)])
            for at in range(tables)
        ]
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Load:
        programs = [program for table in self.tables for program in table.programs]
        self._tasks = [asyncio.create_task(program.run()) for program in programs]
        return self

    async def __aexit__(self, *_error: object) -> None:
        waiting = set(self._tasks)
        while waiting:
            for task in waiting:
                task.cancel()
            _, waiting = await asyncio.wait(waiting, timeout=1)
        ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        for error in ended:
            if error is not None and not isinstance(error, asyncio.CancelledError):
                raise error

    async def everybody_goes_on(self, within: float) -> Sequence[str]:
        """Wait until every table has made a move. Return the codes of tables that were too slow."""
        before = {table: table.progress() for table in self.tables}
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        while loop.time() < until:
            for task in self._tasks:
                if task.done():
                    task.result()
            before = {t: was for t, was in before.items() if t.progress() <= was}
            if not before:
                return ()
            await asyncio.sleep(0.05)
        return [f"{table.setting.game} {table.code}" for table in before]
