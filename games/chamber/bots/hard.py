"""The level `hard` of Chamber: searches the rest of the chamber once two players are left."""

from __future__ import annotations

from collections.abc import Sequence

from games.chamber.bots.expectimax import KINDS, Choice, Position, Side, best
from games.chamber.bots.normal import OWN, normal
from games.chamber.bots.reasons import reason_of
from games.chamber.rules.state import (
    Player,
    ShootPlayer,
    UseSkipItem,
    UseStealItem,
    View,
)
from games.contract.choices import is_offered
from games.contract.core import ClaimMade, Decision, Event, Move, Offer, ReasoningBot
from games.contract.data import Seat
from games.contract.luck import BotLuck

BUDGET = 4000
"""Maximum positions searched per move."""


def decide(
    seat: Seat,
    view: View,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Decision:
    """If two players are left, search for the best move. Otherwise play as `normal`."""
    plain = normal(seat, view, offers, heard, said, luck)
    if not searches(view):
        return Decision(plain)
    other = next(at for at in _alive(view) if at != seat)
    at = _position(seat, other, view)
    found = [
        (choice, value)
        for choice, value in best(at, BUDGET)
        if is_offered(offers, _move(choice, seat, other))
    ]
    if not found:
        return Decision(plain)
    chosen = max(found, key=lambda one: one[1])[0]
    return Decision(_move(chosen, seat, other), reason_of(at, other, chosen, found))


hard = ReasoningBot(decide)


def searches(view: View) -> bool:
    """Return whether two players are left and it is the turn of one of them."""
    return view.phase == "turn" and len(_alive(view)) == 2


def _alive(view: View) -> list[Seat]:
    return [Seat(at) for at, player in enumerate(view.players) if player.lives]


def _position(seat: Seat, other: Seat, view: View) -> Position:
    return Position(
        live=view.live,
        blank=view.blank,
        me=_side(view.players[seat]),
        other=_side(view.players[other]),
        known=None if view.known_next is None else view.known_next == "live",
        fired=not view.items_open,
        shots=view.shots_left,
        quickshot=view.quickshot,
        double=view.double_damage,
        skipped=view.players[other].is_skipped,
    )


def _side(player: Player) -> Side:
    return Side(player.lives, tuple(player.items.count(kind) for kind in KINDS))


def _move(choice: Choice, seat: Seat, other: Seat) -> Move:
    if choice.what in ("me", "other"):
        return ShootPlayer(seat if choice.what == "me" else other)
    item = KINDS[choice.kind]
    if choice.what == "steal":
        return UseStealItem(other, item, other if item == "skip" else None)
    return UseSkipItem(other) if item == "skip" else OWN[item]()
