"""Run a bot as a command, with arguments, help texts, and errors without a traceback."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from parlour_client.client import Client
from parlour_client.errors import Misused, ParlourError
from parlour_client.faults import Bot
from parlour_client.ladder import TABLES, until_stopped
from parlour_client.offers import Json
from parlour_client.pace import RATE
from parlour_client.play import play

URL = "http://127.0.0.1:8000"
STOPPED = 130
HINTS = {
    "UsernameTaken": "Choose another one with --name.",
    "UsernameLookalike": "Choose another one with --name.",
    "LoginRequired": "Make a token on your page (/you/) and give it with --token.",
    "WrongPassword": "Give the password with --password.",
    "InvalidRoom": "Check the link of the table, or open a table with --host.",
    "bad_game": "--host takes a game that the server has.",
    "not_enough_players": "Add bots of the server with --bots.",
}


def command(
    bot: Bot,
    about: str,
    *,
    game: str | None = None,
    name: str = "a program",
    argv: Sequence[str] | None = None,
    usage: str = "",
    seated: Callable[[Client], None] = lambda client: None,
) -> None:
    """Run a bot with command line arguments, and exit.

    Exit codes: 0 played, 1 error (on stderr), 2 bad usage, 130 stopped (Ctrl-C).

    `about`: one line of help. `game`: the only game this bot can play; by default it can host any.
    `argv`, `usage`: arguments, and what `--help` says about them (default: those of this process).
    `seated`: called once, when the bot has joined a table.
    """
    given = _arguments(about, game, name, usage).parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if given.verbose else logging.WARNING, format="%(message)s"
    )
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shell scripts may ignore SIGINT
    try:
        sys.exit(asyncio.run(_played(bot, given, game, seated)))
    except KeyboardInterrupt:  # second Ctrl-C: the bot did not stop
        sys.exit(STOPPED)


async def _played(
    bot: Bot, given: argparse.Namespace, game: str | None, seated: Callable[[Client], None]
) -> int:
    """Play with these arguments. Return the exit code."""
    try:
        if given.ladder is not None:
            await _on_ladder(bot, given)
            return STOPPED
        task = asyncio.current_task()
        assert task is not None
        with contextlib.suppress(NotImplementedError):  # not available on Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        outcomes = await play(bot, given.url, **_how(given, game, seated))
    except ParlourError as error:
        hint = HINTS.get(str(getattr(error, "code", "")), "")
        print(f"{error} {hint}".strip(), file=sys.stderr)
        return 1
    except asyncio.CancelledError:
        return STOPPED
    _tell(outcomes, given.seat[0] if given.seat else given.name)
    return 0


async def _on_ladder(bot: Bot, given: argparse.Namespace) -> None:
    """Play on the ladder of the server until we are stopped."""
    if not given.token:
        raise Misused("Give the token of your program with --token. Make one on /programs/.")
    how = {key: getattr(given, key) for key in ("token", "tables", "rate", "strict")}
    games = given.ladder.split(",") if given.ladder else None
    tell = partial(print, flush=True)
    await until_stopped(bot, given.url, games=games, tell=tell, **how)


def _how(
    given: argparse.Namespace, game: str | None, seated: Callable[[Client], None]
) -> dict[str, Any]:
    def sits(client: Client) -> None:
        given.seat = [client.me]
        assert client.room is not None
        print(f"{client.me} sits at {client.address.table(client.room)}", flush=True)
        seated(client)

    names = ("room", "host", "name", "token", "password", "options", "bots", "players")
    how = {key: getattr(given, key) for key in (*names, "matches", "rate", "visibility", "strict")}
    return {**how, "game": game, "seated": sits}


def _tell(outcomes: list[Json], me: str) -> None:
    won = sum(me in outcome["winners"] for outcome in outcomes)
    print(f"{me} won {won} of {len(outcomes)}.")


def _arguments(about: str, game: str | None, name: str, usage: str) -> argparse.ArgumentParser:
    as_module = sys.argv[0].endswith("__main__.py")
    prog = "python -m parlour_client" if as_module else None
    parser = argparse.ArgumentParser(
        prog=prog, description=about, usage=f"%(prog)s {usage}" if usage else None
    )
    url = os.environ.get("PARLOUR_URL", URL)
    parser.add_argument("--url", default=url, help=f"the server, or the link of a table ({url})")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--room", help="the code of the table to join")
    where.add_argument(
        "--host", metavar="GAME", nargs="?" if game else None, const=game, help="open a table"
    )
    where.add_argument(
        "--ladder",
        metavar="GAMES",
        nargs="?",
        const=game or "",
        help=f"play on the ladder, with the token of a program ({game or 'all games'})",
    )
    parser.add_argument("--tables", type=int, default=TABLES, help="matches at once on the ladder")
    parser.add_argument("--name", default=name, help=f"the name to play under ({name})")
    parser.add_argument("--bots", type=_bots, default=0, help="how many bots, or easy,normal,…")
    parser.add_argument("--players", type=int, help="as host: number of players to wait for")
    parser.add_argument("--matches", type=int, help="number of matches (as host 1, else all)")
    parser.add_argument("--options", type=_options, default={}, help="as host: '{\"lives\": 1}'")
    parser.add_argument("--visibility", choices=("public", "unlisted", "invited"))
    parser.add_argument("--password", help="of the table")
    parser.add_argument(
        "--token", default=os.environ.get("PARLOUR_TOKEN"), help="of your profile ($PARLOUR_TOKEN)"
    )
    parser.add_argument(
        "--rate", type=float, default=RATE, help="packets per second (0 means no limit)"
    )
    parser.add_argument("--strict", action="store_true", help="stop at the bot's first error")
    parser.add_argument("--verbose", action="store_true", help="show every packet")
    parser.set_defaults(seat=[])
    return parser


def _bots(text: str) -> int | list[str]:
    return int(text) if text.isdigit() else [level.strip() for level in text.split(",")]


def _options(text: str) -> Json:
    try:
        read = json.loads(text)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise argparse.ArgumentTypeError('options must be a JSON object, such as {"lives": 1}')
    return read
