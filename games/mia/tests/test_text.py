"""The sentences about lost rounds of Mia are true whenever they are shown."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games.contract.core import Change
from games.contract.luck import Luck
from games.mia import GAME
from games.mia.rules.state import (
    Announce,
    MiaOptions,
    MiaState,
    PlayerLost,
    Roll,
    See,
)
from games.mia.telling import text
from games.tables.sentences import say

LUCK = Luck(b"mia", 2)
NAMES = ("Ann", "Bob", "Cat")


def start(**options: object) -> MiaState:
    state: MiaState = GAME.rules.setup(3, MiaOptions(**options), LUCK).state  # type: ignore[arg-type]
    return state


def rolled(dice: str, **options: object) -> MiaState:
    """Return a state in which the player whose turn it is has rolled these dice."""
    state = start(**options)
    return replace(GAME.rules.apply(state, state.at, Roll(), LUCK).state, dice=dice)


def seen(dice: str, announced: str) -> Change[MiaState]:
    """Return the change when the next player calls."""
    state = rolled(dice)
    state = GAME.rules.apply(state, state.at, Announce(announced), LUCK).state
    return GAME.rules.apply(state, state.at, See(), LUCK)


def sentence(change: Change[MiaState]) -> str:
    """Return the sentence that tells the loser why the round is lost."""
    (lost,) = (told.event for told in change.told if isinstance(told.event, PlayerLost))
    said = text.event(lost)
    assert said is not None
    return say(said, NAMES, "en", lost.usernames[0])


@pytest.mark.parametrize("dice", ["4,3", "6,5", "1,1"], ids=["as announced", "more", "a double"])
def test_failed_call_is_explained_without_revealing_the_dice(dice: str) -> None:
    said = sentence(seen(dice, "4,3"))
    assert said == "You called, but the dice were good. You lose the round."


def prompts(state: MiaState, **options: object) -> list[str]:
    """Return the prompts of each seat in turn order, then of the gallery."""
    words = GAME.telling.words(MiaOptions(**options))  # type: ignore[arg-type]
    viewers = (*state.order, None)
    return [
        say(words.prompt(GAME.rules.view(state, viewer), viewer), NAMES, "en", viewer)
        for viewer in viewers
    ]


def hint(state: MiaState, move: str, dice: str = "", **options: object) -> str | None:
    """Return the button hint for the player who is asked."""
    words = GAME.telling.words(MiaOptions(**options))  # type: ignore[arg-type]
    view, args = GAME.rules.view(state, state.at), {"dice": dice} if dice else {}
    said = words.hint(view, state.at, move, args)
    return say(said, NAMES, "en") if said else None


def test_button_shows_what_a_move_may_cost() -> None:
    state = rolled("4,3")
    assert hint(state, "Announce") == "caught lying: you lose a life"
    assert hint(state, "Announce", "2,1") == "shown at once; if it's a lie, you lose a life"
    assert hint(state, "Announce", "2,1", mia_costs=2) == (
        "shown at once; if it's a lie, you lose 2 lives"
    )
    state = GAME.rules.apply(state, state.at, Announce("6,1"), LUCK).state
    assert hint(state, "Roll") == "then say more than 6-1"
    assert hint(state, "See") == "wrong: you lose a life"
    last = replace(state, lives=(1, 1, 1))
    assert hint(last, "See") == "wrong: you're out"
    points = rolled("4,3", scoring="points")
    assert hint(points, "Announce", scoring="points") == "caught lying: no point for you"
    state = GAME.rules.apply(state, state.at, Roll(), LUCK).state
    assert hint(state, "Announce", "6,1") == "too low: you lose a life"


def test_true_value_is_marked_for_the_roller_only() -> None:
    state = rolled("4,3")
    words = GAME.telling.words(MiaOptions())
    for viewer in (*state.order, None):
        view = GAME.rules.view(state, viewer)
        assert words.truth(view, "Announce", {"dice": "4,3"}) == (viewer == state.at)
        assert not words.truth(view, "Announce", {"dice": "6,6"})
