"""Iron Throne bots: moves of `normal` in key situations, and playouts of `hard`."""

from __future__ import annotations

import pytest

from games.contract.core import Event, Move
from games.contract.data import Seat
from games.contract.luck import BotLuck, Manner, Temper
from games.coup import GAME
from games.coup.bots.shrewd import normal
from games.coup.rules.state import (
    ActionDeclared,
    Assassinate,
    Block,
    Challenge,
    CoupOptions,
    Exchange,
    Pass,
    Steal,
    Tax,
)
from games.coup.tests.table import SPARE, passes, scene
from games.management.arena import compare
from tests.kit.scene import A, B, C, Scene


def decides(
    table: Scene, who: Seat, heard: tuple[Event, ...] = (), luck: int = 1, temper: Temper = "plain"
) -> Move:
    """Return the move of `normal`."""
    view, offers = GAME.rules.view(table.state, who), GAME.rules.offers(table.state, who)
    return normal(who, view, offers, heard, (), BotLuck(b"coup", luck, Manner(temper)))


def all_it_does(table: Scene, who: Seat, temper: Temper = "plain") -> list[Move]:
    return [decides(table, who, luck=luck, temper=temper) for luck in range(200)]


def test_bot_does_not_stop_the_assassination_of_a_rival() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya", "jaqen"), coins=(3, 2, 2))
    assert decides(table.do(A, Assassinate(C)), B) == Pass()


def test_bot_challenges_an_impossible_claim_unless_the_claimant_is_weaker() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya",), coins=(3, 2, 2))
    hands = table.state.hands
    shown = (hands[C][0], type(hands[C][0])("hound", True))
    table.set(hands=(hands[A], hands[B], shown)).do(A, Assassinate(C))
    assert decides(table, B) == Challenge()
    weaker = table.set(hands=(shown[1:] + hands[A][1:], hands[B], hands[A]))
    assert decides(weaker, B) == Pass()


@pytest.mark.parametrize(("coins", "does"), [(9, Challenge()), (4, Pass())])
def test_bot_about_to_lose_challenges_the_block(coins: int, does: Move) -> None:
    """The rival probably holds the role it claims. Only a Coup next turn justifies a challenge."""
    table = scene(("melisandre",), ("arya", "baelish"), coins=(2, coins)).do(A, Steal(B))
    passes(table).do(B, Block("jaqen"))
    assert decides(table, A, (ActionDeclared(B, "Exchange", None, "jaqen"),)) == does


def test_bot_steals_from_a_rival_to_prevent_a_fatal_coup() -> None:
    table = scene(("arya",), ("melisandre", "hound"), coins=(2, 8))
    assert decides(table, A) == Steal(B)


def test_bot_ends_the_match_if_it_can() -> None:
    table = scene(("hound", "baelish"), ("jaqen",), coins=(3, 2))
    assert set(all_it_does(table, A)) == {Assassinate(B)}


def test_bot_with_two_influences_does_not_bluff_against_an_assassination() -> None:
    two = scene(("hound", "arya"), ("arya", "jaqen"), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(two), B) == Pass()
    one = scene(("hound", "arya"), ("jaqen",), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(one), B) == Block("melisandre")


def test_bots_make_cheap_bluffs_and_bold_bots_more_often() -> None:
    table = scene(("baelish", "melisandre"), SPARE, SPARE)
    odd: dict[Temper, int] = {}
    for temper in ("careful", "plain", "bold"):
        moves = all_it_does(table, A, temper)
        assert set(map(type, moves)) <= {Tax, Steal, Exchange}
        odd[temper] = sum(not isinstance(move, Tax) for move in moves)
    assert 0 < odd["careful"] < odd["plain"] < odd["bold"] < 100


@pytest.mark.long
@pytest.mark.parametrize(("others", "bound"), [("normal", 0.68), ("random", 0.70)])
def test_hard_beats_the_other_levels(others: str, bound: float) -> None:
    tally = compare("coup", CoupOptions(), 2, "hard", others, 200, workers=1)
    assert tally.rate > bound
    assert (tally.illegal, tally.fallbacks) == (0, 0)
