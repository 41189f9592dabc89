"""How a match changes ratings.

We use the Plackett-Luce model of the library openskill (Weng and Lin, "A Bayesian Approximation
Method for Online Ranking", 2011). A skill is a normal distribution: `mu` is its mean and `sigma`
its standard deviation. These functions are pure: they know no users and no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from openskill.models import PlackettLuce

from games.models.league import MU, SIGMA

TAU = 25.0 / 300
"""Growth of `sigma` before each match, because people learn. Versions of programs do not."""
SIGMA_PER_MONTH = 0.25
"""Growth of a player's variance in a month without matches, as a standard deviation."""
NOISE, NOISE_OF_SIDES = 25.0 / 6, 50.0 / 3
"""The luck in a match (openskill's beta): for single players, and for sides."""
CERTAIN = 0.001
"""`sigma` of the players who fill up the smaller side."""


class Skill(NamedTuple):
    """A normal distribution of somebody's strength."""

    mu: float = MU
    sigma: float = SIGMA

    def aged(self, months: float) -> Skill:
        """Return the skill after this number of months without a match."""
        variance = self.sigma**2 + SIGMA_PER_MONTH**2 * max(0.0, months)
        return Skill(self.mu, min(SIGMA, variance**0.5))


def rate_players(skills: Sequence[Skill], places: Sequence[int], learn: bool) -> list[Skill]:
    """Return the skills after a match of everybody against everybody.

    Equal places are ties. `learn` tells whether the players are people, who change over time.
    """
    return [team[0] for team in _rate([[one] for one in skills], places, NOISE, learn)]


def rate_sides(
    skills: Sequence[Skill],
    sides: Sequence[str],
    places: Sequence[int],
    strengths: Mapping[str, Skill],
    learn: bool,
) -> tuple[list[Skill], dict[str, Skill]]:
    """Return the skills of the players and of the sides after a match between sides.

    `strengths` are the skills of the sides, each of which counts as one more member of its team.
    Average players join the smaller teams until all have the same size.
    """
    teams = {side: [at for at, on in enumerate(sides) if on == side] for side in sorted({*sides})}
    size = max(map(len, teams.values()))
    rated = [
        [strengths.get(side, Skill()), *(skills[at] for at in team)]
        + [Skill(fmean(skills[at].mu for at in team), CERTAIN)] * (size - len(team))
        for side, team in teams.items()
    ]
    best = [min(places[at] for at in team) for team in teams.values()]
    after = list(skills)
    strengths_after = {}
    for (side, team), (strength, *members) in zip(
        teams.items(), _rate(rated, best, NOISE_OF_SIDES, learn), strict=True
    ):
        strengths_after[side] = strength
        for at, skill in zip(team, members, strict=False):  # the rest are average players
            after[at] = skill
    return after, strengths_after


def expected_places(skills: Sequence[Skill]) -> list[tuple[int, int]]:
    """Return the best and worst place expected of each player, counted from 1.

    The expected place is seldom a whole number, so it lies between two places.
    """
    model = _model(NOISE, learn=False)
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in skills]
    found = []
    for at, team in enumerate(teams):
        others = [other for i, other in enumerate(teams) if i != at]
        place = 1 + sum(model.predict_win([team, other])[1] for other in others)
        found.append((int(place + 0.25), max(1, min(len(skills), int(place + 0.75)))))
    return found


def _model(noise: float, learn: bool) -> PlackettLuce:
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=noise, tau=TAU if learn else 0.0)


def _rate(
    teams: Sequence[Sequence[Skill]], places: Sequence[int], noise: float, learn: bool
) -> list[list[Skill]]:
    model = _model(noise, learn)
    given = [[model.rating(mu=one.mu, sigma=one.sigma) for one in team] for team in teams]
    after = model.rate(given, ranks=[float(place) for place in places])
    return [[Skill(one.mu, min(SIGMA, one.sigma)) for one in team] for team in after]
