"""The level `normal` of Mia. It models each opponent and minimizes the probability of losing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log

from games.contract.core import ClaimMade, Event, Move, Offer, OneOf
from games.contract.data import Seat
from games.contract.luck import Luck
from games.mia.bots.odds import (
    CHARACTERS,
    NOTHING,
    SLIP,
    TOP,
    Character,
    heard,
    loss_by_rolling,
    loss_by_saying,
    saying,
    sees,
    truth,
)
from games.mia.rules.state import (
    LITTLE_MIA,
    MIA,
    ActualDice,
    Announce,
    Announced,
    Continue,
    Dice,
    MiaView,
    PlayerLost,
    PlayerRolls,
    PlayerWantsToSee,
    Roll,
    RoundStarted,
    See,
    ranking,
)

MEMORY = 600
"""Number of past events a bot remembers."""
NEARLY = 0.02
"""Choose randomly among announcements whose loss is within this margin of the best."""


def normal(
    seat: Seat,
    view: MiaView,
    offers: Sequence[Offer],
    told: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: Luck,
) -> Move:
    """Make the move that is least likely to lose the round against these players."""
    names = {offer.move for offer in offers}
    if "Continue" in names:
        return Continue()
    if "Announce" in names:
        return Announce(_announcement(seat, view, safe_dice(offers), told, luck))
    if view.announced is None or "See" not in names:
        return Roll()
    return See() if _is_better_seen(seat, view, told) else Roll()


def reckless(who: Seat, told: Sequence[Event], little: bool) -> float:
    """Return the probability that a player is reckless, judged by that player's recent actions."""
    odds = 0.0
    for likely in _signs(who, told[-MEMORY:], little):
        odds += log((likely["reckless"] + SLIP) / (likely["careful"] + SLIP))
    return 1 / (1 + exp(-max(-6.0, min(6.0, odds))))


def believed(who: Seat, before: int, said: int, told: Sequence[Event], little: bool) -> float:
    """Return the probability that an announcement is true.

    The estimate starts from the player's character, and is corrected by the announcements seen so
    far.
    """
    wild = reckless(who, told, little)

    def by_kind(before: int, said: int) -> float:
        return _mixed(wild, {c: truth(c, before, said, little) for c in CHARACTERS})

    seen = [(dice >= said, by_kind(b, said)) for b, said, dice in _seen(who, told, little)]
    honest, due = sum(true for true, _ in seen), sum(chance for _, chance in seen)
    lies, lies_due = len(seen) - honest, len(seen) - due
    true = by_kind(before, said) * (honest + 2) / (due + 2)
    false = (1 - by_kind(before, said)) * (lies + 2) / (lies_due + 2)
    return true / (true + false)


def _seen(who: Seat, told: Sequence[Event], little: bool) -> Iterator[tuple[int, int, int]]:
    """Yield each revealed announcement of a player with the announcement before it and the dice."""
    rank = ranking(little).index
    before, said, speaker = NOTHING, NOTHING, who
    for event in told[-MEMORY:]:
        match event:
            case RoundStarted():
                before, said = NOTHING, NOTHING
            case Announced(speaker, dice):
                before, said = said, rank(dice)
            case ActualDice(dice) if speaker == who and said != NOTHING:
                yield before, said, rank(dice)


def _signs(who: Seat, told: Sequence[Event], little: bool) -> Iterator[Mapping[Character, float]]:
    """For each action of this player, yield its likelihood by character."""
    rank = ranking(little).index
    before, said, speaker = NOTHING, NOTHING, who
    for event in told:
        match event:
            case RoundStarted():
                before, said = NOTHING, NOTHING
            case PlayerRolls(me) if me == who and said != NOTHING:
                yield {c: 1 - sees(c, said, little) for c in CHARACTERS}
            case PlayerWantsToSee(me) if me == who and said != NOTHING:
                yield {c: sees(c, said, little) for c in CHARACTERS}
            case Announced(speaker, dice):
                before, said = said, rank(dice)
                if speaker == who:
                    yield {c: heard(c, before, said, little)[0] for c in CHARACTERS}
            case ActualDice(dice) if speaker == who and said != NOTHING:
                yield {c: saying(c, before, rank(dice)).get(said, 0.0) for c in CHARACTERS}


def _is_better_seen(seat: Seat, view: MiaView, told: Sequence[Event]) -> bool:
    assert view.announced is not None
    little, n = seems_little(told), len(view.order)
    ranks = [ranking(little).index(made.dice) for made in view.announcements]
    said, before = ranks[-1], ranks[-2] if len(ranks) > 1 else NOTHING
    seeing = believed(view.announced.username, before, said, told, little)
    table = _table(seat, view, told, little)
    rolling = _mixed(table, {c: loss_by_rolling(c, n, said, little) for c in CHARACTERS})
    return seeing < rolling


def _announcement(
    seat: Seat, view: MiaView, safe: Sequence[Dice], told: Sequence[Event], luck: Luck
) -> Dice:
    if view.dice is None or (view.dice == MIA and MIA in safe):
        return MIA
    little, n = seems_little(told), len(view.order)
    values, table = ranking(little), _table(seat, view, told, little)
    own, losses = values.index(view.dice), {}
    for dice in safe:
        rank = values.index(dice)
        if rank < TOP:
            by = {c: loss_by_saying(c, n, rank, own < rank, little) for c in CHARACTERS}
            losses[dice] = _mixed(table, by)
    best = min(losses.values(), default=0.0)
    good = [dice for dice, loss in losses.items() if loss <= best + NEARLY]
    return luck.pick("announce", good or safe)


def _mixed(wild: float, by: Mapping[Character, float]) -> float:
    return wild * by["reckless"] + (1 - wild) * by["careful"]


def _table(seat: Seat, view: MiaView, told: Sequence[Event], little: bool) -> float:
    """Return the mean recklessness of the others in the round. The next player counts most."""
    at = view.order.index(seat)
    others = (*view.order[at + 1 :], *view.order[:at])
    kinds = [reckless(other, told, little) for other in others]
    return (kinds[0] + sum(kinds) / len(kinds)) / 2


def safe_dice(offers: Sequence[Offer]) -> tuple[Dice, ...]:
    """Return the announcements that do not lose at once, or all of them if each would lose."""
    safe = [offer for offer in offers if offer.move == "Announce" and not offer.risky]
    found = (safe or [offer for offer in offers if offer.move == "Announce"])[0].args["dice"]
    assert isinstance(found, OneOf)
    return tuple(str(value) for value in found.one_of)


def seems_little(told: Sequence[Event]) -> bool:
    """Return whether 3,1 seems to rank just below Mia, because it has beaten another value."""
    kinds = (Announced, RoundStarted, PlayerLost)
    heads = [event for event in told[-MEMORY:] if isinstance(event, kinds)]
    return any(
        isinstance(first, Announced)
        and first.dice != LITTLE_MIA
        and isinstance(second, Announced)
        and second.dice == LITTLE_MIA
        and getattr(third, "reason", "") != "ANNOUNCED_LOSING_DICE"
        for first, second, third in zip(heads, heads[1:], [*heads[2:], None], strict=False)
    )
