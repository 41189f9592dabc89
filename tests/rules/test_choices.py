"""Offers are enough to play: build a move, check whether it is offered, draw one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from games.contract.choices import (
    every_move,
    is_offered,
    random_move,
    sometimes_random,
)
from games.contract.core import ClaimMade, Event, Move, Offer, OneOf, Some, offer
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck, ScriptedLuck

A, B, C = Seat(0), Seat(1), Seat(2)


class Wait(Move, frozen=True):
    pass


class Point(Move, frozen=True):
    at_seat: Seat
    skip_target: Seat | None = None


class Say(Move, frozen=True):
    word: str
    loud: bool


class Lay(Move, frozen=True):
    cards: tuple[str, ...]


class Keep(Move, frozen=True):
    keep: tuple[int, ...]


class Count(Move, frozen=True):
    number: int


MOVES = Wait | Point | Say | Lay | Keep | Count

POINT = offer(Point, at_seat=OneOf((A, B)))
SAY = offer(Say, word=OneOf(("yes", "no")), loud=OneOf((True, False)))
LAY = offer(Lay, cards=Some(some=("a", "b", "c"), least=1, most=2, ordered=True))
KEEP = offer(Keep, keep=Some(some=(0, 1, 2), least=2, most=2))


def test_ordered_pick_is_enumerated_in_every_order_and_size() -> None:
    laid = [move.cards for move in every_move(MOVES, LAY) if isinstance(move, Lay)]
    assert laid[:3] == [("a",), ("b",), ("c",)]
    assert set(laid[3:]) == {(x, y) for x in "abc" for y in "abc" if x != y}
    assert len(laid) == 9


def test_unordered_pick_is_enumerated_once() -> None:
    assert list(every_move(MOVES, KEEP)) == [Keep((0, 1)), Keep((0, 2)), Keep((1, 2))]


def test_pick_may_be_empty() -> None:
    free = offer(Keep, keep=Some(some=(0, 1), least=0, most=2))
    assert Keep(()) in list(every_move(MOVES, free))
    assert is_offered([free], Keep(()))


NOT_OFFERED: Sequence[tuple[Move, str]] = (
    (Wait(), "another move"),
    (Point(C), "a seat that is not listed"),
    (Point(A, B), "an argument that is not listed"),
    (Point(0), "a number for a seat"),
    (Say("maybe", True), "a word that is not listed"),
    (Say("yes", 1), "a number for a truth"),
    (Lay(()), "too few"),
    (Lay(("a", "b", "c")), "too many"),
    (Lay(("a", "a")), "one thing twice"),
    (Lay(("a", "d")), "a thing that is not listed"),
    (Lay(["a"]), "a list"),
    (Keep((True, 2)), "a truth for a number"),
    (Keep((Seat(1), Seat(2))), "seats for numbers"),
)


@pytest.mark.parametrize(("move", "why"), NOT_OFFERED, ids=[why for _, why in NOT_OFFERED])
def test_unlisted_move_is_not_offered(move: Move, why: str) -> None:
    assert not is_offered([POINT, SAY, LAY, KEEP], move)


def test_unordered_pick_matches_in_any_order() -> None:
    assert is_offered([KEEP], Keep((2, 0)))


def test_arguments_of_different_offers_do_not_mix() -> None:
    offers = [
        offer(Point, at_seat=OneOf((A,)), skip_target=OneOf((B,))),
        offer(Point, at_seat=OneOf((B,)), skip_target=OneOf((C,))),
    ]
    assert is_offered(offers, Point(A, B))
    assert not is_offered(offers, Point(A, C))
    assert not is_offered(offers, Point(A))


def test_listed_optional_argument_is_required() -> None:
    listed = offer(Point, at_seat=OneOf((A,)), skip_target=OneOf((B,)))
    assert not is_offered([listed], Point(A))
    assert is_offered([listed, POINT], Point(A))


def test_random_move_is_uniform_over_complete_moves() -> None:
    luck = Luck(b"seed", 1)
    moves: list[Any] = [random_move(MOVES, [offer(Wait), SAY], luck) for _ in range(5000)]
    counted = Counter(moves)
    assert set(counted) == {Wait(), *every_move(MOVES, SAY)}
    assert all(850 < n < 1150 for n in counted.values())


def test_pick_counts_as_one_move_regardless_of_its_variants() -> None:
    luck = Luck(b"seed", 2)
    moves = [random_move(MOVES, [offer(Wait), LAY], luck) for _ in range(2000)]
    assert 900 < sum(isinstance(move, Wait) for move in moves) < 1100


def test_random_pick_draws_its_size_and_then_an_order() -> None:
    luck = ScriptedLuck(offer=[0], size=[1], some=[(2, 0, 1)])
    assert random_move(MOVES, [LAY], luck) == Lay(("c", "a"))


def test_risky_offer_is_drawn_only_if_nothing_else_is_offered() -> None:
    risky = offer(Count, risky=True, number=OneOf((1, 2)))
    luck = Luck(b"seed", 3)
    assert {random_move(MOVES, [risky, offer(Wait)], luck) for _ in range(50)} == {Wait()}
    assert {random_move(MOVES, [risky], luck) for _ in range(50)} == {Count(1), Count(2)}


def counting(
    seat: Seat,
    view: Any,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Move:
    return Count(1)


def test_easy_bot_plays_the_given_percentage_at_random() -> None:
    easy = sometimes_random(MOVES, counting, 25)
    offers = [offer(Wait), offer(Count, risky=True, number=OneOf((1,)))]
    luck = BotLuck(b"seed", 6)
    moves = [easy(A, None, offers, (), (), luck) for _ in range(2000)]
    assert 430 < sum(isinstance(move, Wait) for move in moves) < 570
    never = sometimes_random(MOVES, counting, 0)
    assert all(never(A, None, offers, (), (), luck) == Count(1) for _ in range(100))
