"""The messages of Mia for the prompt, the log, refusals and the end of the match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from games.contract.data import Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _, ngettext, won
from games.mia.rules.state import (
    ActualDice,
    Announced,
    Continued,
    Events,
    LivesLeft,
    Loss,
    MiaOptions,
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
from games.mia.telling.buttons import hint
from games.mia.telling.newcomer import explain
from games.mia.telling.reasons import sentence
from games.mia.telling.terms import MOVES, TERMS, said

LOST: Mapping[Reason, tuple[Text, Text]] = {
    "SEE_BEFORE_FIRST_ROLL": (
        _("%(who)s called before anybody had rolled."),
        _("You called before anybody had rolled."),
    ),
    "DID_NOT_TAKE_TURN": (
        _("%(who)s didn't take their turn."),
        _("You didn't take your turn."),
    ),
    "INVALID_TURN": (
        _("%(who)s made a move that doesn't count."),
        _("You made a move that doesn't count."),
    ),
    "DID_NOT_ANNOUNCE": (
        _("%(who)s said nothing that counts."),
        _("You said nothing that counts."),
    ),
    "ANNOUNCED_LOSING_DICE": (_("%(who)s didn't go higher."), _("You didn't go higher.")),
    "LIED_ABOUT_MIA": (
        _("%(who)s said Mia and didn't have it."),
        _("You said Mia and didn't have it."),
    ),
    "MIA": (
        ngettext(
            "It really is Mia! %(who)s loses the round.",
            "It really is Mia! %(who)s lose the round.",
            1,
        ),
        _("It really is Mia! You lose the round."),
    ),
    "CAUGHT_BLUFFING": (
        _("%(who)s was caught bluffing and loses the round."),
        _("You were caught bluffing and lose the round."),
    ),
    "SEE_FAILED": (
        _("%(who)s called, but the dice were good. %(who)s loses the round."),
        _("You called, but the dice were good. You lose the round."),
    ),
}
"""Reasons for losing a round: the sentence for everybody else, and that for the loser."""


@cache
def words(options: MiaOptions) -> Words[MiaView]:
    """Return all messages for tables with these options."""
    return Words(
        tagline=_("Two dice under a cup: say more than the last player, true or not."),
        prompt=lambda view, viewer: _prompt(view, viewer, options),
        event=event,
        heading=heading,
        ending=_ending,
        refusal=refusal,
        move=lambda name: MOVES[name],
        hint=lambda view, seat, move, args: hint(view, seat, move, args, options),
        explain=lambda now: explain(now, options),
        truth=lambda view, move, args: move == "Announce" and args.get("dice") == view.dice,
        reason=sentence,
        undrawn=frozenset({"Fault", "humanMs"}),
        terms=TERMS,
    )


def _prompt(view: MiaView, viewer: Viewer, options: MiaOptions) -> Text:
    who = view.on_turn
    match view.phase:
        case "turn" if who is not None:
            return _believing(view, who) if view.announced else _rolling(who)
        case "announce" if who is not None:
            text = _("**%(who)s** is peeking under the cup.", who=who)
            return text.to(who, _announcing(view, options))
        case _ if view.lost:
            return lost(view.lost)
        case _:
            return _("The match is over.")


def _rolling(who: Seat) -> Text:
    text = _("Waiting for **%(who)s** to roll.", who=who)
    return text.to(who, _("Your turn. **Roll the dice.**"))


def _believing(view: MiaView, who: Seat) -> Text:
    assert view.announced is not None
    before, dice = view.announced.username, said(view.announced.dice)
    text = _(
        "%(before)s says **%(dice)s**. Waiting for **%(who)s** to roll or call the bluff.",
        before=before,
        dice=dice,
        who=who,
    )
    yours = _("You say **%(dice)s**. Waiting for **%(who)s** to roll or call the bluff.")
    asked = _("%(before)s says **%(dice)s**. Believe it and roll, or call the bluff?")
    return text.to(before, yours).to(who, asked)


def _announcing(view: MiaView, options: MiaOptions) -> Text:
    if view.announced is None:
        return _("What do you **say**?")
    dice = said(view.announced.dice)
    if options.must_raise or _twice(view):
        return _("What do you say? **More than %(dice)s.**", dice=dice)
    return _("What do you say? **At least %(dice)s.**", dice=dice)


def _twice(view: MiaView) -> bool:
    """Return whether the last two announcements were equal, so that the next one must be higher."""
    last = [one.dice for one in view.announcements[-2:]]
    return len(last) == 2 and last[0] == last[1]


def heading(event: Events) -> Text | None:
    """Return the heading of the log section that begins with this event, or None.

    Each round is a section.
    """
    if isinstance(event, RoundStarted):
        return _("Round %(round)s", round=event.round)
    return None


def event(event: Events) -> Text | None:
    match event:
        case RoundStarted(_round, order):
            return _("Order: %(order)s.", order=_each_named(order))
        case PlayerRolls(who):
            return _("%(who)s rolls.", who=who).to(who, _("You roll."))
        case Rolled(dice):
            return _("You rolled **%(dice)s**.", dice=said(dice))
        case Announced(who, dice):
            text = _("%(who)s says **%(dice)s**.", who=who, dice=said(dice))
            return text.to(who, _("You say **%(dice)s**."))
        case PlayerWantsToSee(who):
            return _("%(who)s calls the bluff.", who=who).to(who, _("You call the bluff."))
        case ActualDice(dice):
            return _("Under the cup: **%(dice)s**.", dice=said(dice))
        case PlayerLost(who, reason):
            return lost(Loss(who, reason))
        case LivesLeft(lives):
            return _("Lives left: %(each)s.", each=_each(lives))
        case Score(points):
            return _("Points: %(each)s.", each=_each(points))
        case PlayerOut(who):
            return _("%(who)s is out.", who=who).to(who, _("You're out."))
        case Continued():
            return None
    assert_never(event)


def _each_named(seats: tuple[Seat, ...]) -> tuple[Text, ...]:
    return tuple(Text("%(who)s", {"who": seat}).to(seat, _("you")) for seat in seats)


def _each(counts: Mapping[Seat, int]) -> tuple[Text, ...]:
    return tuple(
        _("%(who)s %(count)s", who=seat, count=n).to(seat, _("you %(count)s"))
        for seat, n in counts.items()
    )


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "see_before_first_roll":
            return _("Nobody has rolled yet, so there is no bluff to call.")
        case "bad_dice":
            return _("There is no roll called %(dice)s.", dice=facts.get("dice", ""))
        case _:
            return _("You can't do that now.")


def _ending(view: MiaView, winners: tuple[Seat, ...], reason: str) -> Text:
    if reason == "rounds":
        why = ngettext(
            "most points after %(count)s round.",
            "most points after %(count)s rounds.",
            view.round,
        )
        return won(winners, why)
    if reason == "not_enough_players":
        return won(winners, _("everybody else left."))
    return won(winners, _("last player standing."))


def lost(loss: Loss) -> Text:
    """Return the sentence that says who lost a round, and why."""
    (text, yours), who = LOST[loss.reason], loss.usernames
    return Text(text.id, {"who": who}, text.plural, len(who)).to(who, yours)
