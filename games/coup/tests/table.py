"""A table of Iron Throne for tests."""

from __future__ import annotations

from typing import Any

from games.contract.data import Seat
from games.contract.luck import Luck
from games.coup import GAME
from games.coup.rules.state import ROLES, Card, CoupOptions, Pass, Role
from tests.kit.scene import A, Scene

Hand = tuple[Role, ...]
SPARE: Hand = ("melisandre", "jaqen")


def scene(*hands: Hand, coins: tuple[int, ...] = (2, 2, 2), **options: Any) -> Scene:
    """Return a state at A's turn with these hands. A one-card hand has lost its other card."""
    n = len(hands)
    state = GAME.rules.setup(n, CoupOptions(**options), Luck(b"coup", 1)).state
    left = [role for role in ROLES for _ in range(3)]
    for role in (role for hand in hands for role in hand):
        left.remove(role)
    table = []
    for hand in hands:
        cards = [Card(role) for role in hand]
        while len(cards) < 2:
            cards.append(Card(left.pop(), True))
        table.append(tuple(cards))
    deck, purse = tuple(left), coins[:n]
    return Scene(GAME, state).set(at=A, hands=tuple(table), coins=purse, deck=deck)


def passes(table: Scene, *seats: Seat) -> Scene:
    for seat in seats or table.state.waiting:
        table.do(seat, Pass())
    return table
