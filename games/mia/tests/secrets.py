"""Hidden information of Mia, the dice under the cup, for the tests that every game runs."""

from __future__ import annotations

import msgspec

from games.contract.data import Viewer
from games.contract.luck import Luck
from games.mia.rules.state import (
    MIA,
    ActualDice,
    MiaOptions,
    MiaState,
    Rolled,
    RoundStarted,
    ranking,
)

OPTIONS = (
    MiaOptions(),
    MiaOptions(lives=1, on_fault="lose", little_mia=True, mia_costs=2),
    MiaOptions(scoring="points", rounds=3, must_raise=False),
)
REVEALS = (ActualDice,)
"""Events that reveal hidden information."""
PRIVATE = {Rolled: lambda event, change, seat: seat == change.state.roller}
"""Private events, each with a function that says whether a seat may hear it."""
DRAWN = (RoundStarted,)
"""Public events that reveal a new random draw."""


def scramble(state: MiaState, viewer: Viewer, luck: Luck) -> MiaState:
    """Change the dice under the cup, unless the viewer has rolled them."""
    gone = {seat for group in state.gone for seat in group}
    if state.dice is None or (viewer == state.roller and viewer not in gone):
        return state
    return msgspec.structs.replace(state, dice=luck.pick("dice", ranking(False)))


def invariants(state: MiaState) -> None:
    """Check that lives only fall, points only rise, and announcements rise."""
    assert all(0 <= n <= state.options.lives for n in state.lives)
    assert sum(state.points) <= state.round * len(state.points)
    assert state.dice is None or state.dice in ranking(False)
    assert len(state.announcements) <= 2 * len(ranking(False))
    assert MIA not in [said.dice for said in state.announcements[:-1]]
