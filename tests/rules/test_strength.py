"""The strength of bots matches the figures in `docs/opponents.md`.

Seeds are fixed. A figure may differ by three standard errors of a sample of this size.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import pytest

from games.contract.core import ClaimMade, Event, Move, Offer, all_seats
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import BotLuck
from games.management.arena import Tally, compare, play
from games.mia import GAME as MIA
from games.mia.tests.nemesis import nemesis
from games.registry import GAMES
from tests.kit.altered import altered

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Figure:
    """One bot of a level among others: its share of wins."""

    slug: str
    seats: int
    level: str
    others: str
    matches: int
    won: float
    seed: int = 0

    @property
    def error(self) -> float:
        return math.sqrt(self.won * (1 - self.won) / self.matches)

    def __str__(self) -> str:
        return f"{self.slug}-{self.seats}-{self.level}-{self.others}"


FIGURES = (
    Figure("mia", 2, "hard", "normal", 1000, 0.637),
    Figure("mia", 2, "hard", "easy", 1000, 0.712),
    Figure("mia", 2, "hard", "random", 1000, 0.883),
    Figure("mia", 2, "normal", "random", 1000, 0.976),
    Figure("mia", 3, "hard", "normal", 400, 0.500),
    Figure("mia", 3, "hard", "easy", 400, 0.537),
    Figure("mia", 3, "hard", "random", 400, 0.835),
    Figure("mia", 4, "hard", "normal", 400, 0.383),
    Figure("mia", 4, "hard", "easy", 400, 0.410),
    Figure("mia", 4, "hard", "random", 400, 0.807),
    Figure("mia", 6, "hard", "normal", 400, 0.203),
    Figure("mia", 6, "hard", "easy", 400, 0.300),
    Figure("mia", 6, "hard", "random", 400, 0.705),
    Figure("coup", 2, "normal", "random", 400, 0.830),
    Figure("coup", 4, "normal", "random", 300, 0.873),
    Figure("coup", 2, "hard", "normal", 200, 0.900),
    Figure("coup", 2, "hard", "easy", 100, 0.870),
    Figure("coup", 2, "hard", "random", 200, 0.755),
    Figure("chamber", 2, "hard", "normal", 1000, 0.547, 1000),
    Figure("chamber", 2, "normal", "random", 600, 0.977),
    Figure("chamber", 2, "normal", "easy", 600, 0.695),
    Figure("chamber", 4, "normal", "random", 600, 0.892),
    Figure("chamber", 4, "normal", "easy", 600, 0.413),
)


@pytest.mark.parametrize("figure", FIGURES, ids=str)
def test_bot_strength_matches_the_documented_figure(figure: Figure) -> None:
    options = GAMES[figure.slug].rules.options()
    tally = compare(
        *(figure.slug, options, figure.seats, figure.level, figure.others, figure.matches),
        seed=figure.seed,
        workers=1,
    )
    assert (tally.illegal, tally.fallbacks) == (0, 0)
    assert abs(tally.rate - figure.won) <= 3 * figure.error


def test_best_responder_wins_little_against_hard() -> None:
    """Measured over 400 matches: 0.545 ± 0.049."""
    game = altered(MIA, levels={**MIA.bots.levels, "nemesis": nemesis})
    tally = Tally()
    for seed in range(400):
        levels = ["nemesis" if at == seed % 2 else "hard" for at in all_seats(2)]
        tally.add(play(game, game.rules.options(), levels, seed, Seat(seed % 2))[1])
    assert (tally.illegal, tally.fallbacks) == (0, 0)
    least, most = tally.interval
    assert tally.rate < 0.545 + 3 * (most - least) / 2 / 1.96


@pytest.mark.parametrize(
    ("slug", "level", "seconds"),
    [
        ("mia", "hard", 0.01),
        ("mia", "normal", 0.01),
        ("coup", "normal", 0.01),
        ("coup", "hard", 0.5),
        ("chamber", "hard", 0.5),
    ],
)
def test_bot_move_stays_within_its_cpu_budget(slug: str, level: str, seconds: float) -> None:
    """The limits are three times the 95th percentile of a move's cost, for busy machines."""
    game, spent = GAMES[slug], list[float]()

    def timed(
        seat: Seat,
        view: Any,
        offers: Sequence[Offer],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> Move:
        begun = time.thread_time()
        try:
            return game.bots.levels[level](seat, view, offers, heard, said, luck)
        finally:
            spent.append(time.thread_time() - begun)

    measured = altered(game, levels={**game.bots.levels, level: timed})
    for seed in range(6):
        play(measured, game.rules.options(), [level, level], seed, Seat(0))
    ordered = sorted(spent)
    assert ordered[int(0.95 * len(ordered))] < 3 * seconds


@dataclass(frozen=True)
class Side:
    """All liberals of one level against all fascists of another: the liberals' share of wins."""

    seats: int
    liberals: str
    fascists: str
    matches: int
    won: float


SIDES = (
    Side(5, "normal", "normal", 1000, 0.525),
    Side(7, "normal", "normal", 1000, 0.521),
    Side(10, "normal", "normal", 300, 0.577),
    Side(5, "hard", "normal", 600, 0.600),
    Side(7, "hard", "normal", 500, 0.626),
)


@pytest.mark.parametrize("side", SIDES, ids=lambda s: f"{s.seats}-{s.liberals}-{s.fascists}")
def test_secret_hitler_side_strengths_match_the_documented_figures(side: Side) -> None:
    options = GAMES["secret_hitler"].rules.options()
    tally = compare(
        *("secret_hitler", options, side.seats, side.liberals, side.fascists, side.matches),
        workers=1,
        side="liberal",
    )
    error = math.sqrt(side.won * (1 - side.won) / side.matches)
    assert (tally.illegal, tally.fallbacks) == (0, 0)
    assert abs(tally.rate - side.won) <= 3 * error


@pytest.mark.parametrize("seats", [5, 7])
def test_early_votes_do_not_reveal_fascists(seats: int) -> None:
    """Before three policies of either kind, seats outside a government vote ja at similar rates:
    fascists as often as liberals (within .17), with or without a teammate in it."""
    game, votes = GAMES["secret_hitler"], defaultdict[tuple[bool, bool], list[bool]](list)
    for seed in range(150):
        state = last_state(game, ["normal"] * seats, seed)
        enacted = Counter[str]()
        for session in state.history:
            early = max(enacted.values(), default=0) < 3
            enacted[session.enacted or ""] += session.enacted is not None
            if session.president is None or not early:
                continue
            government = (session.president, session.chancellor)
            theirs = any(state.roles[at] != "liberal" for at in government)
            for at, ja in session.votes.items():
                if at not in government and state.roles[at] != "hitler":
                    votes[theirs, state.roles[at] == "fascist"].append(ja)
    for theirs in (True, False):
        shares = [mean(votes[theirs, fascist]) for fascist in (True, False)]
        assert abs(shares[0] - shares[1]) < 0.17, (theirs, shares)


def last_state(game: AnyGame, levels: Sequence[str], seed: int) -> Any:
    """Return the final state of a match of these bots."""
    ends: list[Any] = []
    watched = altered(game, outcome=lambda state: ends.append(state) or game.rules.outcome(state))
    play(watched, game.rules.options(), levels, seed, Seat(0))
    return ends[-1]
