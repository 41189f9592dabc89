"""Ratings order players by strength, and stay where they are on average."""

from __future__ import annotations

from random import Random
from statistics import correlation, fmean

from games.history.skill import (
    MU,
    SIGMA,
    Skill,
    expected_places,
    rate_players,
    rate_sides,
)

PLAYERS = 60
SPREAD = 25.0 / 6


def ranks(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    return [float(order.index(at)) for at in range(len(values))]


def strengths(chance: Random) -> list[float]:
    return [chance.gauss(MU, SPREAD) for _ in range(PLAYERS)]


def check(true: list[float], found: list[Skill], least: float) -> None:
    assert correlation(ranks(true), ranks([one.mu for one in found])) >= least
    assert abs(fmean(one.mu for one in found) - MU) < 1
    assert all(0 < one.sigma <= SIGMA for one in found)


def test_players_are_ordered_by_strength_after_100_matches_each() -> None:
    chance = Random(1)
    true, found = strengths(chance), [Skill()] * PLAYERS
    for _ in range(PLAYERS * 100 // 4):
        seated = chance.sample(range(PLAYERS), 4)
        played = [chance.gauss(true[one], SPREAD) for one in seated]
        places = [1 + sum(other > mine for other in played) for mine in played]
        after = rate_players([found[one] for one in seated], places, learn=True)
        for one, skill in zip(seated, after, strict=True):
            found[one] = skill
    check(true, found, 0.9)


def test_players_of_unequal_sides_are_ordered_by_strength_after_350_matches_each() -> None:
    chance = Random(2)
    true, found = strengths(chance), [Skill()] * PLAYERS
    sides, known = ["liberal"] * 4 + ["fascist"] * 3, dict[str, Skill]()
    for _ in range(PLAYERS * 350 // 7):
        seated = chance.sample(range(PLAYERS), 7)
        played = [chance.gauss(true[one], SPREAD) for one in seated]
        ahead = fmean(played[:4]) - fmean(played[4:]) - 1.5  # fascists know each other
        places = [1 if (ahead > 0) == (side == "liberal") else 2 for side in sides]
        after, known = rate_sides([found[one] for one in seated], sides, places, known, learn=True)
        for one, skill in zip(seated, after, strict=True):
            found[one] = skill
    check(true, found, 0.75)
    assert known["fascist"].mu > known["liberal"].mu


def test_ties_change_nothing_between_equals() -> None:
    after = rate_players([Skill()] * 3, [1, 1, 1], learn=True)
    assert all(abs(one.mu - MU) < 1e-9 for one in after)


def test_programs_do_not_get_less_certain() -> None:
    sure = [Skill(25, 1.0), Skill(25, 1.0)]
    learning, fixed = (rate_players(sure, [1, 2], learn)[0].sigma for learn in (True, False))
    assert fixed < 1.0
    assert fixed < learning


def test_skill_gets_less_certain_in_time_but_never_less_than_at_the_start() -> None:
    assert Skill(30, 2).aged(0) == Skill(30, 2)
    assert Skill(30, 2).aged(-3) == Skill(30, 2)
    assert 2 < Skill(30, 2).aged(12).sigma < Skill(30, 2).aged(24).sigma
    assert Skill(30, 8).aged(10_000).sigma == SIGMA


def test_expected_places_follow_the_skills() -> None:
    found = expected_places([Skill(40, 1), Skill(25, 1), Skill(10, 1)])
    assert found == [(1, 1), (2, 2), (3, 3)]
    even = expected_places([Skill(), Skill()])
    assert even == [(1, 2), (1, 2)]
