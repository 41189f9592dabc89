"""The sentences of Iron Throne."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from games.rules.coup.names import (
    ACTION_NAMES,
    BUTTONS,
    MONEY,
    ROLE_LABELS,
    ROLES_IN_SENTENCES,
    TERMS,
    purse,
)
from games.rules.coup.state import (
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
    CoupOptions,
    CoupView,
    Events,
    Exchanged,
    InfluenceLost,
    Passed,
    PlayerEliminated,
    PoolDrawn,
    Role,
    RoleShown,
)
from games.rules.data import Seat, Viewer
from games.rules.words import Fact, Text, Words, _, ngettext, unasked

Roles = Mapping[Role, Text]

ACTION_TEXTS: Mapping[ActionName, Text] = {
    "Income": _("%(who)s takes Income"),
    "ForeignAid": _("%(who)s asks for Foreign Aid"),
    "Coup": _("%(who)s launches a Coup against %(target)s"),
    "Tax": _("%(who)s claims %(role)s to raise a tax"),
    "Assassinate": _("%(who)s claims %(role)s to assassinate %(target)s"),
    "Exchange": _("%(who)s claims %(role)s to exchange cards"),
    "Steal": _("%(who)s claims %(role)s to steal from %(target)s"),
}
ACTION_TEXTS_TO_YOU: Mapping[ActionName, Text] = {
    "Assassinate": _("%(who)s claims %(role)s to assassinate you"),
    "Steal": _("%(who)s claims %(role)s to steal from you"),
}
DONE: Mapping[ActionName, Text] = {
    "Coup": _("The Coup by %(who)s strikes %(target)s."),
    "Assassinate": _("The assassin of %(who)s reaches %(target)s."),
    "Steal": _("%(who)s steals from %(target)s and now has %(purse)s."),
}
STOPPED: Mapping[str, Text] = {
    "challenge": _("%(action)s by %(who)s fails."),
    "block": _("%(action)s by %(who)s is blocked."),
    "target_out": _("%(action)s by %(who)s has no effect: the target is out."),
    "left": _("%(action)s by %(who)s is dropped: %(who)s has left."),
}


@cache
def words(options: CoupOptions) -> Words[CoupView]:
    """The sentences for a table with these options."""
    return _words(options.names)


@cache
def _words(names: str) -> Words[CoupView]:
    roles, labels = ROLES_IN_SENTENCES[names], ROLE_LABELS[names]
    terms = {
        str(word): text for words in (TERMS, labels, ACTION_NAMES) for word, text in words.items()
    }
    terms["coins"] = MONEY[names]
    return Words(
        tagline=_("Two hidden cards, five roles, and everybody claims to be someone else."),
        prompt=lambda view, viewer: _prompt(view, viewer, roles),
        event=lambda event: _event(event, names),
        refusal=refusal,
        move=lambda name: _button(name, roles),
        choice=lambda view, move, argument, value: _choice(view, argument, value, labels),
        terms=terms,
    )


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "must_coup":
            return _("With %(coins)s in your purse only a Coup is left to you.", **facts)
        case "not_enough_coins":
            return _("That costs %(needed)s, and you have %(have)s.", **facts)
        case "bad_target":
            return _("Choose somebody else who is still in the game.")
        case "bad_role":
            return _("This role cannot block that action.")
        case "bad_card":
            return _("That is not a card you can choose.")
        case "wrong_count":
            needed = facts["needed"]
            assert isinstance(needed, int)
            return ngettext("Choose exactly one card.", "Choose exactly %(count)s cards.", needed)
        case _:
            return _("That cannot be done now.")


def _button(name: str, roles: Roles) -> Text:
    claim = next((action.claim for key, action in ACTIONS.items() if key == name), None)
    return _(BUTTONS[name].id, role=roles[claim]) if claim else BUTTONS[name]


def _choice(view: CoupView, argument: str, value: object, labels: Roles) -> Text | None:
    """A number of a card as the role it is, for who may see it."""
    if argument == "card" and view.hand is not None and isinstance(value, int):
        return labels[view.hand[value].role]
    if argument == "keep" and view.pool is not None and isinstance(value, int):
        return labels[view.pool[value]]
    return None


def _prompt(view: CoupView, viewer: Viewer, roles: Roles) -> Text:
    asked = viewer is not None and viewer in view.waiting
    match view.phase:
        case "challenge_window" if asked:
            return _("%(deed)s: do you doubt it?", deed=_running(view, viewer, roles))
        case "challenge_window":
            action_text = _running(view, viewer, roles)
            return _("%(deed)s; we wait for %(waiting)s.", deed=action_text, waiting=view.waiting)
        case "block_window" if asked:
            return _("%(deed)s: do you block it?", deed=_running(view, viewer, roles))
        case "block_window":
            action_text = _running(view, viewer, roles)
            return _("%(deed)s; %(waiting)s may block it.", deed=action_text, waiting=view.waiting)
        case "block_challenge_window":
            return _block(view, asked, roles)
        case "lose_influence" if view.loser is not None:
            return _loss(view.loser, viewer)
        case "exchange" if view.on_turn is not None:
            return _exchange(view, view.on_turn, viewer)
        case "action" if view.on_turn is not None and viewer == view.on_turn:
            return _("Your turn: what do you do?")
        case "action" if view.on_turn is not None:
            return _("We wait for %(who)s to act.", who=view.on_turn)
        case _:
            return _("The match is over.")


def _running(view: CoupView, viewer: Viewer, roles: Roles) -> Text:
    """What the turn holder is about, as a clause without its full stop."""
    assert view.action is not None
    assert view.actor is not None
    return _action_text(view.actor, view.action, view.target, roles, viewer)


def _action_text(
    who: Seat, action: ActionName, target: Viewer, roles: Roles, you: Viewer = None
) -> Text:
    claim = ACTIONS[action].claim
    said: dict[str, Fact] = {"who": who}
    if claim is not None:
        said["role"] = roles[claim]
    if target is not None and target == you:
        return Text(ACTION_TEXTS_TO_YOU[action].id, said)
    if target is not None:
        said["target"] = target
    return Text(ACTION_TEXTS[action].id, said)


def _block(view: CoupView, asked: bool, roles: Roles) -> Text:
    assert view.blocker is not None
    assert view.block is not None
    assert view.action is not None
    said: dict[str, Fact] = {
        "who": view.blocker,
        "role": roles[view.block],
        "action": ACTION_NAMES[view.action],
    }
    if asked:
        return _("%(who)s claims %(role)s to block %(action)s: do you doubt it?", **said)
    return _(
        "%(who)s claims %(role)s to block %(action)s; we wait for %(waiting)s.",
        waiting=view.waiting,
        **said,
    )


def _loss(loser: Seat, viewer: Viewer) -> Text:
    if viewer == loser:
        return _("You lose an influence: choose the card to give up.")
    return _("%(who)s loses an influence and chooses the card.", who=loser)


def _exchange(view: CoupView, chooser: Seat, viewer: Viewer) -> Text:
    if viewer != chooser:
        return _("%(who)s exchanges cards and chooses which to keep.", who=chooser)
    count = view.players[chooser].influence
    return ngettext("Choose the card you keep.", "Choose the %(count)s cards you keep.", count)


def _event(event: Events, names: str) -> Text:
    roles = ROLES_IN_SENTENCES[names]
    match event:
        case ActionDeclared(who, action, target):
            action_text = _("%(deed)s.", deed=_action_text(who, action, target, roles))
            return unasked(event.auto, who, action_text)
        case Passed(who):
            return _("%(who)s lets it pass.", who=who)
        case Answered(who):
            return _("%(who)s has answered.", who=who)
        case Challenged(who, other, claim):
            return _(
                "%(who)s doubts that %(other)s has %(role)s.",
                who=who,
                other=other,
                role=roles[claim],
            )
        case RoleShown(who, role):
            return _("%(who)s shows %(role)s and draws a new card.", who=who, role=roles[role])
        case CardDrawn(role):
            return _("You draw %(role)s.", role=roles[role])
        case BluffCaught(who, claim):
            return _("A bluff: %(who)s does not have %(role)s.", who=who, role=roles[claim])
        case CostPaid(who, cost):
            return _("%(who)s pays %(purse)s.", who=who, purse=purse(names, cost))
        case Blocked(who, claim):
            return _("%(who)s claims %(role)s to block it.", who=who, role=roles[claim])
        case ActionDone():
            return _done(event, names)
        case ActionStopped(who, action, by):
            return _(STOPPED[by].id, who=who, action=ACTION_NAMES[action])
        case InfluenceLost(who, role):
            lost = _("%(who)s loses %(role)s.", who=who, role=roles[role])
            return unasked(event.auto, who, lost)
        case PoolDrawn(pool):
            return _("You choose from %(pool)s.", pool=tuple(roles[role] for role in pool))
        case Exchanged(who):
            return unasked(event.auto, who, _("%(who)s has exchanged cards.", who=who))
        case PlayerEliminated(who):
            return _("%(who)s is out.", who=who)
    assert_never(event)


def _done(event: ActionDone, names: str) -> Text:
    said: dict[str, Fact] = {"who": event.username}
    if event.username in event.coins:
        said["purse"] = purse(names, event.coins[event.username])
    elif event.action == "Steal":
        return _("%(who)s finds nothing to steal.", **said)
    if event.target is None:
        return _("%(who)s now has %(purse)s.", **said)
    return _(DONE[event.action].id, target=event.target, **said)
