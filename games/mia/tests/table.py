"""A table of Mia for tests: seats play in the order A, B, C, …, with scripted dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from games.contract.core import Event, all_seats
from games.contract.data import Seat, Viewer
from games.contract.luck import ScriptedLuck
from games.mia import GAME
from games.mia.rules.state import (
    Announce,
    Continue,
    Dice,
    MiaOptions,
    MiaView,
    PlayerLost,
    Roll,
    See,
)
from tests.kit.scene import Scene

E = TypeVar("E", bound=Event)


class Table(Scene):
    """A match of Mia. `told` holds the events of the last act.

    With points, each round has the order A, B, C, …
    """

    def __init__(self, n: int = 3, **options: Any) -> None:
        luck = ScriptedLuck(order=[tuple(range(n))])
        super().__init__(GAME, GAME.rules.setup(n, MiaOptions(**options), luck).state)

    def roll(self, who: Seat, dice: Dice) -> Table:
        self.do(who, Roll(), die=[int(number) - 1 for number in dice.split(",")])
        return self

    def announce(self, who: Seat, dice: Dice) -> Table:
        self.do(who, Announce(dice))
        return self

    def say(self, who: Seat, dice: Dice, rolled: Dice | None = None) -> Table:
        """Roll and announce these dice, or roll `rolled` instead."""
        return self.roll(who, rolled or dice).announce(who, dice)

    def see(self, who: Seat) -> Table:
        self.do(who, See())
        return self

    def out_of_time(self) -> Table:
        self.lapse()
        return self

    def gone(self, who: Seat) -> Table:
        self.leave(who)
        return self

    def go_on(self, order: Sequence[int] | None = None) -> Table:
        """Continue for everybody still in. With points, the next round uses this order."""
        script = {"order": [order]} if order else {}
        for seat in all_seats(len(self.state.lives)):
            if seat not in GAME.rules.out(self.state) and self.state.phase == "result":
                self.do(seat, Continue(), **script)
        return self

    def event(self, type_: type[E]) -> E:
        """Return the only event of this type in the last act."""
        (found,) = (event for event in self.told if isinstance(event, type_))
        return found

    def lost(self) -> tuple[str, tuple[Seat, ...]]:
        """Return the reason and the losers of the round that the last act ended."""
        loss = self.event(PlayerLost)
        return loss.reason, loss.usernames

    def view(self, viewer: Viewer) -> MiaView:
        return GAME.rules.view(self.state, viewer)

    def choices(self, who: Seat, risky: bool) -> tuple[Dice, ...]:
        """Return the values that can be announced in the offers with this `risky` flag."""
        return tuple(
            value
            for offer in GAME.rules.offers(self.state, who)
            if offer.move == "Announce" and offer.risky == risky
            for value in offer.args["dice"].one_of  # type: ignore[union-attr]
        )

    @property
    def on_turn(self) -> Viewer:
        return GAME.rules.turn(self.state).seat
