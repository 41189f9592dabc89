"""The level `normal` of Iron Throne: weighs what a claim brings against what a doubt would cost.

Values are counted in coins; the figures are those that won most in the arena (rules/bots.md 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.rules.core import ClaimMade, Event, Move, Offer
from games.rules.coup.belief import Belief, belief
from games.rules.coup.habits import (
    best_of,
    is_deadlock,
    roles_of,
    strongest,
    targets_of,
    worst,
)
from games.rules.coup.state import (
    ACTIONS,
    Assassinate,
    Block,
    Challenge,
    Coup,
    CoupView,
    Declared,
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

INFLUENCE = 5.0
LAST = 20.0
"""What the own last influence is worth: the match."""
WHIM = 0.05
"""One step of the noise that keeps the bot from being read, in coins; up to ten of them."""


class Mind:
    """One decision of one seat: what it sees, believes and stands to lose."""

    def __init__(self, seat: Seat, view: CoupView, heard: Sequence[Event]) -> None:
        self.seat, self.view = seat, view
        self.belief: Belief = belief(view, heard)
        self.own = roles_of(view)
        everybody = (Seat(at) for at in range(len(view.players)))
        self.others = tuple(at for at in everybody if at != seat and view.players[at].influence > 0)
        self.last = view.players[seat].influence == 1
        self.stake = LAST if self.last else INFLUENCE
        self.share = 1.0 if len(self.others) == 1 else 1.2 / len(self.others)
        """What a loss of one opponent is worth to each of the others."""

    def claim(self, role: Role, worth: float, doubters: Sequence[Seat]) -> float:
        """What it is worth to claim a role for something worth so much."""
        doubted = self.belief.doubted(doubters)
        if role in self.own:
            return worth + doubted * INFLUENCE * self.share
        if not self.may_bluff(role):
            return -LAST
        return (1 - doubted) * worth - doubted * self.stake

    def may_bluff(self, role: Role) -> bool:
        """Somebody could still believe it."""
        caught = self.belief.opponents[self.seat].caught
        return self.belief.unseen[role] > 0 and role not in caught


def normal(
    seat: Seat,
    view: CoupView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: Luck,
) -> Move:
    """Bluffs where it is believed, doubts where it pays, and never gives up a deadlock."""
    names = {offer.move for offer in offers}
    if "LoseInfluence" in names:
        return LoseInfluence(worst(view))
    if "ExchangeKeep" in names:
        return ExchangeKeep(best_of(view))
    mind = Mind(seat, view, heard)
    if "Block" in names:
        return _block(mind)
    if "Challenge" in names:
        return Challenge() if is_deadlock(view, heard) or _doubts(mind) else Pass()
    return _act(mind, offers, luck)


def _act(mind: Mind, offers: Sequence[Offer], luck: Luck) -> Move:
    can = {offer.move: targets_of(offer) for offer in offers}
    if "Coup" in can:
        return Coup(strongest(mind.view, can["Coup"]))
    worth: list[tuple[float, Declared]] = [
        (1.0, Income()),
        (_foreign_aid(mind), ForeignAid()),
        (mind.claim("baelish", 3.0, mind.others), Tax()),
        (mind.claim("jaqen", _exchange(mind), mind.others), Exchange()),
    ]
    worth += [(_steal(mind, at), Steal(at)) for at in can.get("Steal", ())]
    worth += [(_assassinate(mind, at), Assassinate(at)) for at in can.get("Assassinate", ())]
    best, move = -LAST, worth[0][1]
    for value, candidate in worth:
        value += WHIM * luck.draw("whim", 11)
        if value > best:
            best, move = value, candidate
    return move


def _foreign_aid(mind: Mind) -> float:
    free = 1.0
    for seat in mind.others:
        free *= 1 - mind.belief.has(seat, "baelish")
    return 2.0 * free


def _exchange(mind: Mind) -> float:
    """Better cards: more for a double or a poor hand."""
    good: set[Role] = {"baelish", "hound", "arya"}
    return 1.6 - 0.6 * len(mind.own & good)


def _steal(mind: Mind, target: Seat) -> float:
    amount = min(2, mind.view.players[target].coins)
    gain = amount * (1 + mind.share)
    return mind.claim("arya", gain * (1 - mind.belief.has(target, "jaqen", "arya")), mind.others)


def _assassinate(mind: Mind, target: Seat) -> float:
    player = mind.view.players[target]
    gain = (INFLUENCE + player.influence + 0.3 * player.coins) * max(mind.share, 0.75)
    through = 1 - mind.belief.has(target, "melisandre")
    return mind.claim("hound", gain * through - 3.0, mind.others)


def _block(mind: Mind) -> Move:
    view = mind.view
    assert view.action is not None
    could = ACTIONS[view.action].blocked_by
    real = next((role for role in could if role in mind.own), None)
    if real is not None:
        return Block(real)
    if view.action == "Assassinate" and mind.last:
        return Block(could[0])
    bluffs = [role for role in could if mind.may_bluff(role)]
    if not bluffs:
        return Pass()
    saved = {"Assassinate": INFLUENCE, "Steal": 2.0 * (1 + mind.share), "ForeignAid": mind.share}
    role = max(bluffs, key=lambda role: mind.belief.unseen[role])
    return Block(role) if mind.claim(role, saved[view.action], mind.others) > 0 else Pass()


def _doubts(mind: Mind) -> bool:
    """Whether P(bluff) x gain exceeds P(true) x loss."""
    view = mind.view
    blocked = view.phase == "block_challenge_window"
    role = view.block if blocked else view.claim
    who = view.blocker if blocked else view.actor
    if role is None or who is None:
        return False
    true = mind.belief.has(who, role)
    if true == 0.0:
        return True
    aimed = not blocked and view.target == mind.seat
    gain = INFLUENCE * mind.share + _stopping(mind, blocked, aimed)
    loss = mind.stake
    if aimed and view.action == "Assassinate":
        if "melisandre" in mind.own:
            return False
        if mind.last:
            return 1 - true > 1 - mind.belief.doubted(mind.others)
        loss *= 1.5
    return (1 - true) * gain > true * loss


def _stopping(mind: Mind, blocked: bool, aimed: bool) -> float:
    """What it is worth to me that this does not go through."""
    view = mind.view
    assert view.action is not None
    if blocked:
        mine: Mapping[str, float] = {"Assassinate": 5.0, "Steal": 2.0, "ForeignAid": 2.0}
        return mine[view.action] if view.actor == mind.seat else 0.0
    if aimed:
        return INFLUENCE if view.action == "Assassinate" else 2.0
    return {"Tax": 3.0, "Exchange": 1.0}.get(view.action, 0.5) * mind.share
