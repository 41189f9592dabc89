"""The lesson of Mia: an announcement that is believed, a successful lie, and a bluff that is
called.
"""

from __future__ import annotations

from games.contract.data import Seat
from games.contract.lesson import LEARNER, Lesson, Line, Moment, Tip
from games.contract.words import _
from games.mia.rules.state import (
    MIA,
    Announce,
    Continue,
    MiaView,
    Reason,
    Roll,
    See,
    ranking,
)
from games.mia.telling.terms import said

ADA, BELA = Seat(1), Seat(2)
RANK = ranking(False).index
TRUTH, LIE, BOLD, TOLD, TOO_MUCH = "5,3", "6,1", "5,5", "5,4", "6,6"


def _heard(moment: Moment) -> str:
    view: MiaView = moment.view
    return view.announced.dice if view.announced else ""


def _rank(dice: str | None) -> int:
    return RANK(dice) if dice else -1


def _in_round(number: int, moment: Moment) -> bool:
    return bool(moment.view.round == number)


def _lost(moment: Moment, reason: Reason, me: bool = True) -> bool:
    lost = moment.view.lost
    if lost is None or moment.view.round > 2 or lost.reason != reason:
        return False
    return (LEARNER in lost.usernames) == me


def _is_over(moment: Moment) -> bool:
    """Return whether both rounds of the lesson have been played."""
    view: MiaView = moment.view
    return view.round > 2 or (view.round == 2 and view.phase in ("result", "over"))


def _has_to_lie(moment: Moment) -> bool:
    dice = moment.view.dice
    return moment.may(Announce) and dice is not None and _rank(dice) <= _rank(_heard(moment))


SCRIPT = (
    Line(ADA, Announce(TRUTH), lambda now: _in_round(1, now) and not _heard(now)),
    Line(BELA, See(), lambda now: _in_round(1, now) and _rank(_heard(now)) > RANK(BOLD)),
    Line(BELA, Roll(), lambda now: _in_round(1, now)),
    Line(
        BELA,
        Announce(BOLD),
        lambda now: _in_round(1, now) and _rank(now.view.dice) < RANK(BOLD) > _rank(_heard(now)),
    ),
    Line(ADA, See(), lambda now: _in_round(1, now) and now.view.announced.username == BELA),
    Line(BELA, Announce(TOLD), lambda now: _in_round(2, now) and not _heard(now)),
    Line(ADA, Roll(), lambda now: _in_round(2, now) and _heard(now) == TOLD),
    Line(ADA, Announce(TOO_MUCH), lambda now: _in_round(2, now) and _heard(now) == TOLD),
)
TIPS = (
    Tip(
        text=_(
            "%(ada)s says %(dice)s, and nobody else has seen the dice. Believe it: then you roll,"
            " and have to say more. Or call the bluff: if it's true, you lose a life. %(dice)s is"
            " not much, so believe it.",
            ada=ADA,
            dice=said(TRUTH),
        ),
        at="actions",
        when=lambda now: _in_round(1, now) and now.may(See) and _heard(now) == TRUTH,
        right=(Roll(),),
        wrong=(See(),),
    ),
    Tip(
        text=_(
            "Only you see these dice, and they are less than what was said. So you have to lie. "
            "Say %(dice)s: a little more, and easy to believe.",
            dice=said(LIE),
        ),
        at="hand",
        when=lambda now: _in_round(1, now) and _has_to_lie(now),
        right=(Announce(LIE),),
        wrong=(Announce(MIA), Announce(TOO_MUCH)),
    ),
    Tip(
        text=_("You've said it. Now %(bela)s believes you, or calls your bluff.", bela=BELA),
        at="seats",
        when=lambda now: (
            _in_round(1, now)
            and any(one.username == LEARNER for one in now.view.announcements)
            and now.view.phase in ("turn", "announce")
        ),
    ),
    Tip(
        text=_(
            "%(ada)s called %(bela)s's bluff and was right: there is less under the cup. That "
            "costs %(bela)s a life. And nobody will ever know that you lied before!",
            ada=ADA,
            bela=BELA,
        ),
        at="board",
        when=lambda now: _in_round(1, now) and _lost(now, "CAUGHT_BLUFFING", me=False),
        right=(Continue(),),
    ),
    Tip(
        text=_(
            "You called, but the dice were good, so you lose a life. What isn't much is mostly "
            "true. Who loses a round begins the next one."
        ),
        at="board",
        when=lambda now: _lost(now, "SEE_FAILED"),
        right=(Continue(),),
    ),
    Tip(
        text=_(
            "Mia is shown to everybody at once, and you had something else. A lie about Mia never"
            " works. A smaller one often does."
        ),
        at="board",
        when=lambda now: _lost(now, "LIED_ABOUT_MIA"),
        right=(Continue(),),
    ),
    Tip(
        text=_(
            "Your bluff was called, and you lose a life. The more you say, the less they believe "
            "you. Next time, try a smaller lie."
        ),
        at="board",
        when=lambda now: _lost(now, "CAUGHT_BLUFFING"),
        right=(Continue(),),
    ),
    Tip(
        text=_(
            "That's the whole game: believe it or call, tell the truth or lie. Play this match to"
            " its end, or start a real one."
        ),
        at="status",
        when=_is_over,
        right=(Continue(),),
        last=True,
    ),
    Tip(
        text=_(
            "%(ada)s says %(dice)s! That is one roll in 36, and only Mia is more. If you believe "
            "it, you need Mia yourself. Call the bluff!",
            ada=ADA,
            dice=said(TOO_MUCH),
        ),
        at="actions",
        when=lambda now: now.may(See) and _heard(now) == TOO_MUCH,
        right=(See(),),
        wrong=(Roll(),),
    ),
    Tip(
        text=_(
            "Only Mia would be enough now, and you don't have it. Whatever you say, you lose a "
            "life. That is why you should have called."
        ),
        at="hand",
        when=lambda now: _heard(now) == TOO_MUCH and _has_to_lie(now),
        right=(Announce(MIA),),
    ),
    Tip(
        text=_("You begin this round: roll. Doubles beat all other rolls, and 2-1 is Mia."),
        at="actions",
        when=lambda now: now.may(Roll) and not now.may(See),
        right=(Roll(),),
    ),
    Tip(
        text=_(
            "Nobody has said anything yet, so say what you like. The truth is marked, and only "
            "you see that."
        ),
        at="actions",
        when=lambda now: now.may(Announce) and not _heard(now),
    ),
    Tip(
        text=_(
            "Watch who says how much. The larger die counts first, doubles beat all other rolls, "
            "and 2-1 is Mia, the highest of all."
        ),
        at="board",
        when=lambda now: now.view.phase in ("turn", "announce"),
    ),
)
LESSON = Lesson(
    seats=3,
    luck=19623,
    options={"lives": 2, "pace": "relaxed"},
    script=SCRIPT,
    tips=TIPS,
)
