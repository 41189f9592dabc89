"""Bots for Mia (rules/bots.md 5): thresholds, and each opponent's own record of lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from games.rules.choices import random_bot, sometimes_random
from games.rules.core import Bot, Event, Move, Offer, OneOf
from games.rules.data import Seat
from games.rules.luck import Luck
from games.rules.mia.state import (
    MIA,
    ActualDice,
    Announce,
    Announced,
    Continue,
    Dice,
    MiaView,
    Moves,
    Roll,
    See,
    ranking,
)

MODEST, BOLD_OPENING = "4,3", "5,4"
TRUTH = 88
"""Of a hundred announcements that could be true, so many are."""
VALUES = ranking(False)
"""What a bot reckons with; it does not look for the little Mia."""


def normal(
    seat: Seat, view: MiaView, offers: Sequence[Offer], heard: Sequence[Event], luck: Luck
) -> Move:
    """See what is probably a lie, tell the truth mostly, and lie by as little as possible."""
    names = {offer.move for offer in offers}
    if "Continue" in names:
        return Continue()
    if "Announce" in names:
        return Announce(_announcement(view, _choices(offers), luck))
    if view.announced is None or "See" not in names:
        return Roll()
    return See() if _looks_like_a_lie(view, heard) else Roll()


def _looks_like_a_lie(view: MiaView, heard: Sequence[Event]) -> bool:
    assert view.announced is not None
    said = view.announced.dice
    lie = _prior(said) * _boldness(heard, view.announced.username)
    return lie > 0.5 or chance_above(said) < 0.15


def chance_above(dice: Dice) -> float:
    """The probability of rolling more than this."""
    return _weight(VALUES[VALUES.index(dice) + 1 :])


def _prior(dice: Dice) -> float:
    """How likely an announcement is a lie, of somebody we know nothing of."""
    return 1 - sqrt(_weight(VALUES[VALUES.index(dice) :]))


def _boldness(heard: Sequence[Event], who: Seat) -> float:
    """How much more often somebody was caught than we expected (1: as often)."""
    expected = caught = 0.0
    last: Announced | None = None
    for event in heard:
        if isinstance(event, Announced):
            last = event
        elif isinstance(event, ActualDice) and last is not None and last.username == who:
            expected += _prior(last.dice)
            caught += VALUES.index(last.dice) > VALUES.index(event.dice)
    return (caught + 1) / (expected + 1)


def _announcement(view: MiaView, safe: Sequence[Dice], luck: Luck) -> Dice:
    own = view.dice or ""
    opening = view.announced is None
    modest = own in safe and own != MIA and VALUES.index(own) < VALUES.index(MODEST)
    if opening and modest and luck.draw("bold", 100) >= TRUTH:
        return BOLD_OPENING
    if own in safe:
        at = safe.index(own)
        bluff = luck.draw("bluff", 100) >= TRUTH and at + 1 < len(safe) and safe[at + 1] != MIA
        return safe[at + 1] if bluff else own
    step = luck.draw("step", 2)
    return safe[min(step, len(safe) - 1)]


def _choices(offers: Sequence[Offer]) -> tuple[Dice, ...]:
    """What can be announced without losing at once; anything when everything loses."""
    safe = [offer for offer in offers if offer.move == "Announce" and not offer.risky]
    found = (safe or [offer for offer in offers if offer.move == "Announce"])[0].args["dice"]
    assert isinstance(found, OneOf)
    return tuple(str(value) for value in found.one_of)


def _weight(values: Sequence[Dice]) -> float:
    return sum(1 if a == b else 2 for a, b in (value.split(",") for value in values)) / 36


BOTS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
}
