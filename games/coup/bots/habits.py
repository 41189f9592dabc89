"""Heuristics shared by bots of Iron Throne: which cards to keep, and whom to attack."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.core import Offer, OneOf
from games.contract.data import Seat
from games.coup.rules.state import CoupView, Role

WORTH: tuple[Role, ...] = ("baelish", "hound", "arya", "melisandre", "jaqen")
"""Roles by value, best first."""


def roles_of(view: CoupView) -> set[Role]:
    return {card.role for card in view.hand or () if not card.face_up}


def doubtful(view: CoupView) -> tuple[Seat | None, Role | None]:
    """Return the player whose claim is open to a challenge, and the claimed role.

    This is the blocker if there is a block to challenge, and otherwise the actor.
    """
    if view.phase == "block_challenge_window":
        return view.blocker, view.block
    return view.actor, view.claim


def targets_of(offer: Offer) -> tuple[Seat, ...]:
    found = offer.args.get("target")
    if not isinstance(found, OneOf):
        return ()
    return tuple(seat for seat in found.one_of if isinstance(seat, Seat))


def strongest(view: CoupView, among: Sequence[Seat]) -> Seat:
    return max(among, key=lambda at: (view.players[at].influence, view.players[at].coins))


def worst(view: CoupView) -> int:
    assert view.hand is not None
    down = [at for at, card in enumerate(view.hand) if not card.face_up]
    doubles = {c.role for c in view.hand if not c.face_up}
    if len(doubles) == 1:
        return down[0]
    hand = view.hand
    return max(down, key=lambda at: WORTH.index(hand[at].role))


def best_of(view: CoupView) -> tuple[int, ...]:
    """Choose the cards to keep. Prefer different roles to doubles, then the most valuable roles."""
    assert view.pool is not None
    assert view.hand is not None
    keep = sum(not card.face_up for card in view.hand)
    pool = view.pool
    places = range(len(pool))
    ranked = sorted(places, key=lambda at: (at != pool.index(pool[at]), WORTH.index(pool[at])))
    return tuple(sorted(ranked[:keep]))
