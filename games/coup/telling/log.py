"""The log of Iron Throne: every event as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from games.contract.data import Seat, Viewer
from games.contract.words import Fact, Text, _, unasked
from games.coup.rules.state import (
    ACTIONS,
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
    Events,
    Exchanged,
    InfluenceLost,
    Passed,
    PlayerEliminated,
    PoolDrawn,
    Role,
    RoleShown,
)
from games.coup.telling.names import ACTION_NOUNS, ROLES_IN_SENTENCES, purse

Roles = Mapping[Role, Text]

ACTION_TEXTS: Mapping[ActionName, Text] = {
    "Income": _("%(who)s takes **Income**"),
    "ForeignAid": _("%(who)s takes **Foreign Aid**"),
    "Coup": _("%(who)s launches a **Coup** against **%(target)s**"),
    "Tax": _("%(who)s claims **%(role)s** and taxes (**+3**)"),
    "Assassinate": _("%(who)s claims **%(role)s** and assassinates **%(target)s**"),
    "Exchange": _("%(who)s claims **%(role)s** and exchanges cards"),
    "Steal": _("%(who)s claims **%(role)s** and steals **%(loot)s** from %(target)s"),
}
YOUR_ACTION: Mapping[ActionName, Text] = {
    "Income": _("You take **Income**"),
    "ForeignAid": _("You take **Foreign Aid**"),
    "Coup": _("You launch a **Coup** against **%(target)s**"),
    "Tax": _("You claim **%(role)s** and tax (**+3**)"),
    "Assassinate": _("You claim **%(role)s** and assassinate **%(target)s**"),
    "Exchange": _("You claim **%(role)s** and exchange cards"),
    "Steal": _("You claim **%(role)s** and steal **%(loot)s** from %(target)s"),
}
ACTION_AGAINST_YOU: Mapping[ActionName, Text] = {
    "Coup": _("%(who)s launches a **Coup** against **you**"),
    "Assassinate": _("%(who)s claims **%(role)s** and assassinates **you**"),
    "Steal": _("%(who)s claims **%(role)s** and steals **%(loot)s** from you"),
}
DONE: Mapping[ActionName, tuple[Text, Text, Text]] = {
    "Coup": (
        _("%(who)s's Coup hits %(target)s."),
        _("Your Coup hits %(target)s."),
        _("%(who)s's Coup hits you."),
    ),
    "Assassinate": (
        _("%(who)s's assassin gets %(target)s."),
        _("Your assassin gets %(target)s."),
        _("%(who)s's assassin gets you."),
    ),
    "Steal": (
        _("%(who)s steals from %(target)s and now has %(purse)s."),
        _("You steal from %(target)s and now have %(purse)s."),
        _("%(who)s steals from you and now has %(purse)s."),
    ),
}
"""Sentences for an action that takes effect: for everybody else, for the actor, and for the
target.
"""
STOPPED: Mapping[str, tuple[Text, Text]] = {
    "challenge": (_("%(who)s's %(action)s fails."), _("Your %(action)s fails.")),
    "block": (_("%(who)s's %(action)s is blocked."), _("Your %(action)s is blocked.")),
    "target_out": (
        _("%(who)s's %(action)s does nothing: the target is out."),
        _("Your %(action)s does nothing: your target is out."),
    ),
    "left": (
        _("%(who)s's %(action)s is off: they left."),
        _("Your %(action)s is off: you left."),
    ),
}


def heading(event: Events) -> Text | None:
    """Return the heading of the log section that begins with this event, or None.

    Each turn is a section.
    """
    if not isinstance(event, ActionDeclared):
        return None
    who = event.username
    return _("%(who)s's turn", who=who).to(who, _("Your turn"))


def event(event: Events, names: str) -> Text:
    roles = ROLES_IN_SENTENCES[names]
    match event:
        case ActionDeclared(who, action, target):
            deed = action_text(who, action, target, roles)
            return unasked(event.auto, who, _("%(deed)s.", deed=deed))
        case Passed(who):
            return _("%(who)s allows it.", who=who).to(who, _("You allow it."))
        case Answered(who):
            return _("%(who)s has answered.", who=who).to(who, _("You have answered."))
        case Challenged():
            return _challenged(event, roles)
        case RoleShown(who, role):
            text = _("%(who)s shows **%(role)s** and draws a new card.", who=who, role=roles[role])
            return text.to(who, _("You show **%(role)s** and draw a new card."))
        case CardDrawn(role):
            return _("You draw **%(role)s**.", role=roles[role])
        case BluffCaught(who, claim):
            text = _("A bluff! %(who)s doesn't have **%(role)s**.", who=who, role=roles[claim])
            return text.to(who, _("Caught! You don't have **%(role)s**."))
        case CostPaid(who, cost):
            text = _("%(who)s pays %(purse)s.", who=who, purse=purse(names, cost))
            return text.to(who, _("You pay %(purse)s."))
        case Blocked(who, claim):
            text = _("%(who)s claims **%(role)s** and blocks it.", who=who, role=roles[claim])
            return text.to(who, _("You claim **%(role)s** and block it."))
        case ActionDone():
            return _done(event, names)
        case ActionStopped(who, action, by):
            stopped, yours = STOPPED[by]
            return Text(stopped.id, {"who": who, "action": ACTION_NOUNS[action]}).to(who, yours)
        case InfluenceLost(who, role):
            lost = _("%(who)s loses **%(role)s**.", who=who, role=roles[role])
            return unasked(event.auto, who, lost.to(who, _("You lose **%(role)s**.")))
        case PoolDrawn(pool):
            return _("You choose from %(pool)s.", pool=tuple(roles[role] for role in pool))
        case Exchanged(who):
            text = _("%(who)s exchanges cards.", who=who).to(who, _("You exchange cards."))
            return unasked(event.auto, who, text)
        case PlayerEliminated(who):
            return _("%(who)s is out.", who=who).to(who, _("You're out."))
    assert_never(event)


def _challenged(event: Challenged, roles: Roles) -> Text:
    text = _(
        "%(who)s challenges %(other)s, who claimed **%(role)s**.",
        who=event.username,
        other=event.against,
        role=roles[event.claim],
    )
    return text.to(event.username, _("You challenge %(other)s, who claimed **%(role)s**.")).to(
        event.against, _("%(who)s challenges you: do you have **%(role)s**?")
    )


def _done(event: ActionDone, names: str) -> Text:
    who = event.username
    said: dict[str, Fact] = {"who": who}
    if who in event.coins:
        said["purse"] = purse(names, event.coins[who])
    elif event.action == "Steal":
        return _("%(who)s finds nothing to steal.", **said).to(who, _("You find nothing to steal."))
    if event.target is None:
        return _("%(who)s now has %(purse)s.", **said).to(who, _("You now have %(purse)s."))
    text, yours, against = DONE[event.action]
    text = Text(text.id, {**said, "target": event.target})
    return text.to(who, yours).to(event.target, against)


def action_text(
    who: Seat, action: ActionName, target: Viewer, roles: Roles, loot: Fact = 2
) -> Text:
    claim = ACTIONS[action].claim
    said: dict[str, Fact] = {"who": who, "loot": loot}
    if claim is not None:
        said["role"] = roles[claim]
    if target is not None:
        said["target"] = target
    text = Text(ACTION_TEXTS[action].id, said).to(who, YOUR_ACTION[action])
    return text if target is None else text.to(target, ACTION_AGAINST_YOU[action])
