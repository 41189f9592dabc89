"""The beats of Iron Throne: claims, challenges, blocks, proofs, coins and lost cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from games.contract.beats import Beat, Beats, Bubbles, Flight, Mood, addressed
from games.contract.data import Seat, Viewer
from games.contract.words import Fact, Text, _
from games.coup.rules.state import (
    ActionDeclared,
    ActionDone,
    ActionName,
    ActionStopped,
    Answered,
    Blocked,
    BluffCaught,
    CardDrawn,
    Challenged,
    CostPaid,
    CoupOptions,
    Events,
    Exchanged,
    InfluenceLost,
    Passed,
    PlayerEliminated,
    PoolDrawn,
    RoleShown,
)
from games.coup.telling.names import ACTION_NAMES, CLAIMS, ROLES_IN_SENTENCES, purse

Said = tuple[Text, Text]

DECLARED: Mapping[ActionName, Said] = {
    "ForeignAid": (_("You ask for foreign aid"), _("%(who)s asks for foreign aid")),
    "Coup": (
        _("You launch a coup against %(target)s"),
        _("%(who)s launches a coup against %(target)s"),
    ),
    "Tax": (_("You claim %(role)s: tax"), _("%(who)s claims %(role)s: tax")),
    "Assassinate": (
        _("You claim %(role)s to kill %(target)s"),
        _("%(who)s claims %(role)s to kill %(target)s"),
    ),
    "Exchange": (
        _("You claim %(role)s to exchange cards"),
        _("%(who)s claims %(role)s to exchange cards"),
    ),
    "Steal": (
        _("You claim %(role)s to steal from %(target)s"),
        _("%(who)s claims %(role)s to steal from %(target)s"),
    ),
}
AT_YOU: Mapping[ActionName, Text] = {
    "Coup": _("%(who)s launches a coup against you"),
    "Assassinate": _("%(who)s claims %(role)s to kill you"),
    "Steal": _("%(who)s claims %(role)s to steal from you"),
}
DONE: Mapping[ActionName, Said] = {
    "Income": (_("You take %(purse)s"), _("%(who)s takes %(purse)s")),
    "ForeignAid": (_("You take %(purse)s"), _("%(who)s takes %(purse)s")),
    "Tax": (_("You take %(purse)s"), _("%(who)s takes %(purse)s")),
    "Coup": (_("Your coup strikes %(target)s"), _("The coup strikes %(target)s")),
    "Assassinate": (_("Your assassin reaches %(target)s"), _("The assassin reaches %(target)s")),
    "Steal": (_("You steal from %(target)s"), _("%(who)s steals from %(target)s")),
    "Exchange": (_("You exchange cards"), _("%(who)s exchanges cards")),
}
DONE_TO_YOU: Mapping[ActionName, Text] = {
    "Coup": _("The coup strikes you"),
    "Assassinate": _("The assassin reaches you"),
    "Steal": _("%(who)s steals from you"),
}
STOPPED: Mapping[str, Text] = {
    "challenge": _("%(action)s fails"),
    "block": _("%(action)s is blocked"),
    "target_out": _("%(action)s comes too late"),
    "left": _("%(action)s is dropped"),
}
SAID: Mapping[ActionName, Text] = {
    "Income": _("I take **Income**."),
    "ForeignAid": _("I take **Foreign Aid**."),
    "Coup": _("My **Coup** hits %(target)s!"),
    "Tax": _("%(claim)s, and I collect taxes."),
    "Assassinate": _("%(claim)s, and I kill %(target)s."),
    "Exchange": _("%(claim)s, and I exchange cards."),
    "Steal": _("%(claim)s, and I steal from %(target)s."),
}
"""Actions as announced by players, in the first person."""
SAID_TO_YOU: Mapping[ActionName, Text] = {
    "Coup": _("My **Coup** hits you!"),
    "Assassinate": _("%(claim)s, and I kill you."),
    "Steal": _("%(claim)s, and I steal from you."),
}
MAYBE = _("may be a bluff")
"""The note below every claim, true or not."""
COIN, CARD = "coin", "throne-back"
"""CSS classes of flying objects."""
LOOT = 2
"""Coins that are drawn for a theft, even if the victim has only one."""
GAIN: Mapping[ActionName, int] = {"Income": 1, "ForeignAid": 2, "Tax": 3}


def moods(event: Events) -> Mapping[Seat, Mood]:
    """Return the moods of the players. Those under attack sweat, and those proved right grin."""
    match event:
        case ActionDeclared(target=Seat() as target):
            return {target: "sweat"}
        case Challenged(username=who, against=against):
            return {who: "", against: "sweat"}
        case RoleShown(username=who):
            return {who: "grin"}
        case BluffCaught(username=who) | InfluenceLost(username=who):
            return {who: "sweat"}
        case _:
            return {}


@cache
def beats(options: CoupOptions) -> Beats:
    """Return the beats for a table with these options. The options determine the names."""
    names = options.names
    return Beats(
        of=lambda event: _beats(event, names),
        act=_of_act,
        bubbles=lambda event: _bubbles(event, names),
        moods=moods,
    )


def _of_act(beats: tuple[Beat, ...]) -> tuple[Beat, ...]:
    """Remove the animation of a loss unless the act has no other animation.

    After a challenge, the proof decides whether the same act also costs a card. If the loss were
    animated, the act would take longer for one outcome than for the other.
    """
    stages = [beat.stage for beat in beats if beat.stage]
    if stages.count("loses") == len(stages) <= 1:
        return beats
    return tuple(beat for beat in beats if beat.stage != "loses")


def _beats(event: Events, names: str) -> tuple[Beat, ...]:
    roles = ROLES_IN_SENTENCES[names]
    match event:
        case ActionDeclared(action="Income"):  # shown by the `ActionDone` that follows at once
            return ()
        case ActionDeclared():
            return (_declared(event, names),)
        case Challenged(who, other):
            mine, theirs = _("You challenge %(other)s"), _("%(who)s challenges %(other)s")
            headline = addressed(who, mine, theirs, other=other)
            headline = headline.to(other, _("%(who)s challenges you"))
            return (
                Beat(headline=headline, weight="heavy", seat=who, stage="challenge", sound="knock"),
            )
        case RoleShown(who, role):
            mine, theirs = _("You show %(role)s: true"), _("%(who)s shows %(role)s: true")
            swapped = Flight(CARD, 1, who), Flight(CARD, 1, to=who)
            draws = addressed(who, _("You get a new card"), _("%(who)s gets a new card"))
            return (_proof(addressed(who, mine, theirs, role=roles[role]), draws, who, swapped),)
        case BluffCaught(who, claim):
            mine, theirs = (
                _("Bluff! You do not have %(role)s"),
                _("Bluff! %(who)s does not have %(role)s"),
            )
            loses = addressed(who, _("You must lose a card"), _("%(who)s must lose a card"))
            return (_proof(addressed(who, mine, theirs, role=roles[claim]), loses, who),)
        case CostPaid(who, cost):
            mine, theirs = _("You pay %(purse)s"), _("%(who)s pays %(purse)s")
            paid = addressed(who, mine, theirs, purse=purse(names, cost))
            coins = (Flight(COIN, cost, who),)
            return (Beat(headline=paid, weight="light", sound="coin", seat=who, flies=coins),)
        case Blocked(who, claim):
            mine, theirs = _("You block with %(role)s"), _("%(who)s blocks with %(role)s")
            return (Beat(headline=addressed(who, mine, theirs, role=roles[claim]), seat=who),)
        case ActionDone():
            return (_done(event, names),)
        case ActionStopped(who, action, by):
            stopped = _(STOPPED[by].id, action=ACTION_NAMES[action])
            return (Beat(headline=stopped, seat=who),)
        case InfluenceLost(who, role):
            mine, theirs = _("You lose %(role)s"), _("%(who)s loses %(role)s")
            lost = addressed(who, mine, theirs, role=roles[role])
            loses = addressed(who, _("You lose a card"), _("%(who)s loses a card"))
            drawn = Beat(headline=loses, sound="card", seat=who, stage="loses")
            return drawn, Beat(headline=lost, sound="stamp", seat=who)
        case Exchanged(who):
            exchanged = addressed(who, *DONE["Exchange"])
            cards = Flight(CARD, 2, to=who), Flight(CARD, 2, who)
            return (Beat(headline=exchanged, sound="card", seat=who, flies=cards),)
        case PlayerEliminated(who):
            gone = addressed(who, _("You are out"), _("%(who)s is out"))
            return (Beat(headline=gone, own={who: "loss"}, seat=who),)
        case Passed() | Answered() | CardDrawn() | PoolDrawn():
            return ()
    assert_never(event)


def _bubbles(event: Events, names: str) -> Bubbles | None:
    claims = CLAIMS[names]
    match event:
        case ActionDeclared(who, action, target, claim):
            said, at_you = SAID[action], SAID_TO_YOU.get(action)
            if claim is not None:
                said = said.of(claim=claims[claim])
            if target is not None and at_you is not None:
                said = said.of(target=target).to(target, at_you)
            return Bubbles(said={who: said}, fresh=True, note=MAYBE if claim is not None else None)
        case Passed(who):
            return Bubbles(said={who: _("Allow.")}, answer=True)
        case Answered(who):
            return Bubbles(said={who: _("I've **decided**.")}, answer=True)
        case Challenged(who, other):
            doubts = _("I **challenge** %(other)s!", other=other)
            return Bubbles(said={who: doubts.to(other, _("I **challenge** you!"))})
        case Blocked(who, claim):
            blocks = _("%(claim)s, and I block that.", claim=claims[claim])
            return Bubbles(said={who: blocks}, fresh=True, note=MAYBE)
        case RoleShown(who, role):
            return Bubbles(said={who: _("See? %(claim)s!", claim=claims[role])}, fresh=True)
        case BluffCaught(who):
            return Bubbles(said={who: _("Yes, I was **bluffing**.")}, fresh=True)
        case ActionDone() | ActionStopped() | InfluenceLost() | Exchanged():
            return Bubbles(over=True)
        case _:
            return None


def _proof(headline: Text, beside: Text, who: Seat, flies: tuple[Flight, ...] = ()) -> Beat:
    return Beat(
        headline=headline, beside=beside, weight="heavy", sound="card", seat=who, flies=flies
    )


def _declared(event: ActionDeclared, names: str) -> Beat:
    who, action = event.username, event.action
    facts: dict[str, Fact] = {}
    if event.claim is not None:
        facts["role"] = ROLES_IN_SENTENCES[names][event.claim]
    headline = _aimed(DECLARED[action], AT_YOU.get(action), who, event.target, facts)
    return Beat(headline=headline, seat=who)


def _done(event: ActionDone, names: str) -> Beat:
    who, action = event.username, event.action
    facts: dict[str, Fact] = {}
    if action in GAIN:
        facts["purse"] = purse(names, GAIN[action])
    headline = _aimed(DONE[action], DONE_TO_YOU.get(action), who, event.target, facts)
    strikes = action in ("Coup", "Assassinate")
    return Beat(
        headline=headline,
        sound=None if strikes else "coin",
        seat=who,
        flies=_collected(event),
    )


def _collected(event: ActionDone) -> tuple[Flight, ...]:
    """Return the animation of coins that fly to a player from the bank or a victim of theft."""
    who, target = event.username, event.target
    if event.action in GAIN:
        return (Flight(COIN, GAIN[event.action], to=who),)
    if event.action == "Steal" and who in event.coins:
        return (Flight(COIN, LOOT, target, who),)
    return ()


def _aimed(
    said: Said, at_you: Text | None, who: Seat, target: Viewer, facts: Mapping[str, Fact]
) -> Text:
    """Return the text of an action, which addresses the actor and the target as "you".

    If the target has no text of its own, the text addresses only the actor.
    """
    mine, others = said
    if target is None or at_you is None:
        return addressed(who, mine, others, **facts)
    return addressed(who, mine, others, target=target, **facts).to(target, at_you)
