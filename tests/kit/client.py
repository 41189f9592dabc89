"""A test program that talks to the real application and reads packets until a condition holds.

Every frame it receives, and every packet that is accepted, must be in the published vocabulary.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async

from accounts import tokens
from accounts.models import User
from config.asgi import application
from games.contract.luck import Luck
from games.models import Room
from tests.kit.page_socket import Connection
from tests.kit.sent import with_changes
from tests.kit.vocabulary import check_accepted, check_sent

Json = dict[str, Any]
QUICK: dict[str, Json] = {
    "chamber": {"startLives": 2, "maxRounds": 4},
    "cards": {"pointsToWin": 2, "maxRounds": 3},
    "mia": {"lives": 1},
    "coup": {"startCoins": 6},
}
"""Options that make matches short, by game."""


class Program:
    """One connection to /api/ws/.

    `packets` holds all received packets, in order. `game` is the game of the current room, once it
    is known.
    """

    def __init__(self, headers: dict[str, str] | None = None, seed: int = 1) -> None:
        given = [(k.encode(), v.encode()) for k, v in (headers or {}).items()]
        self.socket = Connection(application, "/api/ws/", headers=given)
        self.packets: list[Json] = []
        self.data: Json = {}
        self.game: str | None = None
        self.dice = Luck(f"program {seed}".encode(), 1)
        self.number = 0
        self.closed: int | None = None

    async def __aenter__(self) -> Program:
        connected, _ = await self.socket.connect()
        assert connected
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect()

    async def send(self, type_: str, **fields: Any) -> None:
        """Send a valid packet. Use `raw` or `ask` for invalid ones."""
        packet = {"type": type_, **fields}
        check_accepted(packet, self.game)
        await self.raw(json.dumps(packet))

    async def raw(self, text: str) -> None:
        await self.socket.send_to(text_data=text)

    async def ask(self, type_: str, **fields: Any) -> Json:
        """Send a packet with an id and return its one answer."""
        self.number += 1
        number = self.number
        packet = {"type": type_, "id": number, **fields}
        await self.raw(json.dumps(packet))
        answer = await self.until(lambda p: p.get("id") == number)
        if answer["type"] != "ActionFailed":
            check_accepted(packet, self.game)
        return answer

    async def until(self, wanted: Callable[[Json], bool] | str) -> Json:
        """Read until a packet of this type, or one that satisfies this predicate."""
        kind = wanted
        test = wanted if callable(wanted) else lambda p: p["type"] == kind
        while True:
            packet = await self.read()
            if test(packet):
                return packet

    async def read(self) -> Json:
        output = await self.socket.receive_output()
        if output["type"] == "websocket.close":
            self.closed = output.get("code")
            raise ConnectionError(f"closed with {self.closed}")
        packet: Json = json.loads(output["text"])
        self._note_game(packet)
        check_sent(packet, self.game)
        packet = with_changes(packet, self.data)
        self.packets.append(packet)
        if packet["type"] == "GameDataSync":
            self.data = packet["data"]
        return packet

    async def quiet(self, seconds: float = 0.2) -> bool:
        """Return whether nothing arrives for a while."""
        return bool(await self.socket.receive_nothing(timeout=seconds))

    async def had(self, kind: str) -> Json:
        """Return the first packet of this type, already read or still to come."""
        known = next((p for p in self.packets if p["type"] == kind), None)
        return known or await self.until(kind)

    async def closing(self) -> int | None:
        """Read until the server closes the connection and return the close code."""
        try:
            while True:
                await self.read()
        except ConnectionError:
            return self.closed

    async def host(self, game: str = "mia", name: str = "ann", **fields: Any) -> Json:
        created = await self.ask("HostGame", game=game, username=name, **fields)
        assert created["type"] == "GameCreated", created
        await self.until("GameDataSync")
        return created

    async def join(self, room: str, name: str, **fields: Any) -> Json:
        joined = await self.ask("JoinGame", room=room, username=name, **fields)
        if joined["type"] != "PlayerJoinRejected":
            await self.until("GameDataSync")
        return joined

    async def play(self) -> None:
        """Play until the match is over, choosing from the offers alone.

        A sync that was sent before an answer arrived still contains its question. So it is not
        answered again before the sync after that answer.
        """
        await self.until_synced()
        while (data := self.data)["status"] == "playing":
            offers = [o for o in data["offers"] if not o["risky"]] or data["offers"]
            if offers:
                offer = self.dice.pick("offer", offers)
                args = {name: self._choose(of) for name, of in offer["args"].items()}
                answer = await self.ask(offer["move"], prompt=data["prompt"], **args)
                while self.data["version"] < answer.get("version", 0):
                    await self.until("GameDataSync")
            if self.data is data:
                await self.until("GameDataSync")

    async def until_synced(self) -> None:
        while not self.data or self.data["status"] == "open":
            await self.until("GameDataSync")

    def _note_game(self, packet: Json) -> None:
        """Note the game of the room. It is unknown until the first sync."""
        if packet["type"] in ("GameCreated", "GameJoined", "GameRejoined"):
            self.game = None
        if packet["type"] == "GameDataSync":
            self.game = packet["data"]["game"]

    def kinds(self) -> list[str]:
        return [packet["type"] for packet in self.packets]

    def _choose(self, choices: Json) -> Any:
        if "oneOf" in choices:
            return self.dice.pick("one", choices["oneOf"])
        size = choices["least"] + self.dice.draw("n", choices["most"] - choices["least"] + 1)
        return list(self.dice.shuffled("some", choices["some"])[:size])


async def seated(*programs: Program, game: str = "mia", **fields: Any) -> str:
    """Seat these programs at one table, the first as its host, and return the code."""
    host, *others = programs
    created = await host.host(game, "p0", **fields)
    for at, other in enumerate(others, 1):
        await other.join(created["room"], f"p{at}")
    room: str = created["room"]
    return room


async def together(*plays: Any) -> None:
    await asyncio.wait_for(asyncio.gather(*plays), 120)


async def started(*programs: Program, **fields: Any) -> str:
    room = await seated(*programs, **fields)
    assert (await programs[0].ask("StartGame"))["type"] == "Done"
    for program in programs:
        while not program.data or program.data["status"] != "playing":
            await program.until("GameDataSync")
    return room


def on_turn(*programs: Program) -> Program:
    return next(p for p in programs if p.data["you"] == p.data["turn"])


async def silent(program: Program) -> None:
    """Read pending packets until nothing more arrives.

    An answer may overtake a broadcast. So this first sends a request that is answered once this
    process has shown the room as stored. Its answer is not kept in `packets`.
    """
    if program.game is not None:
        await program.ask("GameDataRequest")
        program.packets.pop()
    while not await program.quiet():
        await program.read()


async def program_of(person: User, room: Room | None) -> Program:
    """Return this user's program, in the room if one is given."""
    token = await sync_to_async(tokens.make)(person)
    program = Program({"authorization": f"Bearer {token}"})
    await program.__aenter__()
    if room is not None:
        answer = await program.ask("JoinGame", room=room.code)
        assert answer["type"] == "GameRejoined", answer
    return program


def answer_of(packet: Json) -> str:
    return str(packet.get("code") or packet["type"])
