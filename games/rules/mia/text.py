"""The sentences of Mia."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from games.rules.data import Viewer
from games.rules.mia.state import (
    MIA,
    ActualDice,
    Announced,
    Continued,
    Dice,
    Events,
    LivesLeft,
    Loss,
    MiaView,
    PlayerLost,
    PlayerOut,
    PlayerRolls,
    PlayerWantsToSee,
    Reason,
    Rolled,
    RoundStarted,
    Score,
)
from games.rules.words import Fact, Text, Words, _, ngettext

LOST: Mapping[Reason, Text] = {
    "SEE_BEFORE_FIRST_ROLL": _("%(who)s wanted to see before anybody had rolled."),
    "DID_NOT_TAKE_TURN": _("%(who)s did not take their turn."),
    "INVALID_TURN": _("%(who)s made a move that counts for nothing."),
    "DID_NOT_ANNOUNCE": _("%(who)s announced nothing that counts."),
    "ANNOUNCED_LOSING_DICE": _("%(who)s did not announce high enough."),
    "LIED_ABOUT_MIA": _("%(who)s announced Mia without having it."),
    "MIA": ngettext("It really is Mia: %(who)s loses.", "It really is Mia: %(who)s lose.", 1),
    "CAUGHT_BLUFFING": _("%(who)s was caught bluffing."),
    "SEE_FAILED": _("%(who)s wanted to see, and the dice were at least as high as announced."),
}


def prompt(view: MiaView, viewer: Viewer) -> Text:
    mine = viewer is not None and view.on_turn == viewer
    who = view.on_turn if view.on_turn is not None else ""
    match view.phase:
        case "turn" if mine and view.announced:
            return _(
                "Your turn: %(dice)s is announced. Roll, or see what is under the cup?",
                dice=said(view.announced.dice),
            )
        case "turn" if mine:
            return _("Your turn: roll the dice.")
        case "turn" if view.announced:
            return _(
                "%(before)s announced %(dice)s. We wait for %(who)s to roll or to see.",
                before=view.announced.username,
                dice=said(view.announced.dice),
                who=who,
            )
        case "turn":
            return _("We wait for %(who)s to roll the dice.", who=who)
        case "announce" if mine and view.dice:
            return _("You rolled %(dice)s. What do you announce?", dice=said(view.dice))
        case "announce":
            return _("%(who)s looks under the cup. We wait for an announcement.", who=who)
        case _ if view.lost:
            return lost(view.lost)
        case _:
            return _("The match is over.")


def event(event: Events) -> Text:
    match event:
        case RoundStarted(round, order):
            return _("Round %(round)s: %(order)s.", round=round, order=order)
        case PlayerRolls(who):
            return _("%(who)s rolls the dice.", who=who)
        case Rolled(dice):
            return _("You rolled %(dice)s.", dice=said(dice))
        case Announced(who, dice):
            return _("%(who)s announces %(dice)s.", who=who, dice=said(dice))
        case PlayerWantsToSee(who):
            return _("%(who)s wants to see.", who=who)
        case ActualDice(dice):
            return _("Under the cup: %(dice)s.", dice=said(dice))
        case PlayerLost(who, reason):
            return lost(Loss(who, reason))
        case LivesLeft(lives):
            each = tuple(_("%(who)s %(count)s", who=s, count=n) for s, n in lives.items())
            return _("Lives left: %(each)s.", each=each)
        case Score(points):
            each = tuple(_("%(who)s %(count)s", who=s, count=n) for s, n in points.items())
            return _("Points: %(each)s.", each=each)
        case PlayerOut(who):
            return _("%(who)s is out.", who=who)
        case Continued(who):
            return _("%(who)s is ready to go on.", who=who)
    assert_never(event)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "see_before_first_roll":
            return _("Nobody has rolled yet in this round, so there is nothing to see.")
        case "bad_dice":
            return _("There is no roll called %(dice)s.", dice=facts.get("dice", ""))
        case _:
            return _("That cannot be done now.")


def move(name: str) -> Text:
    return MOVES[name]


def said(dice: Dice) -> Text | str:
    """Dice as people say them."""
    return _("Mia") if dice == MIA else dice


MOVES: Mapping[str, Text] = {
    "Roll": _("Roll the dice"),
    "See": _("I want to see"),
    "Announce": _("Announce"),
    "Continue": _("Go on"),
    "Fault": _("Give the round away"),
}

TERMS: Mapping[str, Text] = {
    "phase": _("Phase"),
    "turn": _("turn"),
    "announce": _("announcing"),
    "result": _("result"),
    "over": _("over"),
    "round": _("Round"),
    "order": _("Order"),
    "onTurn": _("On turn"),
    "announced": _("Announced"),
    "announcements": _("Announcements"),
    "dice": _("Dice"),
    "shown": _("Shown"),
    "lost": _("Lost"),
    "continued": _("Ready"),
    "lives": _("Lives"),
    "points": _("Points"),
    "reason": _("Reason"),
    "username": _("Player"),
    "usernames": _("Players"),
    MIA: _("Mia"),
    "scoring": _("Scoring"),
    "rounds": _("Rounds (with points)"),
    "littleMia": _("Little Mia: 3,1 ranks just below Mia"),
    "mustRaise": _("An announcement has to be higher"),
    "miaCosts": _("Lives lost around a Mia"),
    "onFault": _("After a move that is not allowed"),
    "refuse": _("say so"),
    "lose": _("lose the round"),
    "humanMs": _("Time of people among UDP bots (milliseconds)"),
    "last_alive": _("the last one in the game"),
    "rounds_played": _("all rounds played"),
    "not_enough_players": _("too few players left"),
}


def lost(loss: Loss) -> Text:
    """Who lost a round, and why."""
    said, count = LOST[loss.reason], len(loss.usernames)
    return Text(said.id, {"who": loss.usernames}, said.plural, count)


WORDS: Words[MiaView] = Words(
    tagline=_("Two dice under a cup, and everybody says more than they have."),
    prompt=prompt,
    event=event,
    refusal=refusal,
    move=move,
    undrawn=frozenset({"Fault"}),
    terms=TERMS,
)
