"""A bot and its matches: everything around the decisions, so that a bot is one function."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour_client.client import BUSY, PATIENCE, Bot, Client
from parlour_client.errors import ConnectionLost, Ended, Misused, ParlourError, Refused
from parlour_client.offers import Json
from parlour_client.pace import RATE

log = logging.getLogger("parlour_client")

FAREWELL = 2.0
"""Seconds that leaving politely may take."""


async def play(
    bot: Bot,
    url: str,
    *,
    room: str | None = None,
    host: str | None = None,
    game: str | None = None,
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
    """Let a bot join a table (`room`, or a table's link as `url`) or host one (`host`: a game).

    `game`: the only one the bot plays; at a table of another it does not stay (Misused), and where
    a table goes on with another it watches until it is played again.
    Who gives no `name` and has no `token` is called Program and a number.
    `bots`: how many of the house sit down too, or their levels. A host starts as soon as
    `players` are seated (default: the game's fewest, and all bots) and starts again until
    `matches` are played (default: one); a guest plays `matches` (default: until it is sent away).
    `seated` is called once, when the bot has its chair. Return the outcomes.

    Raise Misused, Unreachable, Rejected, Refused, Ended, and whatever the bot raises.
    """
    async with Client(url, token=token, rate=rate, patience=patience, syncs="changes") as client:
        name = name or client.me or f"Program {client.dice.randint(2, 999)}"
        try:
            if host is None:
                plays = list(client.games) if game is None else [game]
                await client.join(room, name, password=password, plays=plays)
                wanted = None
            else:
                given = {"options": options, "password": password, "visibility": visibility}
                await client.host(host, name, **given)
                wanted = await _invite_bots(client, host, bots, players)
            if game not in (None, client.data["game"]):
                raise Misused(f"This bot plays {game}, but this is a table of another game.")
            seated(client)
            outcomes = await _matches(client, bot, matches, wanted)
        except BaseException:
            if token is None:  # nobody could come back to this seat
                await _leave(client)
            raise
        await _leave(client)
        return outcomes


async def _matches(client: Client, bot: Bot, matches: int | None, wanted: int | None) -> list[Json]:
    """So many matches (None: one as host, else until we are sent away); as host, starts them
    as soon as `wanted` are seated."""
    outcomes: list[Json] = []
    last = matches or (None if wanted is None else 1)
    try:
        while len(outcomes) != last:
            if wanted is not None:
                await _start(client, wanted)
            outcomes.append(await client.play(bot))
            log.info("match %d: %s", len(outcomes), ended(outcomes[-1]))
    except Ended:
        if last is not None or not outcomes:
            raise
    return outcomes


async def _leave(client: Client) -> None:
    """Say goodbye, so that nobody has to wait for us; not at any price.

    Also where we know of no seat: a server that has just been asked for one may have given it.
    """
    with contextlib.suppress(ParlourError, TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await client.leave()


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
    """Seat the bots of the house; return how many players to wait for."""
    levels = ["normal"] * bots if isinstance(bots, int) else list(bots)
    for level in levels:
        await client.add_bot(level)
    fewest: int = client.games[game]["minPlayers"]
    return max(players or 0, fewest, 1 + len(levels))


async def _start(client: Client, wanted: int) -> None:
    """Starts as soon as so many are seated; who goes in that very moment is waited for again."""
    while True:
        data = await client.until(lambda data: _seated(data) >= wanted)
        if data["status"] == "playing" or data["gameHost"] != client.me:
            return  # it runs already, or somebody else has become the host
        with contextlib.suppress(ConnectionLost):  # then look whether it has begun
            try:
                await client.start()
                return
            except Refused as refused:
                if refused.code not in ("not_enough_players", "busy"):
                    raise
        await asyncio.sleep(BUSY)


def _seated(data: Json) -> int:
    """How many would play if the match began now."""
    return sum(not player["isSpectator"] and player["connected"] for player in data["players"])
