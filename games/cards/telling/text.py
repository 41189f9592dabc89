"""The messages of Cards: message ids and their values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from games.cards.rules.packs import BLANK
from games.cards.rules.state import View
from games.cards.telling.log import event, filled, heading, texts
from games.cards.telling.newcomer import explain
from games.cards.telling.terms import TERMS
from games.contract.data import Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _, ngettext, won

FEW = 3
"""Maximum awaited players that are listed by name."""

REFUSALS = {
    "duplicate_card": _("Each card can be used only once."),
    "not_in_hand": _("That card is not in your hand."),
    "bad_play": _("There is no such answer on the table."),
    "own_play": _("You can't vote for your own answer."),
    "no_cards": _("Choose at least one card to discard."),
}

MOVES = {
    "PlayWhiteCards": _("Play"),
    "Vote": _("Vote"),
    "DiscardCards": _("Discard"),
    "Continue": _("Next round"),
}


@cache
def words(discard_cost: int) -> Words[View]:
    """Return all messages for tables with this discard cost."""
    return Words(
        tagline=_("Complete the prompt with the funniest card in your hand; everybody votes."),
        prompt=prompt,
        event=event,
        heading=heading,
        ending=_ending,
        refusal=refusal,
        move=lambda name: MOVES[name],
        choice=choice,
        hint=lambda view, seat, move, args: _hint(move, discard_cost),
        explain=lambda now: explain(now, discard_cost),
        terms=TERMS,
    )


def prompt(view: View, viewer: Viewer) -> Text:
    """Return a sentence, addressed to this viewer, that says what is happening and who must act."""
    match view.phase:
        case "play":
            return _play_prompt(view, viewer)
        case "vote":
            return _vote_prompt(view, viewer)
        case "results":
            return _result_prompt(view, viewer)
        case "over":
            return _("The match is over.")
    assert_never(view.phase)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    """Return the error message for a refused move or start."""
    match code:
        case "wrong_count":
            return ngettext(
                "Pick a card first.",
                "Pick %(count)s cards first.",
                _number(facts, "needed"),
            )
        case "not_enough_points":
            return ngettext(
                "Costs one point. You have %(have)s.",
                "Costs %(count)s points. You have %(have)s.",
                _number(facts, "needed"),
                have=facts["have"],
            )
        case "not_enough_cards":
            return ngettext(
                "Too few cards for this table: it takes one, these packs have %(have)s.",
                "Too few cards for this table: it takes %(count)s, these packs have %(have)s.",
                _number(facts, "needed"),
                have=facts["have"],
            )
        case "bad_options":
            return _(
                "The option “%(option)s” doesn't fit. Allowed: %(allowed)s.",
                option=TERMS[str(facts["option"])],
                allowed=facts["allowed"],
            )
    return REFUSALS[code]


def choice(view: View, move: str, argument: str, value: object) -> Text | None:
    """Return the text of the card with this id, or of the filled-in prompt with this play id.

    Return None if neither exists.
    """
    meant = [card.text for card in view.hand if card.id == value]
    black = view.black.text if view.black else ""
    meant += [filled(black, texts(play.cards)) for play in view.plays if play.play_id == value]
    return _("%(text)s", text=meant[0]) if meant else None


def _play_prompt(view: View, viewer: Viewer) -> Text:
    if _joins(view, viewer):
        return _("You're in from the next round on.")
    if viewer is not None and viewer not in view.played and view.hand and view.black:
        if view.black.cards_to_pick > 1:
            return _("Pick **%(count)s cards**, in order.", count=view.black.cards_to_pick)
        return _("Fill the **blank**.") if BLANK in view.black.text else _("Pick your **answer**.")
    return _waiting(view, view.played)


def _vote_prompt(view: View, viewer: Viewer) -> Text:
    if _joins(view, viewer):
        return _("You're in from the next round on.")
    if viewer is not None and viewer not in view.voted and _takes_part(view):
        return _("Vote for the **best answer**.")
    return _waiting(view, view.voted)


def _waiting(view: View, done: tuple[Seat, ...]) -> Text:
    """Say who has not answered yet, by name if there are few of them.

    Only players in the round hold cards.
    """
    missing = tuple(
        Seat(at)
        for at, player in enumerate(view.players)
        if player.hand_size and not player.is_joining and at not in done
    )
    if not missing:
        return _("Waiting for the others.")
    if len(missing) > FEW:
        return _("Waiting for **%(count)s players**.", count=len(missing))
    return _("Waiting for **%(who)s**.", who=missing)


def _result_prompt(view: View, viewer: Viewer) -> Text:
    if viewer in view.continued:
        return _waiting(view, view.continued)
    summary = view.last_round
    if summary is None or not summary.plays:
        return _("Too few played, so nobody scores. Next round coming up.")
    winners = summary.winners
    if not winners:
        return _("No votes, so nobody scores. Next round coming up.")
    text = ngettext(
        "%(who)s wins the round. Next round coming up.",
        "%(who)s share the round. Next round coming up.",
        len(winners),
        who=winners,
    )
    if len(winners) == 1:
        return text.to(winners, _("You win the round! Next round coming up."))
    return text.to(winners, _("You share the round! Next round coming up."))


def _joins(view: View, viewer: Viewer) -> bool:
    return viewer is not None and view.players[viewer].is_joining


def _hint(move: str, discard_cost: int) -> Text | None:
    """Return the cost of a discard as a hint, or None for other moves."""
    if move == "DiscardCards" and discard_cost:
        return ngettext("costs %(count)s point", "costs %(count)s points", discard_cost)
    return None


def _ending(view: View, winners: tuple[Seat, ...], reason: str) -> Text:
    if reason == "points" and winners:
        score = view.players[winners[0]].score
        return won(winners, ngettext("%(count)s point.", "%(count)s points.", score))
    if reason == "max_rounds":
        return won(winners, _("most points after the last round."))
    if reason == "inactive":
        return won(winners, _("most points when everybody stopped playing."))
    return won(winners, _("most points when too few players were left."))


def _takes_part(view: View) -> bool:
    """Return whether this is the view of an active player, not of the gallery."""
    return bool(view.hand) or any(play.mine for play in view.plays)


def _number(facts: Mapping[str, Fact], name: str) -> int:
    number = facts[name]
    assert isinstance(number, int)
    return number
