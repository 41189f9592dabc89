"""Laws about questions, offers and accepted moves catch their faults."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import (
    Change,
    OneOf,
    Refused,
    Some,
    Turn,
    answered,
    offer,
)
from games.contract.data import NOBODY, Seat
from tests.kit import laws, nonsense, toy
from tests.kit.altered import altered
from tests.kit.planted import N, after, fails, offered, questions, replays
from tests.kit.play import match
from tests.kit.toy import TOY, Guess, Swap, ToyState

# 5: no question is asked twice


def test_a_double_move_is_caught() -> None:
    def kept(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if not isinstance(move, Guess):
            return change
        return Change(changed(change.state, prompts=state.prompts), change.told)

    fails(questions, after(kept), "can be made twice")


def test_a_vote_that_puts_the_question_to_others_anew_is_caught() -> None:
    def anew(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if change.state.clock != state.clock:
            return change
        return Change(answered(change.state, Seat((seat + 1) % N)), change.told)

    fails(questions, after(anew), "without a new clock")


def test_a_prompt_that_comes_again_is_caught() -> None:
    def back(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, prompts=(0,) * N), change.told)

    fails(questions, after(back), "a second time|made twice")


def test_another_question_under_the_same_prompt_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        made = toy.offers(state, seat)
        return made[: len(made) - 1 + len(state.guesses) % 2] if len(made) > 1 else made

    def guessing(state: ToyState, seat: Seat) -> Any:
        if state.phase != "guess" or seat not in toy.awaited(state):
            return offers(state, seat)
        return (offer(Guess, username=OneOf(toy.inside(state)[: N - len(state.guesses)])),)

    fails(questions, altered(TOY, offers=guessing), "another question")


def test_an_uncounted_turn_is_caught() -> None:
    def turn(state: ToyState) -> Turn:
        return changed(toy.turn(state), count=1)

    fails(questions, altered(TOY, turn=turn), "not counted")


# 6 and 7: what is accepted is offered, and nothing is changed in place


def test_a_move_accepted_though_not_offered_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return tuple(o for o in toy.offers(state, seat) if o.move != "Swap")

    fails(offered, altered(TOY, offers=offers), "though it is not offered")


def test_an_unknown_name_that_is_accepted_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        if isinstance(move, Guess) and move.username == NOBODY and state.phase == "guess":
            move = Guess(seat)
        return toy.apply(state, seat, move, luck)

    fails(offered, altered(TOY, apply=apply), "though it is not offered")


def test_an_offer_that_is_refused_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        if isinstance(move, Guess) and move.username == seat:
            raise Refused("bad_target")
        return toy.apply(state, seat, move, luck)

    fails(offered, altered(TOY, apply=apply), "offered and not accepted")


def test_an_offer_of_nothing_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return tuple(
            changed(o, args={"username": OneOf(())}) if o.args else o
            for o in toy.offers(state, seat)
        )

    playthrough = next(match(altered(TOY, offers=offers), N, toy.OPTIONS[0], 1))
    playthrough.state = changed(playthrough.state, phase="guess")
    with pytest.raises(AssertionError, match="a choice of nothing"):
        laws.accepted_is_offered(playthrough)


def test_an_offer_that_asks_for_too_many_is_caught() -> None:
    with pytest.raises(AssertionError):
        nonsense.how_many(Some(some=("a",), least=2, most=2))


def test_a_changed_argument_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        made = toy.apply(state, seat, move, luck)
        if isinstance(move, Swap):
            state.numbers._of[seat] = made.state.numbers[seat]
        return made

    fails(offered, altered(TOY, apply=apply), "changed in place")
    fails(replays, altered(TOY, apply=apply), "changed the state it was given")
