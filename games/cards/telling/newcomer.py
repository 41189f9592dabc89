"""Hints for players new to Cards: how the vote works, and what swapping cards costs."""

from __future__ import annotations

from games.cards.rules.state import DiscardCards, PlayWhiteCards, View, Vote
from games.contract.lesson import Moment
from games.contract.words import Text, _, ngettext


def explain(now: Moment, discard_cost: int) -> Text | None:
    """Explain how to play an answer, or what a vote gives. Return None at other questions."""
    view: View = now.view
    if now.may(PlayWhiteCards) and view.black is not None:
        if view.black.cards_to_pick > 1:
            return _("Cards go into the blanks in the order you tap them.")
        return _("Nobody sees whose answer it is before they have voted.")
    if not now.may(Vote):
        return None
    if now.may(DiscardCards) or not discard_cost:
        return _("Most votes: a point. With equal votes, everybody who has them gets one.")
    return ngettext(
        "Most votes: a point. Swapping cards takes %(count)s point; you have %(have)s.",
        "Most votes: a point. Swapping cards takes %(count)s points; you have %(have)s.",
        discard_cost,
        have=view.players[now.seat].score,
    )
