"""Play on a server's ladder: the server chooses the opponents, and rates the program."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from parlour_client.address import read_address
from parlour_client.client import Client
from parlour_client.conversation import Ask, Conversation
from parlour_client.errors import Misused, ParlourError
from parlour_client.faults import Bot
from parlour_client.offers import Json
from parlour_client.pace import RATE, Pace, while_busy
from parlour_client.play import FAREWELL

log = logging.getLogger("parlour_client")

TABLES = 8
MOST_TABLES = 20
SOON = 5.0
"""Seconds that a program has to read the end of a match whose table has been closed."""
Tell = Callable[[str], None]


async def play_ladder(
    bot: Bot,
    url: str,
    *,
    token: str,
    games: Sequence[str] | None = None,
    tables: int = TABLES,
    rate: float = RATE,
    patience: float = math.inf,
    strict: bool = False,
    stop: asyncio.Event | None = None,
    tell: Tell = log.info,
) -> None:
    """Let a bot play all matches that the ladder of a server gives it, until `stop` is set.

    `token`: of a version of a program, from the page `/programs/` of the server.
    `games`: the games that the bot plays (default: all games of the server).
    `tables`: maximum number of matches at once.
    `patience`: seconds to keep trying to reconnect (default: forever).
    `strict`: lose a match at the first error of the bot, instead of making random moves.
    `stop`: when it is set, finish the running matches and return.
    `tell`: called with a sentence about each table.

    Raise Misused, Unreachable, Ended (such as a bad token), and Refused if the token is not that
    of a program. Errors of the bot end only their match.
    """
    if not 1 <= tables <= MOST_TABLES:
        raise Misused(f"A program can play at 1 to {MOST_TABLES} tables at once.")
    hall = _Hall(url, _Setup(bot, token, games, tables, rate, patience, strict, tell))
    try:
        await hall.open()
        waiting = asyncio.create_task((stop or asyncio.Event()).wait())
        playing = asyncio.create_task(hall.until_it_ends())
        try:
            await asyncio.wait({waiting, playing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            playing.cancel()
        if not playing.cancelled() and playing.done():
            playing.result()
        await hall.finish()
    finally:
        await hall.close()


def serve(bot: Bot, *, url: str, token: str, **how: Any) -> None:
    """Run `play_ladder` in a program that is not async, until Ctrl-C.

    The first Ctrl-C (or SIGTERM) finishes the running matches, the second one ends at once.
    """
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(until_stopped(bot, url, token=token, **how))


async def until_stopped(bot: Bot, url: str, **how: Any) -> None:
    """Run `play_ladder` until SIGINT or SIGTERM. A second signal cancels this task."""
    stop = asyncio.Event()
    task = asyncio.current_task()
    assert task is not None

    def stopping() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    with contextlib.suppress(NotImplementedError):  # not available on Windows
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopping)
    with contextlib.suppress(asyncio.CancelledError):
        await play_ladder(bot, url, stop=stop, **how)


@dataclass(frozen=True)
class _Setup:
    """The arguments of `play_ladder`."""

    bot: Bot
    token: str
    games: Sequence[str] | None
    tables: int
    rate: float
    patience: float
    strict: bool
    tell: Tell


class _Hall:
    """The control connection, and a connection for each table at which we play."""

    def __init__(self, url: str, setup: _Setup) -> None:
        self._setup, self._games = setup, list(setup.games or ())
        self._address = read_address(url)
        self._tables: dict[str, asyncio.Task[None]] = {}
        self._control = Conversation(
            self._address,
            setup.token,
            Pace(setup.rate),
            setup.patience,
            self._hear,
            self._offer,
        )

    async def open(self) -> None:
        """Connect, and say which games we play."""
        await self._control.open()
        known = [game["slug"] for game in self._control.welcome["games"]]
        self._games = self._games or known
        if unknown := sorted({*self._games} - {*known}):
            raise Misused(f"This server has no {unknown[0]}. It has {', '.join(known)}.")
        await self._offer(self._control.request)
        me = self._control.welcome["username"]
        self._setup.tell(
            f"{me} waits for matches of {', '.join(self._games)}. Stop it with Ctrl-C."
        )

    async def until_it_ends(self) -> None:
        """Wait until the control connection ends. Raise its error."""
        await self._control.until(lambda: False)

    async def finish(self) -> None:
        """Take no further tables, and play the running matches to their ends."""
        self._games = []
        with contextlib.suppress(ParlourError, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self._offer(self._control.request)
        if running := list(self._tables.values()):
            left = f"Finishing the running matches ({len(running)}). Ctrl-C stops at once."
            self._setup.tell(left)
            await asyncio.gather(*running, return_exceptions=True)

    async def close(self) -> None:
        """Leave everything as it is, and disconnect."""
        await self._control.close()
        running = list(self._tables.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _offer(self, ask: Ask) -> None:
        """Announce our games, on each new connection. An empty list means no more matches."""
        packet = {"type": "SetAvailable", "games": self._games, "tables": self._setup.tables}
        await while_busy(lambda: ask(packet))

    def _hear(self, packet: Json, is_answer: bool) -> None:
        match packet["type"]:
            case "TableStart" if packet["room"] not in self._tables:
                task = asyncio.get_running_loop().create_task(self._played(packet))
                self._tables[packet["room"]] = task
                task.add_done_callback(lambda _: self._tables.pop(packet["room"]))
            case "TableEnd" if packet["room"] in self._tables:
                cancel = self._tables[packet["room"]].cancel
                asyncio.get_running_loop().call_later(SOON, cancel)
            case "ShowAlert":
                log.warning("The server says: %s", packet["message"])

    async def _played(self, start: Json) -> None:
        """Play the match at a table. Errors are logged, because the other matches go on."""
        game, link, setup = start["game"], self._address.table(start["room"]), self._setup
        client = Client(
            link, token=setup.token, syncs="changes", rate=setup.rate, patience=setup.patience
        )
        try:
            async with client:
                await while_busy(client.join)
                setup.tell(f"{game}: playing at {link}")
                outcome = await client.play(setup.bot, strict=setup.strict)
            replay = f"{self._address.site}/matches/{client.data['matchId']}/"
            setup.tell(f"{game}: {_result(outcome, str(client.me))}. {replay}")
        except ParlourError as error:
            log.warning("The match at %s ended early: %s", link, error)
        except Exception:
            log.exception("The bot has failed too often at %s. The other matches go on.", link)


def _result(outcome: Json, me: str) -> str:
    """Return which place we took."""
    before = 0
    for names in outcome["places"]:
        if me in names:
            return f"place {before + 1} of {sum(map(len, outcome['places']))}"
        before += len(names)
    return f"no result ({outcome['reason']})"
