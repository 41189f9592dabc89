"""Play matches with a bot.

This module does everything except make decisions, so that a bot is a single function.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour_client.client import BUSY, PATIENCE, Client
from parlour_client.errors import ConnectionLost, Ended, Misused, ParlourError, Refused
from parlour_client.faults import Bot
from parlour_client.offers import Json
from parlour_client.pace import RATE

log = logging.getLogger("parlour_client")

FAREWELL = 2.0
"""Maximum seconds for leaving the table before disconnecting."""


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
    strict: bool = False,
    seated: Callable[[Client], None] = lambda client: None,
) -> list[Json]:
    """Let a bot join a table (`room`, or a table's link as `url`) or host one (`host`: a game).

    `game`: the only game the bot plays. It does not stay at a table of another game (Misused). If
    the table later changes to another game, the bot watches until it changes back.
    `name`: defaults to the token's user, else to Program and a number.
    `bots`: number of built-in bots to add, or their levels.
    `players`: number of seated players at which a host starts (default: the game's minimum, or
    more for all bots).
    `matches`: number to play (default: one as host, else until the bot is removed).
    `strict`: stop at the first error of the bot, instead of making a random move (`Client.play`).
    `seated`: called once, when the bot has joined.

    Return the outcomes. Raise Misused, Unreachable, Rejected, Refused, Ended, and the last error
    of a bot that fails too often.
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
            outcomes = await _matches(client, bot, matches, wanted, strict)
        except BaseException:
            if token is None:  # nobody could return to this seat
                await _leave(client)
            raise
        await _leave(client)
        return outcomes


async def _matches(
    client: Client, bot: Bot, matches: int | None, wanted: int | None, strict: bool
) -> list[Json]:
    """Play this number of matches. None means one match as host, or else until we are removed.

    As host, start each match as soon as `wanted` players are seated.
    """
    outcomes: list[Json] = []
    last = matches or (None if wanted is None else 1)
    try:
        while len(outcomes) != last:
            if wanted is not None:
                await _start(client, wanted)
            outcomes.append(await client.play(bot, strict=strict))
            log.info("match %d: %s", len(outcomes), ended(outcomes[-1]))
    except Ended:
        if last is not None or not outcomes:
            raise
    return outcomes


async def _leave(client: Client) -> None:
    """Try to leave the table, so that nobody has to wait for us. Ignore errors.

    Do this even if we know of no seat, because the server may have granted a request for one.
    """
    with contextlib.suppress(ParlourError, TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await client.leave()


def run(bot: Bot, url: str, **how: Any) -> list[Json]:
    """Run `play` in a program that is not async."""
    return asyncio.run(play(bot, url, **how))


def ended(outcome: Json) -> str:
    """Return a line that names the winners of a match and the reason for its end."""
    winners = ", ".join(outcome["winners"]) or "nobody"
    return f"{winners} won ({outcome['reason']})"


async def _invite_bots(
    client: Client, game: str, bots: int | Sequence[str], players: int | None
) -> int:
    """Add built-in bots. Return the number of players to wait for."""
    levels = ["normal"] * bots if isinstance(bots, int) else list(bots)
    for level in levels:
        await client.add_bot(level)
    fewest: int = client.games[game]["minPlayers"]
    return max(players or 0, fewest, 1 + len(levels))


async def _start(client: Client, wanted: int) -> None:
    """Start as soon as `wanted` players are seated.

    If one of them leaves at that moment, or the luck cannot be mixed, wait again.
    """
    while True:
        data = await client.until(lambda data: _seated(data) >= wanted)
        if data["status"] == "playing" or data["gameHost"] != client.me:
            return  # the match is running, or we are no longer host
        with contextlib.suppress(ConnectionLost):  # then check again whether it has begun
            try:
                await client.start()
                if await _has_begun(client, data["matchId"]):
                    return
            except Refused as refused:
                if refused.code not in ("not_enough_players", "busy"):
                    raise
        await asyncio.sleep(BUSY)


async def _has_begun(client: Client, before: int | None) -> bool:
    """Wait while the luck is mixed. Return whether a match other than `before` has begun."""
    await client.until(lambda data: data["matchId"] != before or "mixing" in data)
    data = await client.until(lambda data: "mixing" not in data)
    return bool(data["matchId"] != before)


def _seated(data: Json) -> int:
    """Return the number of players, including bots, that a match starting now would have."""
    return sum(not player["isSpectator"] and player["connected"] for player in data["players"])
