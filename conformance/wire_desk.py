"""The working environment of a check. It collects differences, and closes programs at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.wire_luck import reveal
from conformance.wire_program import Differs, Program, brief
from conformance.wire_words import Json

GAME = "mia"
"""The game used to check the conversation. It has the fewest moves."""


@dataclass
class Desk:
    """The environment of one check. `token` is the token of a registered user, if given."""

    url: str
    patience: float
    token: str | None = None
    programs: list[Program] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    welcome: Json = field(default_factory=dict)

    async def program(self, name: str = "ann", token: str | None = None) -> Program:
        """Open a new connection and read its first packet."""
        program = await Program(self.url, name, self.patience, token).open()
        self.programs.append(program)
        self.welcome = await program.until("Welcome")
        return program

    async def host(self, game: str = GAME, name: str = "ann", **fields: Any) -> Program:
        """Return a program with its own room.

        The room is unlisted, so that strangers do not join.
        """
        program = await self.program(name)
        fields = {"visibility": "unlisted", **fields}
        answer = await program.ask("HostGame", game=game, username=name, **fields)
        if answer["type"] != "GameCreated":
            raise Differs(f"HostGame was answered {brief(answer)} instead of GameCreated")
        await program.until("GameDataSync")
        return program

    async def guest(self, host: Program, name: str, **fields: Any) -> Program:
        """Return a program that has joined the host's room."""
        program = await self.program(name)
        answer = await program.ask("JoinGame", room=host.entered["room"], username=name, **fields)
        if answer["type"] != "GameJoined":
            raise Differs(f"JoinGame was answered {brief(answer)} instead of GameJoined")
        await program.until("GameDataSync")
        return program

    async def pair(self, **fields: Any) -> tuple[Program, Program]:
        """Return a host and a guest in the same room."""
        host = await self.host(**fields)
        return host, await self.guest(host, "bob")

    async def started(self, **fields: Any) -> tuple[Program, Program]:
        """Start a two-player match. Return the program whose turn it is, then the other program."""
        host, guest = await self.pair(**fields)
        await begin(host, guest)
        return (host, guest) if host.data["turn"] == host.data["you"] else (guest, host)

    def expect(self, holds: bool, sentence: str) -> None:
        """Record a difference unless `holds`, and continue."""
        if not holds:
            self.found.append(sentence)

    async def rejected(self, room: str, reason: str, **fields: Any) -> Program:
        """Check that joining is rejected for this reason. Return the program."""
        program = await self.program("eve")
        fields = {"username": "eve", **fields}
        answer = await program.ask("JoinGame", room=room, **fields)
        is_right = answer["type"] == "PlayerJoinRejected" and answer.get("reason") == reason
        self.expect(is_right, f"JoinGame {fields} was answered {brief(answer)}, not {reason}")
        return program

    async def put_away(self) -> None:
        """Close all programs, and record errors in their frames."""
        await asyncio.gather(*(p.close() for p in self.programs), return_exceptions=True)
        for program in self.programs:
            self.found += dict.fromkeys(program.wrong)


Check = Callable[[Desk], Awaitable[None]]
CHECKS: dict[str, tuple[str, Check]] = {}


def check(sentence: str) -> Callable[[Check], Check]:
    """Register a function in `CHECKS` under its name, together with the requirement that it
    checks.
    """

    def register(function: Check) -> Check:
        CHECKS[function.__name__.replace("_", "-").strip("-")] = (sentence, function)
        return function

    return register


async def begin(host: Program, *others: Program, adding: Sequence[Program] = ()) -> None:
    """Start the match, and wait until everybody has seen it.

    `adding` are the programs that have sent a share of the luck.
    """
    last = host.data.get("matchId")
    await host.done("StartGame")
    await reveal(adding)
    for program in (host, *others):
        await program.synced(
            lambda d: d["status"] != "open" and d["matchId"] != last, "a sync of the match"
        )
