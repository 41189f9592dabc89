"""The beats of Cards: the prompt, the answers being read out, and the winner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

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
from games.contract.beats import Beat, Beats, Bubbles, Mood, Sound, addressed
from games.contract.data import Seat
from games.contract.words import _, ngettext

EACH = 2.6
"""Seconds for reading an answer."""
MOST = 15.0
"""Maximum seconds for reading all answers."""


def beats(event: Events) -> tuple[Beat, ...]:
    match event:
        case BlackCardDrawn(round=number):
            return (Beat(headline=_("Round %(round)s", round=number), sound="card"),)
        case PlaysRevealed(plays=plays):
            return (_reading(len(plays)),)
        case RoundResult():
            return _result(event)
        case RoundVoid():
            return (Beat(headline=_("Too few answers: nobody scores")),)
        case SeatJoined(username=who):
            joins = addressed(who, _("You join"), _("%(who)s joins"))
            return (Beat(headline=joins, weight="light", seat=who),)
        case (
            HandDrawn()
            | PlayerPlayed()
            | PlayerVoted()
            | AuthorsShown()
            | CardsDiscarded()
            | Continued()
        ):
            return ()
    assert_never(event)


def bubbles(event: Events) -> Bubbles | None:
    match event:
        case BlackCardDrawn() | PlaysRevealed():
            return Bubbles(fresh=True)
        case RoundResult(plays=plays, winners=winners):
            votes = {play.author: play.votes for play in plays if play.author in winners}
            said = {
                who: ngettext("**%(count)s vote** for me!", "**%(count)s votes** for me!", n)
                for who, n in votes.items()
            }
            return Bubbles(said=said, fresh=True)
        case _:
            return None


def _reading(answers: int) -> Beat:
    """Return the beat in which everybody reads the answers, one after the other."""
    return Beat(
        headline=_("Which is the best answer?"),
        weight="heavy",
        stage="reading",
        reading=min(MOST, answers * EACH),
        sound="card",
    )


def _result(event: RoundResult) -> tuple[Beat, ...]:
    winners = event.winners
    drawn = Beat(headline=_("The votes are in"), weight="heavy", stage="result", sound="ballot")
    if not winners:
        nobody = _("Nobody wins the round")
        return (drawn, Beat(headline=nobody, beside=_("No answer got a vote"), sound="stamp"))
    many = len(winners)
    headline = ngettext("%(who)s wins the round", "%(who)s share the round", many, who=winners)
    mine = _("You win the round") if many == 1 else _("You share the round")
    own: dict[Seat, Sound] = dict.fromkeys(winners, "win")
    seat = winners[0] if many == 1 else None
    headline = headline.to(winners, mine)
    return (drawn, Beat(headline=headline, sound="stamp", own=own, seat=seat))


def moods(event: Events) -> Mapping[Seat, Mood]:
    """Return the moods of the players. The winners of a round grin."""
    match event:
        case RoundResult(winners=winners):
            return dict.fromkeys(winners, "grin")
        case _:
            return {}


BEATS = Beats(of=beats, bubbles=bubbles, moods=moods)
