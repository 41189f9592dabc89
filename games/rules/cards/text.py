"""The sentences of Cards: message ids and facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from games.rules.cards.packs import BLANK
from games.rules.cards.state import (
    AuthorsShown,
    BlackCardDrawn,
    Cards,
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
    View,
)
from games.rules.cards.terms import TERMS
from games.rules.data import Viewer
from games.rules.words import Fact, Text, Words, _, ngettext

REFUSALS = {
    "duplicate_card": _("Each card can be used only once."),
    "not_in_hand": _("That card is not in your hand."),
    "bad_play": _("There is no such play on the table."),
    "own_play": _("You cannot vote for your own play."),
    "no_cards": _("Choose at least one card to discard."),
}

MOVES = {
    "PlayWhiteCards": _("Play"),
    "Vote": _("Vote"),
    "DiscardCards": _("Discard"),
    "Continue": _("Continue"),
}


def filled(prompt: str, answers: tuple[str, ...]) -> str:
    """A prompt with its answers: in the blanks in order, those without one after the text."""
    before, *rest = prompt.split(BLANK)
    text = before
    for answer, after in zip(answers, rest, strict=False):
        text += (answer if text else _upper(answer)) + after
    return " ".join((text, *map(_upper, answers[len(rest) :])))


def prompt(view: View, viewer: Viewer) -> Text:
    """What is going on and whom we wait for, said to this viewer."""
    match view.phase:
        case "play":
            return _play_prompt(view, viewer)
        case "vote":
            return _vote_prompt(view, viewer)
        case "results":
            return _result_prompt(view)
        case "over":
            return ngettext(
                "The match is over after one round.",
                "The match is over after %(count)s rounds.",
                view.round,
            )
    assert_never(view.phase)


def event(event: Events) -> Text:
    """What an event says in the log."""
    match event:
        case BlackCardDrawn():
            return _("Round %(round)s: %(prompt)s", round=event.round, prompt=event.card.text)
        case HandDrawn():
            return ngettext(
                "You draw a card: %(cards)s",
                "You draw %(count)s cards: %(cards)s",
                len(event.cards),
                cards=_texts(event.cards),
            )
        case PlayerPlayed():
            return _("%(who)s has played.", who=event.username)
        case PlaysRevealed():
            return ngettext(
                "%(count)s play is on the table: vote for the best.",
                "%(count)s plays are on the table: vote for the best.",
                len(event.plays),
            )
        case PlayerVoted():
            return _("%(who)s has voted.", who=event.username)
        case AuthorsShown():
            return _("You now see who played what.")
        case CardsDiscarded():
            return _discarded(event)
        case RoundResult():
            return _result(event)
        case RoundVoid():
            return _("Round %(round)s does not count: too few have played.", round=event.round)
        case Continued():
            return _("%(who)s is ready to go on.", who=event.username)
        case SeatJoined():
            return _("%(who)s joins and plays from the next round on.", who=event.username)
    assert_never(event)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    """Why a move or a start was refused."""
    match code:
        case "wrong_count":
            return ngettext(
                "This prompt asks for one card, not %(have)s.",
                "This prompt asks for %(count)s cards, not %(have)s.",
                _number(facts, "needed"),
                have=facts["have"],
            )
        case "not_enough_points":
            return ngettext(
                "Discarding costs one point, and you have %(have)s.",
                "Discarding costs %(count)s points, and you have %(have)s.",
                _number(facts, "needed"),
                have=facts["have"],
            )
        case "not_enough_cards":
            return ngettext(
                "These packs are too small for this table: one card is needed, they have %(have)s.",
                "These packs are too small for this table: %(count)s cards are needed, "
                "they have %(have)s.",
                _number(facts, "needed"),
                have=facts["have"],
            )
        case "bad_options":
            return _(
                "The option “%(option)s” does not fit; allowed: %(allowed)s.",
                option=TERMS[str(facts["option"])],
                allowed=facts["allowed"],
            )
    return REFUSALS[code]


def move(name: str) -> Text:
    """The button of a move."""
    return MOVES[name]


def choice(view: View, move: str, argument: str, value: object) -> Text | None:
    """What a card's id or a play's number means: the words on it."""
    texts: dict[object, str] = {card.id: card.text for card in view.hand}
    black = view.black.text if view.black else ""
    texts |= {play.play_id: filled(black, _texts(play.cards)) for play in view.plays}
    return _("%(text)s", text=texts[value]) if value in texts else None


def _play_prompt(view: View, viewer: Viewer) -> Text:
    if _joins(view, viewer):
        return _("You are dealt in with the next round; the others are playing.")
    if viewer is not None and viewer not in view.played and view.hand and view.black:
        return ngettext(
            "Your turn: play the card that answers the prompt best.",
            "Your turn: play %(count)s cards that answer the prompt, in the order of its blanks.",
            view.black.cards_to_pick,
        )
    if not view.played:
        return _("Everybody is choosing what to play.")
    return ngettext(
        "%(who)s has played, the others are still choosing.",
        "%(who)s have played, the others are still choosing.",
        len(view.played),
        who=view.played,
    )


def _vote_prompt(view: View, viewer: Viewer) -> Text:
    if _joins(view, viewer):
        return _("You are dealt in with the next round; the others are voting.")
    if viewer is not None and viewer not in view.voted and _takes_part(view):
        return _("Your turn: vote for the best play that is not your own.")
    if not view.voted:
        return _("Everybody is choosing the best play.")
    return ngettext(
        "%(who)s has voted, the others are still deciding.",
        "%(who)s have voted, the others are still deciding.",
        len(view.voted),
        who=view.voted,
    )


def _result_prompt(view: View) -> Text:
    summary = view.last_round
    if summary is None or not summary.plays:
        return _("Too few have played, so nobody scores; the next round follows.")
    if not summary.winners:
        return _("Nobody got a vote that counts, so nobody scores; the next round follows.")
    return ngettext(
        "%(who)s wins the round; the next one follows.",
        "%(who)s share the round; the next one follows.",
        len(summary.winners),
        who=summary.winners,
    )


def _joins(view: View, viewer: Viewer) -> bool:
    return viewer is not None and view.players[viewer].is_joining


def _result(event: RoundResult) -> Text:
    if not event.winners:
        return _("Round %(round)s goes to nobody.", round=event.round)
    won = tuple(
        filled(event.black.text, _texts(play.cards))
        for play in event.plays
        if play.author in event.winners
    )
    return ngettext(
        "%(who)s wins round %(round)s with: %(plays)s",
        "%(who)s share round %(round)s with: %(plays)s",
        len(event.winners),
        who=event.winners,
        round=event.round,
        plays=won,
    )


def _discarded(event: CardsDiscarded) -> Text:
    return ngettext(
        "%(who)s discards one card and has %(points)s left.",
        "%(who)s discards %(count)s cards and has %(points)s left.",
        event.count,
        who=event.username,
        points=ngettext("one point", "%(count)s points", event.score),
    )


def _takes_part(view: View) -> bool:
    """Whether this is the view of a seat in play, and not that of the gallery."""
    return bool(view.hand) or any(play.mine for play in view.plays)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _texts(cards: Cards) -> tuple[str, ...]:
    return tuple(card.text for card in cards)


def _number(facts: Mapping[str, Fact], name: str) -> int:
    number = facts[name]
    assert isinstance(number, int)
    return number


WORDS: Words[View] = Words(
    tagline=_("Complete the prompt with the funniest card in your hand; everybody votes."),
    prompt=prompt,
    event=event,
    refusal=refusal,
    move=move,
    choice=choice,
    terms=TERMS,
)
