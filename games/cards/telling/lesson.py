"""The lesson of Cards: one guided round, and a second round without help."""

from __future__ import annotations

from games.cards.rules.state import Continue, PlayWhiteCards, Vote
from games.contract.lesson import Lesson, Moment, Tip
from games.contract.words import _


def _plays_first(moment: Moment) -> bool:
    return bool(moment.view.round == 1)


TIPS = (
    Tip(
        text=_(
            "This is the prompt, with a gap. Fill it with one of your answers: the one that makes"
            " the others laugh. Nobody will know that it's yours."
        ),
        at="board",
        when=lambda now: now.may(PlayWhiteCards) and _plays_first(now),
    ),
    Tip(
        text=_(
            "All answers lie on the table, nobody knows whose. Vote for the best of the others: "
            "your own can't be chosen."
        ),
        at="board",
        when=lambda now: now.may(Vote) and _plays_first(now),
    ),
    Tip(
        text=_(
            "Now it says who played what. The most votes bring a point, and equals get one each. "
            "You look for what makes these people laugh. Go on!"
        ),
        at="board",
        when=lambda now: now.may(Continue) and _plays_first(now),
        right=(Continue(),),
    ),
    Tip(
        text=_(
            "Your answers are full again. One more: play what fits the prompt, or what doesn't "
            "fit at all."
        ),
        at="hand",
        when=lambda now: now.may(PlayWhiteCards) and now.view.round == 2,
    ),
    Tip(
        text=_("Vote again. While you do, you can swap cards you don't like; that costs a point."),
        at="actions",
        when=lambda now: now.may(Vote) and now.view.round == 2,
    ),
    Tip(
        text=_(
            "That's all there is to it. It's best with friends: send them your table's code. "
            "Play on here, or start a real match."
        ),
        at="board",
        when=lambda now: now.view.phase in ("results", "over") or now.view.round > 2,
        right=(Continue(),),
        last=True,
    ),
    Tip(
        text=_("Now the others decide. Everybody answers at the same time."),
        at="seats",
        when=lambda now: True,
    ),
)
LESSON = Lesson(seats=4, luck=14, options={"pace": "relaxed", "pointsToWin": 3}, tips=TIPS)
