"""Every game in its sizes and options, with matches that are each played once for all laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import combinations, pairwise
from typing import Any

import pytest

from games.contract.core import Options, all_seats
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import Luck
from games.registry import GAMES
from tests.kit.play import Act, Playthrough, match, troubled


def secrets(game: AnyGame) -> Any:
    """Load what a game declares about its secrets, from `tests/secrets.py` in its folder.

    `OPTIONS`: edge cases of the options, default first. `scramble(state, viewer, luck)`: a legal
    state that differs only in what this viewer may not know. `invariants(state)`: what always
    holds. `REVEALS`: the events that reveal something hidden to their recipients. `PRIVATE`: the
    events that only some may hear, with a function `(event, change, seat)` that says whether this
    seat may. `DRAWN`: the events that tell everybody what was just drawn. `LITTLE`, for bots that
    search: limits, by name, that are enough for tests not marked `long`.
    """
    return import_module(f"games.{game.slug}.tests.secrets")


def _cases() -> Iterator[Any]:
    """Yield the smallest, a medium and the largest table with each set of options.

    All but the smallest are slow. With options other than the default set, the medium one is long.
    """
    for game in GAMES.values():
        least, most = game.seats
        for at, options in enumerate(secrets(game).OPTIONS):
            for n in sorted({least, (least + most) // 2, most}):
                is_long = at > 0 and least < n < most
                marks = [pytest.mark.long] if is_long else [pytest.mark.slow] if n > least else []
                yield pytest.param((game, n, options), id=f"{game.slug}-{n}-{at}", marks=marks)


CASES = list(_cases())
ACTS = 200
"""Stop starting matches after this many moments, but check at least two matches."""
EACH = 25
"""Number of first moments of a match that are all checked."""


def subsets(n: int, seed: int, some: int) -> Iterator[tuple[Seat, ...]]:
    """Yield sets of silent seats: all subsets at small tables, else `some` and the full set."""
    seats = all_seats(n)
    if n <= 4:
        yield from (who for size in range(n + 1) for who in combinations(seats, size))
        return
    yield seats
    luck = Luck(b"silent", seed)
    for _ in range(some):
        yield tuple(seat for seat in seats if luck.draw("silent", 2))


def usual(seed: int) -> Callable[[Playthrough], Act]:
    """Return how to play a random match. Every other one has disruptions."""
    return troubled if seed % 2 else Playthrough.some_act


class Played:
    """Matches of a game at one size with some options, played on first use.

    Laws check them moment by moment, earliest first, so that a failure has the smallest replay.
    """

    def __init__(self, game: AnyGame, n: int, options: Options) -> None:
        self.game, self.n, self.options = game, n, options
        self._of: dict[int, list[Playthrough]] = {}
        self._broke: dict[int, Exception] = {}

    def match(self, seed: int) -> list[Playthrough]:
        """Yield every moment of a match, up to the point where it could not be continued."""
        if seed not in self._of:
            moments = self._of[seed] = []
            try:
                for playthrough in match(self.game, self.n, self.options, seed, usual(seed)):
                    moments.append(playthrough.apart())
            except Exception as broke:
                self._broke[seed] = broke
        return self._of[seed]

    def _went_well(self, matches: int) -> None:
        """Raise the error that stopped a match.

        Laws check earlier moments first, because those failures explain more.
        """
        for seed in range(matches):
            if seed in self._broke:
                Playthrough.newest = self._of[seed][-1] if self._of[seed] else None
                raise self._broke[seed]

    def ends(self, matches: int) -> Iterator[Playthrough]:
        """Return the last moments of these matches."""
        ends = [self.match(seed)[-1] for seed in range(matches)]
        self._went_well(matches)
        yield from map(_looked_at, ends)

    def steps(self, matches: int) -> Iterator[tuple[Playthrough, Playthrough]]:
        """Yield every moment but the first, with its predecessor."""
        steps = [step for seed in range(matches) for step in pairwise(self.match(seed))]
        for before, playthrough in sorted(steps, key=lambda step: step[1].made):
            yield _looked_at(playthrough), before
        self._went_well(matches)

    def every_moment(self, matches: int) -> Iterator[Playthrough]:
        """Yield every moment of these matches."""
        yield from _in_order(
            [playthrough for seed in range(matches) for playthrough in self.match(seed)]
        )
        self._went_well(matches)

    def moments(self, matches: int) -> Iterator[Playthrough]:
        """Yield moments from several matches: of long ones the beginning, the end and a sample."""
        luck, acts, some = Luck(b"moments", self.n), 0, []
        for seed in range(matches):
            if seed > 1 and acts > ACTS:
                break
            for at, playthrough in enumerate(self.match(seed)):
                acts += 1
                if at < EACH or playthrough.over or luck.draw("moment", at) < EACH // 2:
                    some.append(playthrough)
        yield from _in_order(some)
        self._went_well(matches)


def _in_order(moments: Sequence[Playthrough]) -> Iterator[Playthrough]:
    for playthrough in sorted(moments, key=lambda playthrough: playthrough.made):
        yield _looked_at(playthrough)


def _looked_at(playthrough: Playthrough) -> Playthrough:
    Playthrough.newest = playthrough.apart()
    return Playthrough.newest
