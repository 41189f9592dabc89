"""The level `normal` of Iron Throne: weighs the gain of a claim against the cost of a challenge.

Values are in coins. The parameters are those that won most in the arena (docs/opponents.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.core import ClaimMade, Event, Move, Offer
from games.contract.data import Seat
from games.contract.luck import BotLuck, Temper
from games.coup.bots.belief import Belief, Record, records, unseen
from games.coup.bots.habits import (
    best_of,
    doubtful,
    roles_of,
    strongest,
    targets_of,
    worst,
)
from games.coup.rules.state import (
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

INFLUENCE = 5.0
FATAL = ACTIONS["Coup"].cost
LAST = 20.0
"""Value of the bot's last influence, which decides the match."""
DOOMED = 2.0
"""Value of the bot's last influence if it will be lost in the next turn anyway."""
RESPITE = 8.0
"""Value of taking coins that the last opponent needs for a deciding Coup."""
SPICE: Mapping[Temper, int] = {"careful": 5, "plain": 15, "bold": 30}
"""Percentage of turns with an unnecessary bluff, to stay unpredictable."""
WHIM = 0.05
"""One step, in coins, of the noise that keeps the bot unpredictable.

The noise has at most ten steps.
"""


class Mind:
    """Context of a decision: what the seat sees, what it believes and what it may lose."""

    def __init__(self, seat: Seat, view: CoupView, record: Record) -> None:
        self.seat, self.view = seat, view
        self.belief = Belief(record, unseen(view))
        self.own = roles_of(view)
        everybody = (Seat(at) for at in range(len(view.players)))
        self.others = tuple(at for at in everybody if at != seat and view.players[at].influence > 0)
        self.last = view.players[seat].influence == 1
        self.stake = (DOOMED if self.is_doomed else LAST) if self.last else INFLUENCE
        self.share = 1.0 if len(self.others) == 1 else 1.2 / len(self.others)
        """The gain of each other player if one opponent loses a card."""

    @property
    def rival(self) -> Seat | None:
        """The only opponent, if two players are left."""
        return self.others[0] if len(self.others) == 1 else None

    @property
    def is_doomed(self) -> bool:
        """Whether the last opponent can end the match with a Coup on its next turn."""
        rival = self.rival
        return self.last and rival is not None and self.view.players[rival].coins >= FATAL

    @property
    def is_deadlock(self) -> bool:
        """Whether two players are left and the last two blocks were the same."""
        one, other = self.belief.record.blocks
        in_window = self.view.phase == "block_challenge_window"
        return in_window and self.rival is not None and one is not None and one == other

    def claim(self, role: Role, worth: float, doubters: Sequence[Seat]) -> float:
        """Return the expected value of claiming a role for a gain of `worth`."""
        doubted = self.belief.doubted(doubters)
        if role in self.own:
            return worth + doubted * INFLUENCE * self.share
        if not self.may_bluff(role):
            return -LAST
        return (1 - doubted) * worth - doubted * self.stake

    def may_bluff(self, role: Role) -> bool:
        """Return whether opponents could believe a bluff with this role."""
        caught = self.belief.opponents[self.seat].caught
        return self.belief.unseen[role] > 0 and role not in caught


