"""Runs the requested checks and judges matches, a few at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from conformance import wire_rooms, wire_talk  # noqa: F401  (fill CHECKS)
from conformance.wire_desk import CHECKS, Check, Desk
from conformance.wire_laws import LAWS, Law
from conformance.wire_play import Played, play
from conformance.wire_program import Differs, Program
from conformance.wire_words import EVENTS

AT_ONCE = 4
MOST_TOLD = 5


@dataclass(frozen=True)
class Asked:
    """A request: URL, names of checks (empty means all), games, and sizes of matches."""

    url: str
    only: Collection[str] = ()
    games: Sequence[str] = tuple(EVENTS)
    sizes: str = "some"
    patience: float = 10.0
    token: str | None = None


@dataclass(frozen=True)
class Result:
    """Result of a check: name, requirement and differences.

    If there are no differences, the server passes.
    """

    name: str
    sentence: str
    found: tuple[str, ...]


PLAY = ("play", "programs that know only offers can finish every game")


def names() -> dict[str, str]:
    """Return all checks with their requirements, in the order of the report."""
    checks = {name: sentence for name, (sentence, _) in CHECKS.items()}
    laws = {name: sentence for name, (sentence, _) in LAWS.items()}
    return {**checks, PLAY[0]: PLAY[1], **laws}


async def results(asked: Asked) -> AsyncIterator[Result]:
    """Yield each result in the order of `names`, as soon as it is available.

    Raise Differs if no server responds at this address.
    """
    await (await Program(asked.url, "the kit", asked.patience, asked.token).open()).drop()
    wanted = [name for name in names() if not asked.only or name in asked.only]
    gate = asyncio.Semaphore(AT_ONCE)
    needs_matches = any(name in LAWS or name == PLAY[0] for name in wanted)
    matches = asyncio.create_task(_matches(asked, gate)) if needs_matches else None
    checks = {
        name: asyncio.create_task(_checked(asked, CHECKS[name][1], gate))
        for name in wanted
        if name in CHECKS
    }
    for name in wanted:
        if name in checks:
            yield Result(name, CHECKS[name][0], _few(await checks[name]))
    if matches is None:
        return
    played, failed = await matches
    for name in wanted:
        if name == PLAY[0]:
            yield Result(*PLAY, _few(failed))
        elif name in LAWS:
            yield Result(name, LAWS[name][0], _few(_judged(LAWS[name][1], played)))


async def _checked(asked: Asked, check: Check, gate: asyncio.Semaphore) -> list[str]:
    """Run one check with its own desk. Return the differences."""
    async with gate:
        desk = Desk(asked.url, asked.patience, asked.token)
        try:
            with _noting(desk.found):
                await check(desk)
        finally:
            await desk.put_away()
        return desk.found


@contextmanager
def _noting(found: list[str], title: str = "") -> Iterator[None]:
    """Catch and record violations of the contract, such as a missing field."""
    try:
        yield
    except Differs as differs:
        found.append(f"{title}{differs}.")
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        found.append(f"{title}a packet lacks a field of the contract: {error!r}")


async def _matches(asked: Asked, gate: asyncio.Semaphore) -> tuple[list[Played], list[str]]:
    """Return all finished matches, and the reasons why others did not finish."""
    desk, played, failed = Desk(asked.url, asked.patience), list[Played](), list[str]()
    try:
        with _noting(failed):
            await desk.program("counting seats")
    finally:
        await desk.put_away()
    if failed:
        return played, failed
    offered = {game["slug"]: game for game in desk.welcome["games"]}
    tables = [
        (game, size)
        for game in asked.games
        if game in offered
        for size in _sizes(offered[game]["minPlayers"], offered[game]["maxPlayers"], asked.sizes)
    ]
    failed += [f"the server has no {game}" for game in asked.games if game not in offered]

    async def one(game: str, size: int) -> None:
        async with gate:
            table = Desk(asked.url, asked.patience)
            try:
                with _noting(failed, f"{game} of {size}: "):
                    played.append(await play(table, game, size))
            finally:
                await table.put_away()

    await asyncio.gather(*(one(game, size) for game, size in tables))
    return played, failed


def _judged(law: Law, played: Sequence[Played]) -> list[str]:
    found = [] if played else ["no match ended, so nothing could be checked"]
    for match in played:
        with _noting(found, f"{match.title}: "):
            found += [f"{match.title}: {odd}" for odd in law(match)]
    return found


def _sizes(least: int, most: int, which: str) -> list[int]:
    """Return the numbers of players to test: `least`, `some` (least, middle, and most up to ten) or
    `all`.
    """
    if which == "least":
        return [least]
    if which == "all":
        return list(range(least, most + 1))
    return sorted({least, (least + min(most, 10)) // 2, min(most, 10)})


def _few(found: Sequence[str]) -> tuple[str, ...]:
    once = list(dict.fromkeys(found))
    more = len(once) - MOST_TOLD
    return (*once[:MOST_TOLD], *([f"… and {more} more"] if more > 0 else []))
