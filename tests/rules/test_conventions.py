"""Each convention detects a planted violation. `test_laws.py` applies them to the games."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import Change, everyone
from games.contract.data import BySeat, Seat
from games.contract.game import AnyGame
from games.contract.luck import Luck
from tests.kit import conventions, toy
from tests.kit.altered import altered
from tests.kit.cases import Played
from tests.kit.play import Playthrough
from tests.kit.toy import TOY, Keep, ToyState

MATCHES = 20
TOY_SECRETS = SimpleNamespace(scramble=toy.scramble)

Law = Callable[[Playthrough], None]


LAWS: list[Law] = [
    conventions.late_answers_do_not_count,
    conventions.first_comes_the_echo,
    conventions.what_no_hand_did_says_so,
    conventions.seats_stay_seats_in_json,
    conventions.who_is_out_sees_what_the_gallery_sees,
    lambda playthrough: conventions.told_the_same_is_seen_the_same(playthrough, TOY_SECRETS),
]


def every_law(game: AnyGame) -> None:
    played = Played(game, 4, toy.ToyOptions())
    for playthrough in played.every_moment(MATCHES):
        for law in LAWS:
            law(playthrough)
    for playthrough, before in played.steps(MATCHES):
        conventions.answers_buy_no_time(playthrough, before)


def fails(game: AnyGame, saying: str) -> None:
    with pytest.raises(AssertionError, match=saying):
        every_law(game)


def with_apply(
    swap: Callable[[Change[ToyState], ToyState, Seat, Any], Change[ToyState]],
) -> AnyGame:
    """The toy game with `swap` applied to the result of every move."""

    def apply(state: ToyState, seat: Seat, move: Any, luck: Luck) -> Change[ToyState]:
        return swap(toy.apply(state, seat, move, luck), state, seat, move)

    return altered(TOY, apply=apply)


def test_late_answers_counted_after_a_lapse_are_caught() -> None:
    def lapse(state: ToyState, luck: Luck) -> Change[ToyState]:
        change = toy.lapse(state, luck)
        return Change(changed(change.state, prompts=state.prompts), change.told)

    fails(altered(TOY, lapse=lapse), "a late answer")


def test_answer_that_extends_the_deadline_of_others_is_caught() -> None:
    def later(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, clock=state.clock + 1), change.told)

    fails(with_apply(later), "gives the others more time")


def test_move_without_an_echo_is_caught() -> None:
    def silent(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, () if isinstance(move, Keep) else change.told)

    fails(with_apply(silent), "has no echo")


def test_unmarked_automatic_move_is_caught() -> None:
    def lapse(state: ToyState, luck: Luck) -> Change[ToyState]:
        change = toy.lapse(state, luck)
        told = (everyone(toy.Kept(state.at)),) if state.phase == "change" else change.told
        return Change(change.state, told)

    fails(altered(TOY, lapse=lapse), "not marked as automatic")


def test_eliminated_seat_that_still_sees_its_secret_is_caught() -> None:
    def view(state: ToyState, viewer: Any) -> Any:
        number = None if viewer is None else state.numbers[viewer]
        return changed(toy.view(state, viewer), number=number)

    fails(altered(TOY, view=view), r"is out, .*: number is None here and \d+ there")


def test_seat_that_becomes_a_number_in_json_is_caught() -> None:
    def setup(n: int, options: toy.ToyOptions, luck: Luck) -> Change[ToyState]:
        change = toy.setup(n, options, luck)
        return Change(changed(change.state, numbers=BySeat({Seat(0): Seat(3)})), change.told)

    with pytest.raises(AssertionError, match="Seat"):
        conventions.seats_stay_seats_in_json(
            Playthrough(altered(TOY, setup=setup), 4, toy.ToyOptions(), 1)
        )


def test_deadline_that_later_reveals_a_secret_is_caught() -> None:
    def late(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        odd = state.numbers[seat] % 2
        return Change(changed(change.state, clock=change.state.clock + odd), change.told)

    fails(with_apply(late), "told the same")
