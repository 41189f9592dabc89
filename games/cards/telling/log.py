"""The log of Cards: every event as a sentence."""

from __future__ import annotations

from typing import assert_never

from games.cards.rules.packs import BLANK, to_read
from games.cards.rules.state import (
    AuthorsShown,
    BlackCardDrawn,
    CardsDiscarded,
    Continued,
    Events,
    HandDrawn,
    PlayerPlayed,
    PlayerVoted,
    PlaysRevealed,
    RoundResult,
    RoundVoid,
    SeatJoined,
)
from games.cards.rules.texts import Cards
from games.contract.words import Text, _, after, ngettext


def heading(event: Events) -> Text | None:
    """Return the heading of the log section that begins with this event, or None.

    Each round is a section.
    """
    if isinstance(event, BlackCardDrawn):
        return _("Round %(round)s", round=event.round)
    return None


def event(event: Events) -> Text | None:
    """Return an event as a sentence for the log, or None if the event is not logged."""
    match event:
        case BlackCardDrawn():
            return _("Prompt: %(prompt)s", prompt=to_read(event.card.text))
        case HandDrawn():
            return ngettext(
                "You draw a card: %(cards)s",
                "You draw %(count)s cards: %(cards)s",
                len(event.cards),
                cards=texts(event.cards),
            )
        case PlaysRevealed():
            return ngettext(
                "%(count)s answer is on the table.",
                "%(count)s answers are on the table.",
                len(event.plays),
            )
        case CardsDiscarded():
            return _discarded(event)
        case RoundResult():
            return _result(event)
        case RoundVoid():
            return _("Round %(round)s doesn't count: too few played.", round=event.round)
        case PlayerPlayed() | PlayerVoted() | AuthorsShown() | Continued():  # visible at the table
            return None
        case SeatJoined(who):
            text = _("%(who)s joins and plays from the next round on.", who=who)
            return text.to(who, _("You're in from the next round on."))
    assert_never(event)


def _result(event: RoundResult) -> Text:
    if not event.winners:
        return _("Nobody wins round %(round)s.", round=event.round)
    best = tuple(
        filled(event.black.text, texts(play.cards))
        for play in event.plays
        if play.author in event.winners
    )
    text = ngettext(
        "%(who)s wins round %(round)s with: %(plays)s",
        "%(who)s share round %(round)s with: %(plays)s",
        len(event.winners),
        who=event.winners,
        round=event.round,
        plays=" / ".join(best),  # answers often end with a full stop
    )
    if len(event.winners) == 1:
        return text.to(event.winners, _("You win round %(round)s with: %(plays)s"))
    return text.to(event.winners, _("You share round %(round)s with: %(plays)s"))


def _discarded(event: CardsDiscarded) -> Text:
    who, points = event.username, ngettext("one point", "%(count)s points", event.score)
    text = ngettext(
        "%(who)s discards one card and has %(points)s left.",
        "%(who)s discards %(count)s cards and has %(points)s left.",
        event.count,
        who=who,
        points=points,
    )
    yours = ngettext(
        "You discard one card and have %(points)s left.",
        "You discard %(count)s cards and have %(points)s left.",
        event.count,
    )
    return text.to(who, yours)


def filled(prompt: str, answers: tuple[str, ...]) -> str:
    """Fill the answers into the blanks in order.

    If there is no blank, the answers follow the text.
    """
    before, *rest = prompt.split(BLANK)
    text = before
    for answer, part in zip(answers, rest, strict=False):
        text += after(text, answer) + part
    return " ".join((text, *(after("", answer) for answer in answers[len(rest) :])))


def texts(cards: Cards) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
