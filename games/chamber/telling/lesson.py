"""The lesson of Chamber: count the shells, look before you shoot, and shoot yourself."""

from __future__ import annotations

from games.chamber.rules.state import (
    Fired,
    PassRebalance,
    ShootPlayer,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    View,
)
from games.contract.data import Seat
from games.contract.lesson import LEARNER, Lesson, Line, Moment, Tip
from games.contract.words import _

ADA = Seat(1)
"""She shoots herself with a blank, and then the learner."""


def _first(moment: Moment) -> bool:
    """Return whether the first round, which is the whole lesson, is still being played."""
    view: View = moment.view
    return view.round == 1 and view.phase != "over"


def _aims(moment: Moment) -> bool:
    return _first(moment) and moment.may(ShootPlayer)


def _newest(moment: Moment) -> Fired | None:
    fired: tuple[Fired, ...] = moment.view.fired
    return fired[-1] if fired else None


def _hit_myself(moment: Moment) -> bool:
    shot = _newest(moment)
    mine = shot is not None and shot.shooter == LEARNER == shot.username
    return mine and shot is not None and shot.ammo_type == "live"


def _known(moment: Moment) -> str | None:
    """Return the kind of the next shell, or None if the learner cannot know it."""
    view: View = moment.view
    if view.live and view.blank:
        return view.known_next
    return "live" if view.live else "blank"


SCRIPT = (
    Line(ADA, ShootPlayer(ADA), lambda now: _first(now) and now.view.blank > now.view.live),
    Line(ADA, ShootPlayer(LEARNER), _first),
    Line(ADA, PassRebalance()),
)
TIPS = (
    Tip(
        text=_(
            "That was live, and it cost you a life. Shoot yourself only when a blank is likely: "
            "then your turn goes on."
        ),
        at="board",
        when=lambda now: _first(now) and _hit_myself(now),
    ),
    Tip(
        text=_(
            "Now you know how to play: count the shells, keep your items for the right moment. "
            "The last one alive wins. Play on, or start a real match."
        ),
        at="board",
        when=lambda now: not _first(now),
        last=True,
    ),
    Tip(
        text=_(
            "The next shell is live, you've seen it. Double the damage first: then it takes two "
            "lives instead of one."
        ),
        at="hand",
        when=lambda now: _aims(now) and _known(now) == "live" and now.may(UseDoubleDamageItem),
        right=(UseDoubleDamageItem(),),
    ),
    Tip(
        text=_("A live shell comes next. Now shoot %(ada)s!", ada=ADA),
        at="actions",
        when=lambda now: _aims(now) and _known(now) == "live",
        right=(ShootPlayer(ADA),),
    ),
    Tip(
        text=_(
            "No live shell is left, so this one is a blank. Shoot yourself: a blank at yourself "
            "costs nothing, and your turn goes on."
        ),
        at="board",
        when=lambda now: _aims(now) and _known(now) == "blank",
        right=(ShootPlayer(LEARNER),),
    ),
    Tip(
        text=_(
            "Two live shells and two blanks are in the chamber, in any order. Don't guess: you "
            "have a Check. Look at the next shell."
        ),
        at="hand",
        when=lambda now: _aims(now) and now.may(UseChamberCheckItem),
        right=(UseChamberCheckItem(),),
        wrong=(ShootPlayer(LEARNER),),
    ),
    Tip(
        text=_(
            "%(ada)s counts, too: if there are more blanks than live shells, shoot yourself: a "
            "blank gives you another go. Spent shells stay on the table.",
            ada=ADA,
        ),
        at="board",
        when=_first,
        right=(PassRebalance(),),
    ),
)
LESSON = Lesson(
    seats=2,
    luck=9854,
    options={
        "pace": "relaxed",
        "startLives": 3,
        "itemsPerRound": 2,
        "liveMin": 2,
        "liveMax": 2,
        "blankMin": 2,
        "blankMax": 2,
    },
    script=SCRIPT,
    tips=TIPS,
)
