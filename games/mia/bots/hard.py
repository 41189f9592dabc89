"""The level `hard` of Mia: equilibrium tables, with limited exploitation of a single opponent.

`manage.py mia_tables` prints how much a perfect opponent can gain against the equilibrium. With two
players left, the bot mixes in the best reply to what it has observed. The more observations there
are, the more the reply counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.contract.core import ClaimMade, Decision, Event, Offer, ReasoningBot
from games.contract.data import Seat
from games.contract.luck import Luck
from games.mia.bots.normal import normal, reckless, safe_dice, seems_little
from games.mia.bots.observing import expected, observed, true_and_told, true_by
from games.mia.bots.odds import at_least
from games.mia.bots.reasons import of_bluff, of_call
from games.mia.bots.rounds import Place, reached
from games.mia.bots.tables import Table, kept, reply, solved
from games.mia.rules.state import (
    LITTLE_MIA,
    MIA,
    Announce,
    Announced,
    Continue,
    Dice,
    MiaView,
    PlayerLost,
    Roll,
    RoundStarted,
    See,
    ranking,
)

RESERVE = 6
"""Number of observations after which exploitation has half its full weight."""
WILD, TAME = 0.7, 0.35
"""Play as `normal` if the others' mean recklessness exceeds WILD and each is at least TAME."""
LOWEST = "3,2"
"""The lowest rank if 3,1 does not rank lowest."""
FINE = 1 << 20
"""Resolution of random draws."""
Mixture = tuple[tuple[float, Table], ...]


def decide(
    seat: Seat,
    view: MiaView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: Luck,
) -> Decision:
    """Play by the probabilities in the tables.

    Play as `normal` if no table applies or if several opponents are too reckless.
    """
    names = {offer.move for offer in offers}
    if "Continue" in names:
        return Decision(Continue())
    if "Announce" not in names and (view.announced is None or "See" not in names):
        return Decision(Roll())
    if _wild(seat, view, heard):
        return Decision(normal(seat, view, offers, heard, said, luck))
    if "Announce" in names:
        made = _announcement(seat, view, offers, heard, luck)
        return made or Decision(normal(seat, view, offers, heard, said, luck))
    return _answer(seat, view, heard, luck)


hard = ReasoningBot(decide)


def _announcement(
    seat: Seat, view: MiaView, offers: Sequence[Offer], heard: Sequence[Event], luck: Luck
) -> Decision | None:
    safe = safe_dice(offers)
    if view.dice is None or all(offer.risky for offer in offers):
        return None
    if view.dice == MIA:
        return Decision(Announce(MIA))
    last = view.announced.dice if view.announced else None
    values = ranking(_is_little(safe, last))
    must_raise = last not in safe
    place = _place([values.index(made.dice) for made in view.announcements], must_raise)
    spread = dict.fromkeys(safe, 0.0)
    for part, table in mixture(seat, view, heard, values, must_raise):
        for rank, often in table.says(place, values.index(view.dice)).items():
            if values[rank] in spread:
                spread[values[rank]] += part * often
    if not any(spread.values()):
        return None
    dice = _drawn(spread, luck)
    said, own = values.index(dice), values.index(view.dice)
    often = solved(values != ranking(False), must_raise, len(view.order)).sees(place, said)
    return Decision(Announce(dice), of_bluff(dice, view.dice, often) if own < said else None)


def _answer(seat: Seat, view: MiaView, heard: Sequence[Event], luck: Luck) -> Decision:
    assert view.announced is not None
    values = ranking(seems_little(heard))
    said = [values.index(made.dice) for made in view.announcements]
    must_raise = not _repeats(heard)
    place = _place(said[:-1], must_raise)
    tables = mixture(seat, view, heard, values, must_raise)
    seen = sum(part * table.sees(place, said[-1]) for part, table in tables)
    if luck.draw("see", FINE) >= seen * FINE:
        return Decision(Roll())
    true = _truth(view, heard, (values != ranking(False), must_raise), place, said[-1])
    beaten = at_least(said[-1] + 1, values != ranking(False))
    return Decision(See(), of_call(view.announced.username, view.announced.dice, true, beaten))


def _truth(
    view: MiaView, heard: Sequence[Event], rules: tuple[bool, bool], place: Place, said: int
) -> float:
    """Return the probability that the last announcement is true.

    The probability is based on the tables or, with one opponent, on what has been observed.
    """
    assert view.announced is not None
    little, must_raise = rules
    if len(view.order) == 2 and not little and must_raise:
        return true_by(observed(view.announced.username, heard), place, said)
    says = solved(little, must_raise, len(view.order)).says
    true, told = true_and_told(says, place, said, little)
    return true / told if told else 0.0


def mixture(
    seat: Seat, view: MiaView, heard: Sequence[Event], values: tuple[Dice, ...], must_raise: bool
) -> Mixture:
    """Return the equilibrium and, against some opponents, a reply to them, each with its weight."""
    n, little = len(view.order), values != ranking(False)
    table = solved(little, must_raise, n)
    if n != 2 or little or not must_raise:
        return ((1.0, table),)
    other = view.order[1] if view.order[0] == seat else view.order[0]
    seen = observed(other, heard)
    worth = kept().worth
    best = min(worth, key=lambda name: expected(seen, worth[name]))
    step = len(seen) / (len(seen) + RESERVE)
    if best not in kept().tables:  # the equilibrium is already the best reply
        return ((1.0, table),)
    return ((1 - step, table), (step, reply(best)))


def _wild(seat: Seat, view: MiaView, heard: Sequence[Event]) -> bool:
    """Return whether the opponents, if there are several, are too reckless for the tables."""
    others = [other for other in view.order if other != seat]
    if len(others) < 2:
        return False
    kinds = [reckless(other, heard, seems_little(heard)) for other in others]
    return sum(kinds) / len(kinds) > WILD and min(kinds) >= TAME


def _place(said: Sequence[int], must_raise: bool) -> Place:
    place = reached(said)
    return Place(place.last) if must_raise else place


def _is_little(safe: Sequence[Dice], last: Dice | None) -> bool:
    """Return whether 3,1 ranks just below Mia, as inferred from the announcements on offer."""
    if LITTLE_MIA in safe:
        return safe.index(LITTLE_MIA) >= len(safe) - 2
    return last == LITTLE_MIA and LOWEST not in safe


def _repeats(heard: Sequence[Event]) -> bool:
    """Return whether a player has repeated an announcement without losing."""
    words = [event for event in heard if isinstance(event, Announced | RoundStarted | PlayerLost)]
    return any(
        isinstance(one, Announced)
        and isinstance(two, Announced)
        and one.dice == two.dice
        and getattr(three, "reason", "") != "ANNOUNCED_LOSING_DICE"
        for one, two, three in zip(words, words[1:], [*words[2:], None], strict=False)
    )


def _drawn(spread: Mapping[Dice, float], luck: Luck) -> Dice:
    """Choose dice at random, weighted by `spread`."""
    at = luck.draw("announce", FINE) / FINE * sum(spread.values())
    for dice, part in spread.items():
        at -= part
        if at < 0:
            return dice
    return max(spread, key=lambda dice: spread[dice])
