"""An honest player of Iron Throne (rules/bots.md 4): the level `easy`, and what all bots share."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.core import ClaimMade, Event, Move, Offer, OneOf
from games.rules.coup.state import (
    ACTIONS,
    COPIES,
    Assassinate,
    Block,
    Blocked,
    Challenge,
    Coup,
    CoupView,
    Exchange,
    ExchangeKeep,
    ForeignAid,
    Income,
    LoseInfluence,
    Pass,
    Role,
    Steal,
    Tax,
)
from games.rules.data import Seat
from games.rules.luck import Luck

WORTH: tuple[Role, ...] = ("baelish", "hound", "arya", "melisandre", "jaqen")
"""Roles from the one most worth keeping."""


def honest(
    seat: Seat,
    view: CoupView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: Luck,
) -> Move:
    """Play what it has, bluff a tax now and then, doubt what it can count out."""
    names = {offer.move for offer in offers}
    if "LoseInfluence" in names:
        return LoseInfluence(worst(view))
    if "ExchangeKeep" in names:
        return ExchangeKeep(best_of(view))
    if "Block" in names:
        return _block(seat, view, luck)
    if "Challenge" in names:
        return Challenge() if _doubts(seat, view, heard, luck) else Pass()
    return _act(seat, view, offers, luck)


def _act(seat: Seat, view: CoupView, offers: Sequence[Offer], luck: Luck) -> Move:
    can = {offer.move: offer for offer in offers}
    own, targets = roles_of(view), {name: targets_of(offer) for name, offer in can.items()}
    if "Coup" in can:
        return Coup(strongest(view, targets["Coup"]))
    if "Assassinate" in can and "hound" in own:
        return Assassinate(strongest(view, targets["Assassinate"]))
    if "baelish" in own:
        return Tax()
    if "arya" in own and "Steal" in targets:
        richest = max(targets["Steal"], key=lambda at: view.players[at].coins)
        if view.players[richest].coins >= 2:
            return Steal(richest)
    if "jaqen" in own and luck.draw("exchange", 2):
        return Exchange()
    if _seen(view, "baelish") < COPIES and luck.draw("bluff", 4) == 0:
        return Tax()
    return ForeignAid() if _seen(view, "baelish") >= 2 or luck.draw("aid", 3) == 0 else Income()


def _block(seat: Seat, view: CoupView, luck: Luck) -> Move:
    assert view.action is not None
    could = ACTIONS[view.action].blocked_by
    real = next((role for role in could if role in roles_of(view)), None)
    if real is not None:
        return Block(real)
    last = view.players[seat].influence == 1
    if view.action == "Assassinate" and last:
        return Block(could[0])
    return Pass()


def _doubts(seat: Seat, view: CoupView, heard: Sequence[Event], luck: Luck) -> bool:
    """Certain where all copies are seen; else rarely, and never with the last influence."""
    role = view.block if view.phase == "block_challenge_window" else view.claim
    if role is None:
        return False
    seen, last = _seen(view, role), view.players[seat].influence == 1
    if seen >= COPIES:
        return True
    deadly = view.action == "Assassinate" and view.target == seat and view.block is None
    if last:
        return deadly and "melisandre" not in roles_of(view) and luck.draw("last stand", 2) == 0
    if is_deadlock(view, heard):
        return True
    return luck.draw("doubt", 20) < (5 if seen == 2 else 1)


def is_deadlock(view: CoupView, heard: Sequence[Event]) -> bool:
    """Two are left and the same block comes a second time in a row."""
    alive = sum(player.influence > 0 for player in view.players)
    blocks = [event for event in heard if isinstance(event, Blocked)]
    return (
        view.phase == "block_challenge_window"
        and alive == 2
        and len(blocks) > 1
        and blocks[-1] == blocks[-2]
    )


def _seen(view: CoupView, role: Role) -> int:
    """How many copies of a role I can account for."""
    own = sum(card.role == role and not card.face_up for card in view.hand or ())
    return own + sum(card.role == role for p in view.players for card in p.cards if card.face_up)


def roles_of(view: CoupView) -> set[Role]:
    return {card.role for card in view.hand or () if not card.face_up}


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
    """Different roles before doubles, worthy ones before others."""
    assert view.pool is not None
    assert view.hand is not None
    keep = sum(not card.face_up for card in view.hand)
    pool = view.pool
    places = range(len(pool))
    ranked = sorted(places, key=lambda at: (at != pool.index(pool[at]), WORTH.index(pool[at])))
    return tuple(sorted(ranked[:keep]))
