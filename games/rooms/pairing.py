"""Choose the players of the next table of the ladder, without using the database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from games.registry import GAMES
from games.rooms.bots import COMFORTABLE

IDLE = timedelta(seconds=10)
"""Versions that have waited this long come first. Otherwise the least known version does.

So nobody waits longer than this and the longest match, if there are enough tables.
"""
ALONE = timedelta(minutes=5)
"""Waiting time after which a version without opponents plays against built-in bots."""
BOTS_EVERY = 10
"""Number of tables after which a built-in bot takes a seat at one."""
CHECKED_AGAINST = "random"
"""Level of the bots in the check of a new version."""
REACH = 4.0
"""Difference of `mu` at which an opponent is e times less likely."""


@dataclass(frozen=True)
class Strength:
    """The skill of a version in a game."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class Free:
    """A version that can play at another table. `strengths` has the games it plays."""

    user_id: int
    owner_id: int
    strengths: Mapping[str, Strength]
    idle_since: datetime | None = None
    """Time since which it plays at no table. None while it plays at one."""
    checks: int | None = None
    """Finished matches of its check. None after the check."""


@dataclass(frozen=True)
class Group:
    """The players of a table. `bots` are the levels of built-in bots."""

    game: str
    user_ids: tuple[int, ...]
    bots: tuple[str, ...] = ()


def next_group(free: Sequence[Free], number: int, now: datetime, luck: Random) -> Group | None:
    """Return the players of the next table, or None. `number` counts the tables opened so far."""
    for first in _in_order(free, now, luck):
        if first.checks is not None:
            return _check(first)
        for game in _least_known(first, luck):
            opponents = _opponents(first, game, free, now, luck)
            if len(opponents) + 1 >= GAMES[game].seats[0]:
                players, bots = (first.user_id, *opponents), _bots(game, number)
                return Group(game, players[: seats(game) - len(bots)], bots)
        if first.idle_since is not None and first.idle_since <= now - ALONE:
            return _against_bots(first, luck)
    return None


def _in_order(free: Iterable[Free], now: datetime, luck: Random) -> list[Free]:
    """Return the versions in the order in which they get a table: those that have waited for long,
    longest first, then the least known ones.
    """
    return sorted(
        (one for one in free if one.strengths),
        key=lambda one: (
            one.idle_since if one.idle_since and _has_waited(one, now) else now,
            -max(strength.sigma for strength in one.strengths.values()),
            luck.random(),
        ),
    )


def _has_waited(one: Free, now: datetime) -> bool:
    """Whether this version must not be passed over any longer."""
    return one.idle_since is not None and one.idle_since <= now - IDLE


def _least_known(first: Free, luck: Random) -> list[str]:
    """Return the games of a version. Those in which its skill is least known come first."""
    games = sorted(first.strengths)
    return sorted(games, key=lambda game: (-first.strengths[game].sigma, luck.random()))


def _opponents(
    first: Free, game: str, free: Iterable[Free], now: datetime, luck: Random
) -> list[int]:
    """Draw opponents of similar strength, at most one of each owner.

    Those that have waited for long are drawn before all others.
    """
    own = first.strengths[game]
    here = [
        one
        for one in free
        if game in one.strengths and one.checks is None and one.owner_id != first.owner_id
    ]
    chosen: list[int] = []
    while here and len(chosen) < seats(game) - 1:
        late = [one for one in here if _has_waited(one, now)] or here
        near = [math.exp(-abs(one.strengths[game].mu - own.mu) / REACH) for one in late]
        (drawn,) = luck.choices(late, near)
        chosen.append(drawn.user_id)
        here = [one for one in here if one.owner_id != drawn.owner_id]
    return chosen


def seats(game: str) -> int:
    """Return how many players a table of this game has at most."""
    least, most = GAMES[game].seats
    return min(most, max(least, COMFORTABLE))


def _check(first: Free) -> Group:
    """Return a table of the check. Its matches go through all games of the version."""
    games = sorted(first.strengths)
    game = games[(first.checks or 0) % len(games)]
    bots = max(2, GAMES[game].seats[0]) - 1
    return Group(game, (first.user_id,), (CHECKED_AGAINST,) * bots)


def _bots(game: str, number: int) -> tuple[str, ...]:
    """Return the bots of the next table."""
    return (GAMES[game].bots.usual_level,) if (number + 1) % BOTS_EVERY == 0 else ()


def _against_bots(first: Free, luck: Random) -> Group:
    game = _least_known(first, luck)[0]
    level = GAMES[game].bots.usual_level
    return Group(game, (first.user_id,), (level,) * (seats(game) - 1))
