"""Bots for Mia (rules/bots.md 5): thresholds, and each opponent's own record of lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from games.rules.choices import random_bot, sometimes_random
from games.rules.core import Bot, Event, Move, Offer, OneOf
from games.rules.data import Seat
from games.rules.luck import Luck
from games.rules.mia.state import (
    LITTLE_MIA,
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
TRUTH = 70


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


def chance_above(dice: Dice, values: Sequence[Dice]) -> float:
    """The probability of rolling more than this."""
    return _weight(values[values.index(dice) + 1 :])


def _looks_like_a_lie(view: MiaView, heard: Sequence[Event]) -> bool:
    assert view.announced is not None
    said, values = view.announced.dice, _values(heard)
    prior = 1 - sqrt(_weight(values[values.index(said) :]))
    seen, caught = _record(heard, view.announced.username, values)
    lie = (caught + 2 * prior) / (seen + 2)
    return lie > 0.5 or chance_above(said, values) < 0.15


def _record(heard: Sequence[Event], who: Seat, values: Sequence[Dice]) -> tuple[int, int]:
    """How often somebody's dice were shown, and how often they were less than announced."""
    seen = caught = 0
    last: Announced | None = None
    for event in heard:
        if isinstance(event, Announced):
            last = event
        elif isinstance(event, ActualDice) and last is not None and last.username == who:
            seen += 1
            caught += values.index(last.dice) > values.index(event.dice)
    return seen, caught


def _announcement(view: MiaView, safe: Sequence[Dice], luck: Luck) -> Dice:
    own = view.dice or ""
    opening = view.announced is None
    if opening and own in safe and own != MIA and safe.index(own) < safe.index(MODEST):
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


def _values(heard: Sequence[Any]) -> tuple[Dice, ...]:
    """The ranking; bots need not know of the little Mia but where it has been announced last."""
    little = any(
        isinstance(a, Announced) and isinstance(b, Announced) and b.dice == LITTLE_MIA
        for a, b in zip(heard, heard[2:], strict=False)
    )
    return ranking(little)


def _weight(values: Sequence[Dice]) -> float:
    return sum(1 if a == b else 2 for a, b in (value.split(",") for value in values)) / 36


BOTS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
}