def normal(
    seat: Seat,
    view: CoupView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Move:
    """Bluff if the bluff is credible, and challenge if it pays. In a deadlock, always challenge."""
    return play(seat, view, offers, records.of(len(view.players), heard), luck)


def play(
    seat: Seat, view: CoupView, offers: Sequence[Offer], record: Record, luck: BotLuck
) -> Move:
    """Play as `normal`, but with an existing record instead of one built from all events."""
    names = {offer.move for offer in offers}
    if "LoseInfluence" in names:
        return LoseInfluence(worst(view))
    if "ExchangeKeep" in names:
        return ExchangeKeep(best_of(view))
    mind = Mind(seat, view, record)
    if "Block" in names:
        return _block(mind)
    if "Challenge" in names:
        return Challenge() if mind.is_deadlock or _doubts(mind) else Pass()
    return _act(mind, offers, luck)


def _act(mind: Mind, offers: Sequence[Offer], luck: BotLuck) -> Move:
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
    return move if isinstance(move, Assassinate) else _spice(mind, can, luck) or move


def _spice(mind: Mind, can: Mapping[str, Sequence[Seat]], luck: BotLuck) -> Move | None:
    """Return a cheap bluff from time to time while the bot has two influences, else None."""
    if mind.last or luck.draw("spice", 100) >= SPICE[luck.manner.temper]:
        return None
    bluffs: list[Move] = []
    if "jaqen" not in mind.own and mind.may_bluff("jaqen"):
        bluffs.append(Exchange())
    if "arya" not in mind.own and mind.may_bluff("arya"):
        bluffs += [Steal(at) for at in can.get("Steal", ()) if _is_easy_prey(mind, at)]
    return luck.pick("bluff", bluffs) if bluffs else None


def _is_easy_prey(mind: Mind, target: Seat) -> bool:
    """Return whether the target has coins and probably cannot block a theft."""
    rich = mind.view.players[target].coins >= 2
    return rich and mind.belief.has(target, "jaqen", "arya") < 0.5


def _foreign_aid(mind: Mind) -> float:
    free = 1.0
    for seat in mind.others:
        free *= 1 - mind.belief.has(seat, "baelish")
    return 2.0 * free


def _exchange(mind: Mind) -> float:
    """Return the value of an exchange. Doubles and less useful roles in the hand raise it."""
    good: set[Role] = {"baelish", "hound", "arya"}
    return 1.6 - 0.6 * len(mind.own & good)


def _steal(mind: Mind, target: Seat) -> float:
    has = mind.view.players[target].coins
    amount = min(2, has)
    gain = amount * (1 + mind.share)
    if mind.is_doomed and has - amount < FATAL:
        gain = RESPITE
    return mind.claim("arya", gain * (1 - mind.belief.has(target, "jaqen", "arya")), mind.others)


def _assassinate(mind: Mind, target: Seat) -> float:
    player = mind.view.players[target]
    gain = (INFLUENCE + player.influence + 0.3 * player.coins) * max(mind.share, 0.75)
    if mind.rival == target and player.influence == 1:
        gain = LAST
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
    if not bluffs or view.action == "Assassinate":  # a failed bluff costs both influences
        return Pass()
    saved = {"Steal": 2.0 * (1 + mind.share), "ForeignAid": mind.share}
    role = max(bluffs, key=lambda role: mind.belief.unseen[role])
    return Block(role) if mind.claim(role, saved[view.action], mind.others) > 0 else Pass()


def _doubts(mind: Mind) -> bool:
    """Return whether to challenge: whether P(bluff) x gain exceeds P(true) x loss."""
    view = mind.view
    blocked = view.phase == "block_challenge_window"
    who, role = doubtful(view)
    if role is None or who is None:
        return False
    true = mind.belief.has(who, role)
    aimed = not blocked and view.target == mind.seat
    if view.action == "Assassinate" and not blocked and not aimed and view.target is not None:
        return true == 0.0 and _is_no_weaker(view, who, view.target)
    if true == 0.0 or (blocked and view.actor == mind.seat and mind.is_doomed):
        return True
    gain = INFLUENCE * mind.share + _stopping(mind, blocked, aimed)
    loss = mind.stake
    if aimed and view.action == "Assassinate":
        if "melisandre" in mind.own:
            return False
        if mind.last:
            return 1 - true > 1 - mind.belief.doubted(mind.others)
        loss *= 1.5
    return (1 - true) * gain > true * loss


def _is_no_weaker(view: CoupView, one: Seat, other: Seat) -> bool:
    return view.players[one].influence >= view.players[other].influence


def _stopping(mind: Mind, blocked: bool, aimed: bool) -> float:
    """Return how much this seat gains if the action or block is stopped."""
    view = mind.view
    assert view.action is not None
    if blocked:
        mine: Mapping[str, float] = {"Assassinate": 5.0, "Steal": 2.0, "ForeignAid": 2.0}
        return mine[view.action] if view.actor == mind.seat else 0.0
    if aimed:
        return INFLUENCE if view.action == "Assassinate" else 2.0
    return {"Tax": 3.0, "Exchange": 1.0}.get(view.action, 0.5) * mind.share
