"""The sentences by which rounds of Mia are lost are true in every case in which they are said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from games.language.sentences import say
from games.rules.core import Change
from games.rules.luck import Luck
from games.rules.mia import GAME, text
from games.rules.mia.state import Announce, Fault, MiaOptions, MiaState, PlayerLost, Roll, See

LUCK = Luck(b"mia", 2)
NAMES = ("Ann", "Bob", "Cat")


def start(**options: object) -> MiaState:
    state: MiaState = GAME.setup(3, MiaOptions(**options), LUCK).state  # type: ignore[arg-type]
    return state


def rolled(dice: str, **options: object) -> MiaState:
    """Whoever is on turn has rolled this."""
    state = start(**options)
    return replace(GAME.apply(state, state.at, Roll(), LUCK).state, dice=dice)


def seen(dice: str, announced: str) -> Change[MiaState]:
    """The next one wants to see what was rolled."""
    state = rolled(dice)
    state = GAME.apply(state, state.at, Announce(announced), LUCK).state
    return GAME.apply(state, state.at, See(), LUCK)


def sentence(change: Change[MiaState]) -> str:
    """By which the round is lost, without the name at its beginning."""
    (lost,) = (told.event for told in change.told if isinstance(told.event, PlayerLost))
    return say(text.event(lost), NAMES, "en").partition(" ")[2]


def given_away(state: MiaState) -> Change[MiaState]:
    return GAME.apply(state, state.at, Fault(), LUCK)


@pytest.mark.parametrize("dice", ["4,3", "6,5", "1,1"], ids=["as announced", "more", "a double"])
def test_who_sees_in_vain_is_told_what_was_under_the_cup_and_no_more(dice: str) -> None:
    said = sentence(seen(dice, "4,3"))
    assert said == "wanted to see, and the dice were at least as high as announced."


@pytest.mark.parametrize(
    "how",
    [
        lambda state: GAME.lapse(state, LUCK),
        lambda state: GAME.leave(state, state.at, LUCK),
        given_away,
    ],
    ids=["too late", "left", "unreadable"],
)
def test_who_announces_nothing_is_not_said_to_have_been_late(
    how: Callable[[MiaState], Change[MiaState]],
) -> None:
    assert sentence(how(rolled("4,3", on_fault="lose"))) == "announced nothing that counts."


@pytest.mark.parametrize(
    "how",
    [lambda state: GAME.lapse(state, LUCK), lambda state: GAME.leave(state, state.at, LUCK)],
    ids=["too late", "left"],
)
def test_who_leaves_on_turn_is_not_said_to_have_been_late(
    how: Callable[[MiaState], Change[MiaState]],
) -> None:
    assert sentence(how(start())) == "did not take their turn."


def test_a_move_that_cannot_be_read_counts_for_nothing() -> None:
    assert sentence(given_away(start(on_fault="lose"))) == "made a move that counts for nothing."
