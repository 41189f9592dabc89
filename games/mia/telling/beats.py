"""The beats of Mia: shaking the cup, an announcement, lifting the cup, and a loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from games.contract.beats import NOTHING, Beat, Beats, Bubbles, Mood, addressed
from games.contract.data import Seat
from games.contract.words import _, ngettext
from games.mia.rules.state import (
    MIA,
    ActualDice,
    Announced,
    Continued,
    Events,
    LivesLeft,
    PlayerLost,
    PlayerOut,
    PlayerRolls,
    PlayerWantsToSee,
    Rolled,
    RoundStarted,
    Score,
)
from games.mia.telling.terms import said


def beats(event: Events) -> tuple[Beat, ...]:
    match event:
        case RoundStarted(round):
            return (Beat(headline=_("Round %(round)s", round=round), weight="light"),)
        case PlayerRolls(who):
            rolls = addressed(who, _("You roll"), _("%(who)s rolls"))
            return (Beat(headline=rolls, weight="light", sound="dice", seat=who),)
        case Announced(who, dice):
            mine, theirs = _("You say %(dice)s"), _("%(who)s says %(dice)s")
            headline = addressed(who, mine, theirs, dice=said(dice))
            if dice != MIA:
                return (Beat(headline=headline, seat=who),)
            return (Beat(headline=headline, seat=who, weight="heavy", stage="lift", sound="knock"),)
        case PlayerWantsToSee(who):
            sees = addressed(who, _("You call the bluff"), _("%(who)s calls the bluff"))
            return (Beat(headline=sees, seat=who, weight="heavy", stage="lift", sound="knock"),)
        case ActualDice(dice):
            shown = _("Under the cup: %(dice)s", dice=said(dice))
            return (Beat(headline=shown, beside=NOTHING, sound="dice"),)
        case PlayerLost():
            return (_lost(event),)
        case PlayerOut(who):
            gone = addressed(who, _("You are out"), _("%(who)s is out"))
            return (Beat(headline=gone, own={who: "loss"}, seat=who),)
        case Rolled() | LivesLeft() | Score() | Continued():
            return ()
    assert_never(event)


def _of_act(beats: tuple[Beat, ...]) -> tuple[Beat, ...]:
    """Name the losers below the drawing of the lifted cup, which already shows the dice."""
    pays = next((beat.beside for beat in beats if beat.beside not in (None, NOTHING)), NOTHING)
    return tuple(replace(b, beside=pays) if b.beside is NOTHING else b for b in beats)


def bubbles(event: Events) -> Bubbles | None:
    match event:
        case RoundStarted():
            return Bubbles(fresh=True)
        case Announced(who, dice):
            return Bubbles(said={who: _("%(dice)s!", dice=said(dice))}, fresh=True)
        case PlayerWantsToSee(who):
            return Bubbles(said={who: _("Show me!")})
        case _:
            return None


def _lost(event: PlayerLost) -> Beat:
    """Show who loses the round. There can be several losers after a true Mia."""
    losers = event.usernames
    many = len(losers)
    lose = ngettext("%(who)s loses the round", "%(who)s lose the round", many, who=losers)
    mine = _("you lose the round") if many == 1 else _("you and the others lose the round")
    alone = _("You lose the round") if many == 1 else _("You and the others lose the round")
    beside = lose.to(losers, alone)
    lose = lose.to(losers, mine)
    match event.reason:
        case "CAUGHT_BLUFFING" | "LIED_ABOUT_MIA":
            headline = _("A bluff: %(lose)s", lose=lose)
        case "SEE_FAILED" | "MIA":
            headline = _("It was true: %(lose)s", lose=lose)
        case _:
            headline = _("The round is over: %(lose)s", lose=lose)
    seat = losers[0] if len(losers) == 1 else None
    return Beat(headline=headline, beside=beside, own=dict.fromkeys(losers, "loss"), seat=seat)


def moods(event: Events) -> Mapping[Seat, Mood]:
    """Return the moods of the players. One who calls grins, and those who lose the round sweat."""
    match event:
        case PlayerWantsToSee(who):
            return {who: "grin"}
        case Announced(who):
            return {who: ""}
        case PlayerLost():
            return dict.fromkeys(event.usernames, "sweat")
        case _:
            return {}


BEATS = Beats(of=beats, act=_of_act, bubbles=bubbles, moods=moods)
