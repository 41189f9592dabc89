"""Every game in its sizes and options, and moments of its matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.core import AnyGame, Options, all_seats
from games.rules.data import Seat
from games.rules.luck import Luck
from tests.kit.play import Act, Walk, match, troubled


def secrets(game: AnyGame) -> Any:
    """What the tests of a game say is hidden in it, and what always holds."""
    return import_module(f"tests.rules.secrets.{game.slug}")


CASES = [
    pytest.param(game, n, options, id=f"{game.slug}-{n}-{at}")
    for game in GAMES.values()
    for at, options in enumerate(secrets(game).OPTIONS)
    for n in sorted({game.seats[0], (game.seats[0] + game.seats[1]) // 2, game.seats[1]})
]


ACTS = 500
"""After so many no further match is begun, if there were two."""


EACH = 50
"""So many moments of a match are all looked at."""


over_all_games = pytest.mark.parametrize(("game", "n", "options"), CASES)


def subsets(n: int, seed: int) -> Iterator[tuple[Seat, ...]]:
    """Who is silent: for small tables every subset, for others some, everybody among them."""
    seats = all_seats(n)
    if n <= 4:
        yield from (some for size in range(n + 1) for some in combinations(seats, size))
        return
    yield seats
    luck = Luck(b"silent", seed)
    for _ in range(9):
        yield tuple(seat for seat in seats if luck.draw("silent", 2))


def usual(seed: int) -> Callable[[Walk], Act]:
    """How a random match is played: with troubles, every other one without."""
    return troubled if seed % 2 else Walk.some_act


def moments(game: AnyGame, n: int, options: Options, matches: int) -> Iterator[Walk]:
    """Moments of some matches, fewer of them where they are long: of each its beginning and end,
    and the rest ever more seldom."""
    luck, acts = Luck(b"moments", n), 0
    for seed in range(matches):
        if seed > 1 and acts > ACTS:
            return
        for walk in match(game, n, options, seed, usual(seed)):
            acts, at = acts + 1, len(walk.acts)
            if at < EACH or walk.over or luck.draw("moment", at) < EACH // 4:
                yield walk
