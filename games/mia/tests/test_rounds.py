"""Mia: the course of a round and the cost of losing, for every option."""

from __future__ import annotations

import pytest

from games.contract.core import Refused
from games.contract.data import BySeat
from games.engine.options import read_options
from games.mia import GAME
from games.mia.rules.state import (
    MIA,
    LivesLeft,
    Score,
    ranking,
)
from games.mia.tests.table import Table
from tests.kit.scene import A, B, C, D

USUAL = ranking(False)


def test_all_21_values_are_ranked_as_documented() -> None:
    assert (
        *("3,1", "3,2", "4,1", "4,2", "4,3", "5,1", "5,2", "5,3", "5,4"),
        *("6,1", "6,2", "6,3", "6,4", "6,5"),
        *("1,1", "2,2", "3,3", "4,4", "5,5", "6,6", "2,1"),
    ) == USUAL
    assert ranking(True) == (*USUAL[1:20], "3,1", MIA)


def test_dice_of_a_losing_announcement_are_not_shown() -> None:
    table = Table().say(A, "6,6").say(B, "1,1")
    assert table.kinds() == ["Announced", "PlayerLost", "LivesLeft"]
    assert table.view(None).shown is None


def test_only_the_last_announcement_is_judged() -> None:
    table = Table().say(A, "6,5", rolled="3,1").say(B, "1,1")
    assert table.see(C).lost() == ("SEE_FAILED", (C,))


def test_every_announcement_after_the_highest_is_risky() -> None:
    table = Table().say(A, "6,6").roll(B, "3,2")
    assert table.choices(B, risky=False) == ()
    assert table.choices(B, risky=True) == USUAL


def test_first_player_may_announce_anything_safely_except_a_false_mia() -> None:
    table = Table().roll(A, "3,2")
    assert table.choices(A, risky=False) == USUAL[:20]
    assert table.choices(A, risky=True) == (MIA,)


def test_little_mia_is_offered_above_the_doubles() -> None:
    table = Table(little_mia=True).say(A, "6,6").roll(B, "4,1")
    assert table.choices(B, risky=False) == ("3,1",)
    assert Table(little_mia=True).say(A, "3,1").say(B, "6,6").lost()[1] == (B,)


def test_faults_and_early_calls_are_risky_if_faults_lose() -> None:
    def offered(table: Table) -> list[tuple[str, bool]]:
        return [(offer.move, offer.risky) for offer in GAME.rules.offers(table.state, A)]

    strict = Table(on_fault="lose")
    assert offered(strict) == [("Roll", False), ("See", True), ("Fault", True)]
    assert offered(strict.roll(A, "3,2"))[-1] == ("Fault", True)
    assert offered(Table()) == [("Roll", False)]


@pytest.mark.parametrize(("cost", "left"), [(1, 2), (2, 1)])
def test_mia_costs_applies_only_to_a_mia(cost: int, left: int) -> None:
    true = Table(mia_costs=cost).say(A, "2,1")
    assert true.event(LivesLeft).lives == BySeat({A: 3, B: left, C: left})
    lie = Table(mia_costs=cost).say(A, "2,1", rolled="5,5")
    assert lie.event(LivesLeft).lives == BySeat({A: left, B: 3, C: 3})
    assert Table(mia_costs=cost).out_of_time().event(LivesLeft).lives[A] == 2


def test_lives_never_fall_below_zero() -> None:
    table = Table(2, lives=1, mia_costs=2).say(A, "2,1")
    assert table.event(LivesLeft).lives == BySeat({A: 1, B: 0})
    assert table.kinds() == ["Announced", "ActualDice", "PlayerLost", "LivesLeft", "PlayerOut"]


def test_players_eliminated_together_share_a_place() -> None:
    table = Table(4, lives=1).say(A, "6,5").see(B).go_on().say(C, "2,1")
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.places == ((C,), (A, D), (B,))
    assert outcome.winners == (C,)


def test_everybody_except_the_losers_scores_a_point() -> None:
    table = Table(scoring="points", rounds=3).out_of_time()
    assert table.event(Score).points == BySeat({A: 0, B: 1, C: 1})
    table.go_on(order=(0, 1, 2)).say(A, "2,1")
    assert table.event(Score).points == BySeat({A: 1, B: 1, C: 1})


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("lives", 10),
        ("rounds", 0),
        ("humanMs", 999),
        ("miaCosts", 3),
        ("scoring", "none"),
        ("littleMia", 1),
    ],
)
def test_options_out_of_range_are_refused(name: str, bad: object) -> None:
    with pytest.raises(Refused, match="bad_options") as refused:
        read_options(GAME, {name: bad})
    assert refused.value.facts["option"] == name
    assert refused.value.facts["allowed"]
