"""A bot and its matches: everything around the decisions, so that a bot is one function."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour_client.client import BUSY, PATIENCE, Bot, Client
from parlour_client.errors import ConnectionLost, Ended, Refused
from parlour_client.offers import Json
from parlour_client.pace import RATE

log = logging.getLogger("parlour_client")


async def play(
    bot: Bot,
    url: str,
    *,
    room: str | None = None,
    host: str | None = None,
    name: str | None = None,
    token: str | None = None,
    password: str | None = None,
    options: Mapping[str, Any] | None = None,
    visibility: str | None = None,
    bots: int | Sequence[str] = 0,
    players: int | None = None,
    matches: int | None = None,
    rate: float = RATE,
    patience: float = PATIENCE,
    seated: Callable[[Client], None] = lambda client: None,
) -> list[Json]:
    """Lets a bot join a table (`room`, or a table's link as `url`) or host one (`host`: a game).

    Who gives no `name` and has no `token` is called Program and a number.
    `bots`: how many of the house sit down too, or their levels. A host starts as soon as
    `players` are seated (default: the game's fewest, and all bots) and starts again until
    `matches` are played (default: one); a guest plays `matches` (default: until it is sent away).
    `seated` is called once, when the bot has its chair. Returns the outcomes.

    Raises ValueError, Unreachable, Rejected, Refused, Ended, and whatever the bot raises.
    """
    async with Client(url, token=token, rate=rate, patience=patience) as client:
        name = name or client.me or f"Program {client.dice.randint(2, 999)}"
        if host is None:
            await client.join(room, name, password=password)
            wanted = 0
        else:
            given = {"options": dict(options or {}), "password": password, "visibility": visibility}
            await client.host(host, name, **given)
            wanted = await _invite_bots(client, host, bots, players)
        seated(client)
        outcomes: list[Json] = []
        last = matches or (None if host is None else 1)
        try:
            while len(outcomes) != last:
                if host is not None:
                    await _start(client, wanted)
                outcomes.append(await client.play(bot))
                log.info("match %d: %s", len(outcomes), ended(outcomes[-1]))
            await client.leave()
        except Ended:
            if last is not None or not outcomes:
                raise
        return outcomes


def run(bot: Bot, url: str, **how: Any) -> list[Json]:
    """As `play`, for programs that are not async themselves."""
    return asyncio.run(play(bot, url, **how))


def ended(outcome: Json) -> str:
    """How a match ended, in a line."""
    winners = ", ".join(outcome["winners"]) or "nobody"
    return f"{winners} won ({outcome['reason']})"


async def _invite_bots(
    client: Client, game: str, bots: int | Sequence[str], players: int | None
) -> int:
    """Seats the bots of the house; returns how many players to wait for."""
    levels = ["normal"] * bots if isinstance(bots, int) else list(bots)
    for level in levels:
        await client.add_bot(level)
    fewest: int = client.games[game]["minPlayers"]
    return max(players or 0, fewest, 1 + len(levels))


async def _start(client: Client, wanted: int) -> None:
    """Starts as soon as so many are seated; who goes in that very moment is waited for again."""
    while True:
        data = await client.until(lambda data: _seated(data) >= wanted)
        if data["status"] == "playing":
            return None
        with contextlib.suppress(ConnectionLost):  # then look whether it has begun
            try:
                return await client.start()
            except Refused as refused:
                if refused.code not in ("not_enough_players", "busy"):
                    raise
        await asyncio.sleep(BUSY)


def _seated(data: Json) -> int:
    """How many would play if the match began now."""
    return sum(not player["isSpectator"] and player["connected"] for player in data["players"])
