"""Reasons for moves of `hard` in Secret Hitler: what a liberal believed, or how a fascist hid."""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.reasons import Reason, is_sure, of_100
from games.secret_hitler.bots import loyal, outlook, plot
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.rules.spoken import liberals_in
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ExecutePlayer,
    Moves,
    PresidentPolicies,
    Vote,
)


def reason_of(mind: Mind, move: Moves) -> Reason | None:
    """Return the reason for a move, or None if there is no evidence yet or the move is obvious."""
    match move:
        case PresidentPolicies() | ChancellorPolicy() if mind.view.role != "liberal":
            return _of_tiles(mind, move)
        case Vote(ja) if mind.informed and mind.seat not in mind.government:
            return _of_vote(mind, ja)
        case ChancellorNomination(who) if mind.informed and mind.view.role == "liberal":
            return _of_nomination(mind, who)
        case ExecutePlayer(who) if mind.view.role == "liberal":
            return _of_execution(mind, who)
        case _:
            return None


def _of_vote(mind: Mind, ja: bool) -> Reason | None:
    """Explain a vote by the probabilities that the bot compared.

    Liberals who look ahead compare two governments. All others judge as an innocent player would.
    Return None if the vote had another reason or was obvious.
    """
    president, chancellor = mind.government
    seats = {"president": president, "chancellor": chancellor}
    if loyal.looks_ahead(mind):
        now, later = outlook.of_next(mind, president, chancellor), loyal.with_the_next(mind)
        return Reason(
            key="ja" if ja else "nein",
            gap=now - later if ja else later - now,
            seats=seats,
            numbers={"won": of_100(now), "rest": of_100(later)},
        )
    if loyal.fears_hitler(mind) or not plot.votes_as_innocent(mind):
        return None
    clean, demand = mind.belief.clean(president, chancellor), loyal.demand(mind)
    reason = Reason(
        key="hidden ja" if ja else "hidden nein",
        gap=abs(clean - demand),
        seats=seats,
        numbers={"clean": of_100(clean), "demand": of_100(demand)},
    )
    return _unless_sure(reason, clean)


def _of_nomination(mind: Mind, who: Seat) -> Reason | None:
    worth = {seat: outlook.of_next(mind, mind.seat, seat) for seat in mind.view.eligible}
    won = worth.pop(who)
    rest = max(worth.values(), default=won)
    numbers = {"won": of_100(won), "rest": of_100(rest)}
    return Reason(key="nominate", gap=won - rest, seats={"who": who}, numbers=numbers)


def _of_execution(mind: Mind, who: Seat) -> Reason | None:
    rest = [mind.belief.hitler[seat] for seat in mind.view.targets if seat != who]
    hitler = mind.belief.hitler[who]
    numbers = {"hitler": of_100(hitler), "rest": of_100(max(rest, default=0.0))}
    gap = hitler - max(rest, default=0.0)
    reason = Reason(key="execute", gap=gap, seats={"who": who}, numbers=numbers)
    return _unless_sure(reason, hitler)


def _of_tiles(mind: Mind, move: PresidentPolicies | ChancellorPolicy) -> Reason | None:
    """Explain why a fascist discarded or kept a liberal policy.

    Return None if there was no choice, or no doubt.
    """
    hand = mind.view.hand
    kept = [hand[at] for at in move.keep] if isinstance(move, PresidentPolicies) else None
    left = [hand[move.enact]] if isinstance(move, ChancellorPolicy) else kept or []
    liberal = liberals_in(hand)
    if liberal in (0, len(hand)):
        return None
    spoilt = liberals_in(left) < min(liberal, len(left))
    malice = plot.malice(mind)
    often = malice if spoilt else 1 - malice
    position = "president" if kept is not None else "chancellor"
    reason = Reason(
        key=("spoil" if spoilt else "spare"),
        gap=2 * often - 1,
        numbers={"often": of_100(often)},
        words={"position": position},
    )
    return _unless_sure(reason, often)


def _unless_sure(reason: Reason, chance: float) -> Reason | None:
    return None if is_sure(chance) else reason
