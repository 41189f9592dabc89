"""Mia: the course of a round and the cost of losing, for every option."""

from __future__ import annotations

import pytest

from games.contract.core import Outcome, Refused
from games.contract.data import BySeat
from games.engine.options import read_options
from games.mia import GAME
from games.mia.rules.state import (
    MIA,
    ActualDice,
    Continue,
    LivesLeft,
    Roll,
    Score,
    See,
    ranking,
)
from games.mia.tests.table import Table
from tests.kit.scene import A, B, C, D

USUAL = ranking(False)


def test_all_21_values_are_ranked_as_the_game_is_played() -> None:
    assert (
        *("3,1", "3,2", "4,1", "4,2", "4,3", "5,1", "5,2", "5,3", "5,4"),
        *("6,1", "6,2", "6,3", "6,4", "6,5"),
        *("1,1", "2,2", "3,3", "4,4", "5,5", "6,6", "2,1"),
    ) == USUAL
    assert ranking(True) == (*USUAL[1:20], "3,1", MIA)


def test_a_mia_is_shown_and_nobody_is_asked() -> None:
    table = Table().say(A, "2,1")
    assert table.kinds() == ["Announced", "ActualDice", "PlayerLost", "LivesLeft"]
    assert table.event(ActualDice).dice == MIA
    assert Table().say(A, "2,1", rolled="5,5").event(ActualDice).dice == "5,5"


def test_dice_that_lose_at_once_are_not_shown() -> None:
    table = Table().say(A, "6,6").say(B, "1,1")
    assert table.kinds() == ["Announced", "PlayerLost", "LivesLeft"]
    assert table.view(None).shown is None


def test_dice_are_judged_by_the_last_announcement_only() -> None:
    table = Table().say(A, "6,5", rolled="3,1").say(B, "1,1")
    assert table.see(C).lost() == ("SEE_FAILED", (C,))


def test_after_the_highest_everything_is_risky() -> None:
    table = Table().say(A, "6,6").roll(B, "3,2")
    assert table.choices(B, risky=False) == ()
    assert table.choices(B, risky=True) == USUAL


def test_the_first_may_say_anything_but_a_mia_it_has_not_got() -> None:
    table = Table().roll(A, "3,2")
    assert table.choices(A, risky=False) == USUAL[:20]
    assert table.choices(A, risky=True) == (MIA,)


def test_the_little_mia_is_offered_above_the_doubles() -> None:
    table = Table(little_mia=True).say(A, "6,6").roll(B, "4,1")
    assert table.choices(B, risky=False) == ("3,1",)
    assert Table(little_mia=True).say(A, "3,1").say(B, "6,6").lost()[1] == (B,)


def test_what_is_risky_where_faults_lose() -> None:
    def offered(table: Table) -> list[tuple[str, bool]]:
        return [(offer.move, offer.risky) for offer in GAME.rules.offers(table.state, A)]

    strict = Table(on_fault="lose")
    assert offered(strict) == [("Roll", False), ("See", True), ("Fault", True)]
    assert offered(strict.roll(A, "3,2"))[-1] == ("Fault", True)
    assert offered(Table()) == [("Roll", False)]


def test_the_turn_goes_round_and_is_counted() -> None:
    table = Table().say(A, "3,1").say(B, "3,2").say(C, "4,1")
    turn = GAME.rules.turn(table.state)
    assert (turn.seat, turn.count, turn.next) == (A, 4, B)
    assert GAME.rules.turn(table.see(A).state).seat is None


def test_with_points_nobody_knows_who_begins_the_next_round() -> None:
    assert GAME.rules.turn(Table(scoring="points").out_of_time().state).next is None
    assert GAME.rules.turn(Table().out_of_time().state).next == A


def test_nobody_rolls_twice_or_sees_under_the_own_cup() -> None:
    rolled = Table().roll(A, "5,3")
    assert rolled.ignores(A, Roll())
    assert rolled.ignores(A, See())


def test_nothing_is_asked_when_it_is_over() -> None:
    table = Table(2, lives=1).out_of_time()
    for seat in (A, B):
        for move in (Roll(), Continue()):
            assert table.ignores(seat, move)


def test_each_question_has_its_time() -> None:
    table = Table()
    assert GAME.rules.patience(table.state) == 30
    assert GAME.rules.patience(table.roll(A, "3,1").state) == 30
    assert GAME.rules.patience(table.out_of_time().state) == 6
    assert GAME.rules.patience(Table(2, lives=1).out_of_time().state) is None


def test_the_loser_starts_the_next_round() -> None:
    assert Table().say(A, "3,1").see(B).go_on().on_turn == B


@pytest.mark.parametrize(("cost", "left"), [(1, 2), (2, 1)])
def test_only_a_mia_costs_what_the_option_says(cost: int, left: int) -> None:
    true = Table(mia_costs=cost).say(A, "2,1")
    assert true.event(LivesLeft).lives == BySeat({A: 3, B: left, C: left})
    lie = Table(mia_costs=cost).say(A, "2,1", rolled="5,5")
    assert lie.event(LivesLeft).lives == BySeat({A: left, B: 3, C: 3})
    assert Table(mia_costs=cost).out_of_time().event(LivesLeft).lives[A] == 2


def test_lives_never_fall_below_none() -> None:
    table = Table(2, lives=1, mia_costs=2).say(A, "2,1")
    assert table.event(LivesLeft).lives == BySeat({A: 1, B: 0})
    assert table.kinds() == ["Announced", "ActualDice", "PlayerLost", "LivesLeft", "PlayerOut"]


def test_who_goes_out_together_shares_a_place() -> None:
    table = Table(4, lives=1).say(A, "6,5").see(B).go_on().say(C, "2,1")
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.places == ((C,), (A, D), (B,))
    assert outcome.winners == (C,)


def test_with_points_everybody_but_the_losers_scores() -> None:
    table = Table(scoring="points", rounds=3).out_of_time()
    assert table.event(Score).points == BySeat({A: 0, B: 1, C: 1})
    table.go_on(order=(0, 1, 2)).say(A, "2,1")
    assert table.event(Score).points == BySeat({A: 1, B: 1, C: 1})


def test_with_points_the_match_goes_on_to_its_last_round() -> None:
    table = Table(scoring="points", rounds=2).out_of_time().go_on(order=(0, 1, 2))
    assert GAME.rules.outcome(table.state) is None
    table.out_of_time()
    points = BySeat({A: 0, B: 2, C: 2})
    assert GAME.rules.outcome(table.state) == Outcome((B, C), ((B, C), (A,)), points, "rounds")


@pytest.mark.parametrize(
    "good", [{"lives": 9}, {"rounds": 1000}, {"humanMs": 0}, {"humanMs": 1000}, {"miaCosts": 2}]
)
def test_options_at_their_limits_are_good(good: dict[str, object]) -> None:
    assert read_options(GAME, good) != GAME.rules.options()


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("lives", 10),
        ("lives", 0),
        ("rounds", 0),
        ("rounds", 1001),
        ("humanMs", 999),
        ("humanMs", 120001),
        ("miaCosts", 3),
        ("onFault", "pardon"),
        ("scoring", "none"),
        ("onLeave", "abort"),
        ("littleMia", 1),
        ("mustRaise", "no"),
    ],
)
def test_options_beyond_their_limits_are_refused(name: str, bad: object) -> None:
    with pytest.raises(Refused, match="bad_options") as refused:
        read_options(GAME, {name: bad})
    assert refused.value.facts["option"] == name
    assert refused.value.facts["allowed"]
