"""A client of the conformance kit: one WebSocket, with all packets in order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable
from typing import Any

import websockets

from conformance.wire_words import Json, may_be_absent, packet_differences

MOST_A_SECOND, AT_ONCE = 15.0, 25.0
"""Rate and burst of a well-behaved program. Servers disconnect faster programs."""


class Differs(Exception):
    """The server violates the contract. The message says how."""


class Program:
    """One connection. `frames` contains all received packets, and `said` the requests by id.

    GameDataChanged is stored in `frames` as the equivalent GameDataSync. `merged` counts these
    packets.
    """

    def __init__(self, url: str, name: str, patience: float, token: str | None = None) -> None:
        self.url, self.name, self.patience = url, name, patience
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.frames: list[Json] = []
        self.wrong: list[str] = []
        self.said: dict[Any, Json] = {}
        self.data: Json = {}
        self.syncs: list[Json] = []
        self.merged = 0
        self.entered: Json = {}
        self.code: int | None = None
        self.dice = random.Random(name)
        self._arrived = asyncio.Condition()
        self._left, self._at = AT_ONCE, time.monotonic()

    async def open(self) -> Program:
        """Connect. Raise Differs if no server responds."""
        try:
            self.socket = await websockets.connect(
                self.url, additional_headers=self.headers, max_size=None, open_timeout=self.patience
            )
        except (OSError, websockets.WebSocketException, TimeoutError) as error:
            raise Differs(f"{self.name} cannot connect: {error}") from None
        self.hearing = asyncio.create_task(self._hear())
        return self

    async def close(self) -> None:
        """Leave the room and close."""
        if self.code is None and self.data:
            self.said["goodbye"] = {"type": "LeaveGame"}
            await self.send("LeaveGame", id="goodbye")
            with contextlib.suppress(Differs):
                await self.until(lambda p: p.get("id") == "goodbye")
        await self.drop()

    async def drop(self) -> None:
        """Close without leaving the room."""
        await self.socket.close()
        await self.hearing

    async def send(self, type_: str, **fields: Any) -> None:
        """Send a packet. Keep to the rate that servers must accept."""
        await self._pace()
        await self.raw(json.dumps({"type": type_, **fields}))

    async def raw(self, frame: str | bytes) -> None:
        """Send any frame, at once."""
        try:
            await self.socket.send(frame)
        except websockets.ConnectionClosed:
            raise Differs(f"the connection of {self.name} was closed with {self.code}") from None

    async def ask(self, type_: str, **fields: Any) -> Json:
        """Send a packet with an id. Return the first response."""
        number, since = len(self.said) + 1, len(self.frames)
        self.said[number] = {"type": type_, **fields}
        await self.send(type_, id=number, **fields)
        return await self.until(lambda p: p.get("id") == number, f"an answer to {type_}", since)

    async def refused(self, code: str, type_: str, **fields: Any) -> Json:
        """Send a request that must fail with this code."""
        answer = await self.ask(type_, **fields)
        if answer["type"] != "ActionFailed" or answer.get("code") != code:
            raise Differs(f"{type_} {fields} was answered {brief(answer)} instead of {code!r}")
        return answer

    async def done(self, type_: str, **fields: Any) -> Json:
        """Send a request that must succeed."""
        answer = await self.ask(type_, **fields)
        if answer["type"] != "Done":
            raise Differs(f"{type_} {fields} was answered {brief(answer)} instead of Done")
        return answer

    async def until(
        self, wanted: Callable[[Json], bool] | str, what: str = "", since: int = 0
    ) -> Json:
        """Wait for the first wanted packet, starting at frame `since`. Raise Differs on timeout."""
        test = wanted if callable(wanted) else lambda p: p.get("type") == wanted
        at = since
        deadline = time.monotonic() + self.patience
        while True:
            for packet in self.frames[at:]:
                at += 1
                if test(packet):
                    return packet
            await self._more(at, deadline, what or str(wanted))

    async def settle(self, quiet: float = 0.25) -> None:
        """Wait until every request has a response and nothing has arrived for `quiet` seconds."""
        await self.ask("GameDataRequest" if self.data else "LeaveGame")
        seen = -1
        while seen != len(self.frames):
            seen = len(self.frames)
            await asyncio.sleep(quiet)

    async def closing(self) -> int | None:
        """Wait until the server closes the connection. Return the close code."""
        await asyncio.wait([self.hearing], timeout=self.patience)
        if not self.hearing.done():
            raise Differs(f"the connection of {self.name} was not closed")
        return self.code

    async def synced(self, test: Callable[[Json], bool], what: str) -> Json:
        """Wait until the newest sync passes the test."""
        deadline = time.monotonic() + self.patience
        while not (self.data and test(self.data)):
            await self._more(len(self.frames), deadline, what)
        return self.data

    def heard(self, type_: str, since: int = 0) -> list[Json]:
        """Return all packets of this type so far."""
        return [p for p in self.frames[since:] if p.get("type") == type_]

    async def _more(self, seen: int, deadline: float, what: str) -> None:
        async with self._arrived:
            if len(self.frames) > seen:
                return
            if self.code is not None:
                raise Differs(f"{self.name} was closed with {self.code} and did not get {what}")
            try:
                async with asyncio.timeout(deadline - time.monotonic()):
                    await self._arrived.wait()
            except TimeoutError:
                raise Differs(f"{self.name} did not get {what}") from None

    async def _hear(self) -> None:
        try:
            async for frame in self.socket:
                self._take(frame)
                async with self._arrived:
                    self._arrived.notify_all()
        except websockets.ConnectionClosed:
            pass
        self.code = self.socket.close_code or 1006
        async with self._arrived:
            self._arrived.notify_all()

    def _take(self, frame: str | bytes) -> None:
        try:
            packet = json.loads(frame)
            assert isinstance(packet, dict)
        except (ValueError, AssertionError):
            self.wrong.append(f"a frame is not a JSON object: {frame[:60]!r}")
            return
        game = self.data.get("game") if self.data else None
        if packet.get("type") == "GameDataChanged" and isinstance(packet.get("data"), dict):
            self.wrong += packet_differences(packet, game)
            packet = {"type": "GameDataSync", "data": _with_changes(self.data, packet["data"])}
            self.merged += 1
        self.frames.append(packet)
        if packet.get("type") in ("GameCreated", "GameJoined", "GameRejoined"):
            self.entered = {**self.entered, **packet}
        if packet.get("type") == "GameDataSync" and isinstance(packet.get("data"), dict):
            self.data = packet["data"]
            if "id" not in packet:
                self.syncs.append(self.data)
        game = self.data.get("game") if self.data else None
        self.wrong += packet_differences(packet, game)
        if packet.get("type") == "PlayerLeft" and packet.get("username") == self.data.get("you"):
            self.data = {}

    async def _pace(self) -> None:
        now = time.monotonic()
        self._left = min(AT_ONCE, self._left + (now - self._at) * MOST_A_SECOND)
        self._at = now
        self._left -= 1
        if self._left < 0:
            await asyncio.sleep(-self._left / MOST_A_SECOND)


def _with_changes(data: Json, changes: Json) -> Json:
    """Merge changes into the data of the last sync."""
    people = {entry["username"]: entry for entry in data.get("players", ())}
    people |= {entry["username"]: entry for entry in changes.get("players", ())}
    view = {**(data.get("view") or {}), **changes.get("view", {})}
    found = {**data, **changes, "players": list(people.values()), "view": view}
    return {name: of for name, of in found.items() if of is not None or not may_be_absent(name)}


def brief(packet: Json) -> str:
    """Return a packet as abbreviated JSON."""
    text = json.dumps(packet, ensure_ascii=False)
    return text if len(text) < 120 else text[:117] + "…"
