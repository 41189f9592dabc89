"""A table of Secret Hitler for tests, with seats, roles and tiles written as letters."""

from typing import Any

import msgspec

from games.contract.core import Event, Offer
from games.contract.data import BySeat, Seat, Viewer
from games.contract.luck import ScriptedLuck
from games.secret_hitler import GAME
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    Government,
    Options,
    PresidentPolicies,
    Role,
    State,
    Tiles,
    View,
    Vote,
)

A, B, C, D, E, F, G, H, I, J = (Seat(at) for at in range(10))  # noqa: E741
ROLES: dict[str, Role] = {"L": "liberal", "F": "fascist", "H": "hitler"}
L_TILE, F_TILE = "liberal", "fascist"


def tiles(letters: str) -> Tiles:
    return tuple("liberal" if letter == "L" else "fascist" for letter in letters)


def seats(letters: str) -> tuple[Seat, ...]:
    return tuple(Seat("ABCDEFGHIJ".index(letter)) for letter in letters)


def pair(letters: str) -> Government:
    return Government(*seats(letters))


class Table:
    """A mutable match. `told` holds the events of the last act with their recipients."""

    def __init__(
        self, roles: str, deck: str = "FLFLFLFLF", dead: str = "", discard: str = "", **fields: Any
    ) -> None:
        n = len(roles)
        values: dict[str, Any] = {
            "clock": 1,
            "prompts": (1,) * n,
            "options": Options(),
            "phase": "nominate",
            "roles": tuple(ROLES[letter] for letter in roles),
            "alive": tuple(Seat(at) not in seats(dead) for at in range(n)),
            "deck": tiles(deck),
            "discard": tiles(discard),
            "rotation": A,
            "candidate": A,
            "fascist": 0,
            "turn_count": 1,
        }
        self.state = State(**values | fields)
        self.told: tuple[Any, ...] = ()

    def do(self, who: Seat, move: Any, **script: Any) -> "Table":
        return self._after(GAME.rules.apply(self.state, who, move, ScriptedLuck(**script)))

    def lapse(self, **script: Any) -> "Table":
        return self._after(GAME.rules.lapse(self.state, ScriptedLuck(**script)))

    def leave(self, who: Seat, **script: Any) -> "Table":
        return self._after(GAME.rules.leave(self.state, who, ScriptedLuck(**script)))

    def _after(self, change: Any) -> "Table":
        self.state, self.told = change.state, change.told
        return self

    def set(self, **fields: Any) -> "Table":
        self.state = msgspec.structs.replace(self.state, **fields)
        return self

    def nominate(self, who: Seat) -> "Table":
        return self.do(self.state.candidate, ChancellorNomination(who))

    def vote(self, ja: str = "", **script: Any) -> "Table":
        """Cast all awaited votes: ja for the seats named, or for all."""
        for seat in GAME.rules.awaited(self.state):
            self.do(seat, Vote(not ja or seat in seats(ja)), **script)
        return self

    def voted_down(self) -> "Table":
        for seat in GAME.rules.awaited(self.state):
            self.do(seat, Vote(False))
        return self

    def elect(self, chancellor: Seat) -> "Table":
        return self.nominate(chancellor).vote()

    def govern(self, chancellor: Seat, policy: str = "F", **script: Any) -> "Table":
        """Play a session that enacts this policy, keeping the first tiles if free to choose."""
        self.elect(chancellor)
        tile = "liberal" if policy == "L" else "fascist"
        first = self.state.hand.index(tile)
        other = 1 if first == 0 else 0
        self.do(self.state.candidate, PresidentPolicies(tuple(sorted((first, other)))))
        return self.do(chancellor, ChancellorPolicy(self.state.hand.index(tile)), **script)

    def view(self, who: Viewer) -> View:
        return GAME.rules.view(self.state, who)

    def views(self) -> list[View]:
        """Return the views of every seat, and of the gallery."""
        everybody: list[Viewer] = [Seat(at) for at in range(len(self.state.roles))]
        return [self.view(who) for who in [*everybody, None]]

    def offers(self, who: Seat) -> tuple[Offer, ...]:
        return GAME.rules.offers(self.state, who)

    def awaited(self) -> tuple[Seat, ...]:
        return GAME.rules.awaited(self.state)

    def public(self) -> list[Event]:
        """Return the public events of the last act."""
        return [told.event for told in self.told if told.to is None]

    def private(self, who: Seat) -> list[Event]:
        """Return the events of the last act for this seat alone."""
        return [told.event for told in self.told if told.to == (who,)]

    @property
    def reason(self) -> str | None:
        return self.state.reason


def ballots(table: Table) -> BySeat[bool] | None:
    return table.view(None).votes
