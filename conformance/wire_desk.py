"""What a check works with: programs that are put away afterwards, and a list of what differed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from conformance.wire_program import Differs, Program, brief
from conformance.wire_words import Json

GAME = "mia"
"""The game the rules of conversation are tried in: it has the fewest moves."""


@dataclass
class Desk:
    """One check's place. `token` is that of a registered user named `user`, where one is given."""

    url: str
    patience: float
    token: str | None = None
    programs: list[Program] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    welcome: Json = field(default_factory=dict)

    async def program(self, name: str = "ann", token: str | None = None) -> Program:
        """A new connection; its first packet is read."""
        program = await Program(self.url, name, self.patience, token).open()
        self.programs.append(program)
        self.welcome = await program.until("Welcome")
        return program

    async def host(self, game: str = GAME, name: str = "ann", **fields: Any) -> Program:
        """A program with a room of its own. `unlisted`, so that nobody strays in."""
        program = await self.program(name)
        fields = {"visibility": "unlisted", **fields}
        answer = await program.ask("HostGame", game=game, username=name, **fields)
        if answer["type"] != "GameCreated":
            raise Differs(f"HostGame was answered {brief(answer)} instead of GameCreated")
        await program.until("GameDataSync")
        return program

    async def guest(self, host: Program, name: str, **fields: Any) -> Program:
        """A program that has joined the host's room."""
        program = await self.program(name)
        answer = await program.ask("JoinGame", room=host.entered["room"], username=name, **fields)
        if answer["type"] != "GameJoined":
            raise Differs(f"JoinGame was answered {brief(answer)} instead of GameJoined")
        await program.until("GameDataSync")
        return program

    async def pair(self, **fields: Any) -> tuple[Program, Program]:
        """A host, and a guest of his."""
        host = await self.host(**fields)
        return host, await self.guest(host, "bob")

    async def started(self, **fields: Any) -> tuple[Program, Program]:
        """A match of two: who is on turn first, then the other."""
        host, guest = await self.pair(**fields)
        await begin(host, guest)
        return (host, guest) if host.data["turn"] == host.data["you"] else (guest, host)

    def expect(self, holds: bool, sentence: str) -> None:
        """Note what differs, and go on."""
        if not holds:
            self.found.append(sentence)

    async def rejected(self, room: str, reason: str, **fields: Any) -> Program:
        """Joining has to be rejected for this reason; the program goes on."""
        program = await self.program("eve")
        fields = {"username": "eve", **fields}
        answer = await program.ask("JoinGame", room=room, **fields)
        is_right = answer["type"] == "PlayerJoinRejected" and answer.get("reason") == reason
        self.expect(is_right, f"JoinGame {fields} was answered {brief(answer)}, not {reason}")
        return program

    async def put_away(self) -> None:
        """Close every program; what was wrong with its frames is noted."""
        await asyncio.gather(*(p.close() for p in self.programs), return_exceptions=True)
        for program in self.programs:
            self.found += dict.fromkeys(program.wrong)


Check = Callable[[Desk], Awaitable[None]]
CHECKS: dict[str, tuple[str, Check]] = {}


def check(sentence: str) -> Callable[[Check], Check]:
    """Put a function into `CHECKS` under its own name; the sentence says what has to hold."""

    def register(function: Check) -> Check:
        CHECKS[function.__name__.replace("_", "-").strip("-")] = (sentence, function)
        return function

    return register


async def begin(host: Program, *others: Program) -> None:
    """The host starts the match, and everybody has seen it."""
    last = host.data.get("matchId")
    await host.done("StartGame")
    for program in (host, *others):
        await program.synced(
            lambda d: d["status"] != "open" and d["matchId"] != last, "a sync of the match"
        )
