"""Hints for players new to Mia: whether their dice are high enough, and the odds of a roll."""

from __future__ import annotations

from games.contract.lesson import Moment
from games.contract.words import Text, _
from games.mia.bots.odds import at_least
from games.mia.rules.state import MIA, Announce, Continue, MiaOptions, MiaView, See, ranking
from games.mia.telling.terms import said


def explain(now: Moment, options: MiaOptions) -> Text | None:
    """Explain the player's own dice, an announcement, or a lost round.

    Return None at other questions.
    """
    if now.may(Announce) and now.view.dice is not None:
        return _announcing(now.view, now.view.dice, options)
    if now.may(See) and now.view.announced is not None:
        return _believing(now.view.announced.dice, options)
    if now.may(Continue) and options.scoring == "lives":
        return _("Hearts are lives. Lose them all and you're out; the last player standing wins.")
    return None


def _announcing(view: MiaView, dice: str, options: MiaOptions) -> Text:
    rank = ranking(options.little_mia).index
    last = view.announced.dice if view.announced else None
    if dice == MIA:
        return _("You have Mia. Say so: it's shown at once, and nothing beats it.")
    if last is not None and rank(dice) < rank(last) + options.must_raise:
        return _(
            "%(dice)s is too low, so you have to bluff. %(rolls)s%% of rolls beat %(last)s.",
            dice=said(dice),
            last=said(last),
            rolls=_rolls(rank(last) + 1, options),
        )
    return _(
        "Say %(dice)s and it's true: nobody can catch you. %(rolls)s%% of rolls beat it.",
        dice=said(dice),
        rolls=_rolls(rank(dice) + 1, options),
    )


def _believing(last: str, options: MiaOptions) -> Text:
    rank = ranking(options.little_mia).index(last)
    reach = _rolls(rank, options)
    if not options.must_raise:
        as_much = _("%(rolls)s%% of rolls are %(dice)s or better. To go on, you need that, too.")
        return as_much.of(dice=said(last), rolls=reach)
    return _(
        "%(rolls)s%% of rolls are %(dice)s or better. To go on, you must beat it: %(more)s%% do.",
        dice=said(last),
        rolls=reach,
        more=_rolls(rank + 1, options),
    )


def _rolls(rank: int, options: MiaOptions) -> int:
    """Return the expected number of rolls out of a hundred that have this rank or more."""
    return round(100 * at_least(rank, options.little_mia))
