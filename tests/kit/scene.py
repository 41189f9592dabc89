"""A small table for examples: set up a state by hand, make moves, read events."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.contract.core import Ignored, Move, Refused
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import Luck, ScriptedLuck

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)


class Scene:
    """A match in progress."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state = game, state
        self.told: list[Any] = []

    def set(self, **changes: Any) -> Scene:
        self.state = msgspec.structs.replace(self.state, **changes)
        return self

    def do(self, seat: Seat, move: Move, **script: Any) -> Scene:
        """Make a move. Afterwards `told` holds its events."""
        luck: Luck = ScriptedLuck(**script) if script else Luck(b"scene", 1)
        change = self.game.rules.apply(self.state, seat, move, luck)
        self.state, self.told = change.state, [told.event for told in change.told]
        return self

    def lapse(self, **script: Any) -> Scene:
        luck: Luck = ScriptedLuck(**script) if script else Luck(b"scene", 1)
        change = self.game.rules.lapse(self.state, luck)
        self.state, self.told = change.state, [told.event for told in change.told]
        return self

    def leave(self, seat: Seat) -> Scene:
        change = self.game.rules.leave(self.state, seat, Luck(b"scene", 1))
        self.state, self.told = change.state, [told.event for told in change.told]
        return self

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.told]

    def refuses(self, seat: Seat, move: Move) -> str:
        """Return the code of the refusal."""
        with pytest.raises(Refused) as refused:
            self.game.rules.apply(self.state, seat, move, Luck(b"scene", 1))
        return refused.value.code

    def ignores(self, seat: Seat, move: Move) -> bool:
        with pytest.raises(Ignored):
            self.game.rules.apply(self.state, seat, move, Luck(b"scene", 1))
        return True

    def offered(self, seat: Seat) -> list[str]:
        return [offer.move for offer in self.game.rules.offers(self.state, seat)]
