"""Each law catches the fault it is there for: faults are planted in Mia and have to be found."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from games.rules.core import AnyGame, Change, Move, Offer, everyone
from games.rules.data import Seat, Viewer
from games.rules.luck import Luck
from games.rules.mia import GAME
from games.rules.mia.state import Continue, MiaOptions, Rolled
from tests.rules import laws
from tests.rules.secrets import mia

OPTIONS = MiaOptions(lives=1)


def caught(game: AnyGame, law: Callable[[Any], None]) -> bool:
    """Whether a law objects somewhere in a few random matches."""
    try:
        for seed in range(6):
            for walk in laws.walks(game, 3, OPTIONS, seed):
                law(walk)
    except AssertionError:
        return True
    return False


def secret(walk: laws.Walk) -> None:
    laws.non_interference(walk, mia.scramble)


def test_the_game_itself_is_not_objected_to() -> None:
    for law in (secret, laws.accepted_is_offered, laws.survives_json):
        assert not caught(GAME, law)


def test_a_leak_in_the_view_is_caught() -> None:
    def view(state: Any, viewer: Viewer) -> Any:
        return msgspec.structs.replace(GAME.view(state, viewer), dice=state.dice)

    assert caught(replace(GAME, view=view), secret)


def test_offers_that_depend_on_hidden_dice_are_caught() -> None:
    def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
        found = GAME.offers(state, seat)
        return found[:1] if state.dice and state.dice > "4" else found

    assert caught(replace(GAME, offers=offers), secret)


def test_awaiting_by_a_secret_is_caught() -> None:
    def awaited(state: Any) -> tuple[Seat, ...]:
        found = GAME.awaited(state)
        return () if state.dice and state.dice > "5" else found

    assert caught(replace(GAME, awaited=awaited), secret)


def test_an_event_with_a_secret_for_all_is_caught() -> None:
    def apply(state: Any, seat: Seat, move: Move, luck: Luck) -> Change[Any]:
        change = GAME.apply(state, seat, move, luck)
        if isinstance(move, Continue) or change.state.dice is None:
            return change
        return Change(change.state, (*change.told, everyone(Rolled(change.state.dice))))

    def no_dice_for_all(walk: laws.Walk) -> None:
        kinds = [type(told.event) for told in walk.change.told if told.to is None]
        assert Rolled not in kinds

    assert caught(replace(GAME, apply=apply), no_dice_for_all)


def test_a_bot_that_peeks_is_caught() -> None:
    leaked: dict[str, Any] = {}

    def view(state: Any, viewer: Viewer) -> Any:
        leaked["dice"] = state.dice
        return GAME.view(state, viewer)

    def bot(seat: Seat, seen: Any, offers: Any, heard: Any, luck: Luck) -> Move:
        see = [o for o in offers if o.move == "See"]
        offer = see[0] if see and leaked["dice"] and leaked["dice"] < "5" else offers[0]
        return next(laws.every_move(GAME.moves, offer))

    assert caught(replace(GAME, view=view, bots={"peeking": bot}), secret)


def test_a_move_that_can_be_made_twice_is_caught() -> None:
    def apply(state: Any, seat: Seat, move: Move, luck: Luck) -> Change[Any]:
        change = GAME.apply(state, seat, move, luck)
        again = msgspec.structs.replace(change.state, prompts=state.prompts)
        return Change(again, change.told)

    assert caught(replace(GAME, apply=apply), laws.accepted_is_offered)


def test_a_move_accepted_though_not_offered_is_caught() -> None:
    def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
        return tuple(o for o in GAME.offers(state, seat) if not o.risky)

    assert caught(replace(GAME, offers=offers), laws.accepted_is_offered)


def test_an_unseeded_draw_is_caught() -> None:
    def apply(state: Any, seat: Seat, move: Move, luck: Luck) -> Change[Any]:
        return GAME.apply(state, seat, move, Luck(random.randbytes(32), 1))

    with pytest.raises(AssertionError):
        laws.same_luck_same_match(replace(GAME, apply=apply), 3, MiaOptions(), 1)


def test_a_match_that_hangs_is_caught() -> None:
    def lapse(state: Any, luck: Luck) -> Change[Any]:
        return Change(state, ())

    with pytest.raises(AssertionError):
        laws.everyone_silent_ends(replace(GAME, lapse=lapse), 3, OPTIONS, 1)


def test_an_argument_that_is_changed_in_place_is_caught() -> None:
    def offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
        msgspec.structs.force_setattr(state, "turn_count", state.turn_count + 1)
        return GAME.offers(state, seat)

    assert caught(replace(GAME, offers=offers), laws.accepted_is_offered)
