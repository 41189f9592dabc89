"""Complete matches, played by programs that only use offers, with a spectator."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.wire_desk import Desk, begin
from conformance.wire_luck import commit
from conformance.wire_program import Differs, Program, brief
from conformance.wire_words import Json

QUICK: dict[str, Json] = {
    "chamber": {"startLives": 2, "maxRounds": 3},
    "cards": {"pointsToWin": 2, "maxRounds": 2},
    "mia": {"lives": 1},
    "coup": {"startCoins": 6},
}
MATCH_PATIENCE = 120.0
TRIES = 20


@dataclass(frozen=True)
class Made:
    """A move that was sent, with the sync on which it was based and its response."""

    data: Json
    move: str
    args: Json
    answer: Json


@dataclass
class Played:
    """A match as received by all seats and a spectator."""

    game: str
    seats: Sequence[Program]
    gallery: Program
    moves: dict[str, list[Made]] = field(default_factory=dict)
    logs: dict[str, Json] = field(default_factory=dict)
    committed: str = ""

    @property
    def everybody(self) -> tuple[Program, ...]:
        return (*self.seats, self.gallery)

    @property
    def by_changes(self) -> tuple[Program, ...]:
        """Programs that receive changes instead of complete syncs."""
        return self.seats[-1], self.gallery

    @property
    def title(self) -> str:
        return f"{self.game} of {len(self.seats)}"


async def play(desk: Desk, game: str, size: int) -> Played:
    """Play a match of this size to its end, and then request the logs."""
    host = await desk.host(game, "p0", options=QUICK.get(game, {}))
    seats = [host, *[await desk.guest(host, f"p{at}") for at in range(1, size - 1)]]
    seats.append(await desk.guest(host, f"p{size - 1}", syncs="changes"))
    gallery = await desk.guest(host, "gallery", spectate=True, syncs="changes")
    played = Played(game, seats, gallery)
    adding = await commit(seats[:-1])  # the last player adds nothing to the luck
    for program in [] if adding else seats[:-1]:
        await program.done("SetNonce", nonce=nonce_of(program))
    played.committed = host.data["fairness"]["commitment"]
    await begin(host, *seats[1:], gallery, adding=adding)
    try:
        async with asyncio.timeout(MATCH_PATIENCE):
            await asyncio.gather(*(_take_part(p, played) for p in seats))
    except TimeoutError:
        raise Differs(f"{played.title} did not end in {MATCH_PATIENCE:.0f} seconds") from None
    for program in played.everybody:
        await program.until("GameEnd")
        played.logs[program.name] = await whole_log(program)
        await program.settle(0.1)
    return played


def nonce_of(program: Program) -> str:
    """Return a nonce with every kind of allowed character."""
    return f"It's {program.name}_-1"


async def whole_log(program: Program) -> Json:
    """Return the complete log of a match, requested 500 acts at a time."""
    log: Json = {"matchId": None, "acts": []}
    while True:
        since = log["acts"][-1]["version"] if log["acts"] else 0
        part = await program.ask("LogRequest", since=since)
        log = {"matchId": part.get("matchId"), "acts": [*log["acts"], *part.get("acts", [])]}
        if len(part.get("acts", [])) < 500:
            return log


async def _take_part(program: Program, played: Played) -> None:
    """Answer every prompt with a random offer until the match is over."""
    made = played.moves.setdefault(program.name, [])
    seen: Json = {}
    while True:
        data = await program.synced(lambda d, seen=seen: d is not seen, "another sync")  # type: ignore[misc]
        seen = data
        if data["status"] != "playing":
            return
        if not data["offers"]:
            await _until_newer(program, seen)
            continue
        move, args = chosen(data["offers"], program.dice)
        answer = await program.ask(move, prompt=data["prompt"], **args)
        made.append(Made(data, move, args, answer))
        if answer["type"] == "Done" and program.data["version"] < answer.get("version", 0):
            version = answer["version"]
            await program.synced(lambda d, v=version: d["version"] >= v, "the sync of its move")  # type: ignore[misc]
        elif program.data is seen:
            if answer.get("code") in ("stale", "ignored"):
                await _until_newer(program, seen)
            elif sum(m.data is data for m in made) < TRIES:
                seen = {}  # the law `offers` reports this, so try another offer
            else:
                raise Differs(f"{move} {args} was offered, but answered {brief(answer)}")


async def _until_newer(program: Program, seen: Json) -> None:
    """Wait for a newer sync, with a longer timeout because others may take long."""
    wait, program.patience = program.patience, max(program.patience, 30.0)
    try:
        await program.synced(lambda d: d is not seen, "another sync")
    finally:
        program.patience = wait


def chosen(offers: Sequence[Json], dice: random.Random) -> tuple[str, Json]:
    """Return a random offer with random valid arguments. Avoid risky offers if possible."""
    offer = dice.choice([o for o in offers if not o["risky"]] or list(offers))
    return offer["move"], {name: _value(of, dice) for name, of in offer["args"].items()}


def _value(choices: Any, dice: random.Random) -> Any:
    if "oneOf" in choices:
        return dice.choice(choices["oneOf"])
    return dice.sample(choices["some"], dice.randint(choices["least"], choices["most"]))
