"""Apply laws to a toy game with planted faults (`tests/rules/test_planted_faults.py`)."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import Change
from games.contract.data import Seat
from games.contract.game import AnyGame
from tests.kit import laws, secrecy, toy, wording
from tests.kit.altered import altered
from tests.kit.cases import Played
from tests.kit.play import Playthrough
from tests.kit.toy import TOY, ToyState

N, SEEDS = 4, range(6)
SECRETS = SimpleNamespace(
    scramble=toy.scramble,
    invariants=toy.invariants,
    REVEALS=toy.REVEALS,
    PRIVATE=toy.PRIVATE,
    DRAWN=toy.DRAWN,
    OPTIONS=toy.OPTIONS,
)


def it_ends(game: AnyGame) -> None:
    for seed in SEEDS:
        laws.it_ends(game, N, game.rules.options(), seed, (Seat(1),))


def silence_ends(game: AnyGame) -> None:
    laws.silence_ends(game, N, game.rules.options(), 1)


def leaving_ends(game: AnyGame) -> None:
    for seed in SEEDS:
        laws.leaving_ends(game, N, game.rules.options(), seed)


def played(game: AnyGame) -> Played:
    return Played(game, N, game.rules.options())


def replays(game: AnyGame) -> None:
    for playthrough in played(game).ends(len(SEEDS)):
        laws.same_luck_same_match(playthrough)


def at_every_moment(law: Callable[[Playthrough], None]) -> Callable[[AnyGame], None]:
    def check(game: AnyGame) -> None:
        for playthrough in played(game).every_moment(len(SEEDS)):
            law(playthrough)

    return check


def questions(game: AnyGame) -> None:
    for playthrough, before in played(game).steps(len(SEEDS)):
        laws.no_question_is_open_twice(playthrough, before)


def audiences(game: AnyGame) -> None:
    for playthrough, before in played(game).steps(len(SEEDS)):
        laws.told_to_whom_it_concerns(playthrough, game.rules.out(before.state))


def bots(game: AnyGame) -> None:
    for seed in SEEDS:
        secrecy.bots_are_legal(game, N, game.rules.options(), seed)


survives_json = at_every_moment(laws.survives_json)
offered = at_every_moment(laws.accepted_is_offered)
secret = at_every_moment(
    lambda playthrough: secrecy.hidden_things_make_no_difference(playthrough, SECRETS)
)
private = at_every_moment(
    lambda playthrough: secrecy.private_events_name_their_recipients(playthrough.change, SECRETS)
)
conserved = at_every_moment(lambda playthrough: toy.invariants(playthrough.state))
words = at_every_moment(wording.words_are_complete)
LAWS = (it_ends, silence_ends, leaving_ends, replays, questions, audiences, bots)
LAWS += (survives_json, offered, secret, private, conserved, words)


def after(swap: Callable[[Change[Any], ToyState, Seat, Any], Change[Any]]) -> AnyGame:
    """The toy game with `swap` applied to the result of every move."""

    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        return swap(toy.apply(state, seat, move, luck), state, seat, move)

    return altered(TOY, apply=apply)


def view_with(**facts: Callable[[ToyState], Any]) -> AnyGame:
    """The toy game with these fields replaced in its view."""

    def view(state: ToyState, viewer: Any) -> Any:
        return changed(toy.view(state, viewer), **{k: of(state) for k, of in facts.items()})

    return altered(TOY, view=view)


def highest(state: ToyState) -> Seat:
    return max(state.numbers, key=lambda seat: state.numbers[seat])


def fails(law: Callable[[AnyGame], None], game: AnyGame, saying: str) -> None:
    with pytest.raises(AssertionError, match=saying):
        law(game)
