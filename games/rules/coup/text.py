"""The sentences of Iron Throne, in the seed's words or, by option, in those of Coup."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, assert_never

from games.rules.coup.state import (
    ActionDeclared,
    ActionDone,
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
    RoleShown,
)
from games.rules.data import Viewer
from games.rules.words import Fact, Text, Words, _, ngettext

ROLE_NAMES: Mapping[str, Mapping[str, Text]] = {
    "iron_throne": {
        "baelish": _("Petyr Baelish"),
        "hound": _("the Hound"),
        "jaqen": _("Jaqen H'ghar"),
        "arya": _("Arya"),
        "melisandre": _("Melisandre"),
    },
    "classic": {
        "baelish": _("Duke"),
        "hound": _("Assassin"),
        "jaqen": _("Ambassador"),
        "arya": _("Captain"),
        "melisandre": _("Contessa"),
    },
}
ACTION_NAMES: Mapping[str, Text] = {
    "Income": _("Income"),
    "ForeignAid": _("Foreign Aid"),
    "Coup": _("Coup"),
    "Tax": _("Tax"),
    "Assassinate": _("Assassination"),
    "Exchange": _("Exchange"),
    "Steal": _("Steal"),
}
STOPPED: Mapping[str, Text] = {
    "challenge": _("%(action)s by %(who)s comes to nothing: the claim was a bluff."),
    "block": _("%(action)s by %(who)s is blocked."),
    "target_out": _("%(action)s by %(who)s comes to nothing: the target is out."),
    "left": _("%(action)s by %(who)s comes to nothing."),
}
MOVES: Mapping[str, Text] = {
    "Income": _("Income: take 1"),
    "ForeignAid": _("Foreign Aid: take 2"),
    "Coup": _("Coup: pay 7, nobody can stop it"),
    "Tax": _("Tax as %(role)s: take 3"),
    "Assassinate": _("Assassinate as %(role)s: pay 3"),
    "Exchange": _("Exchange cards as %(role)s"),
    "Steal": _("Steal 2 as %(role)s"),
    "Challenge": _("I doubt it"),
    "Block": _("Block it as"),
    "Pass": _("Let it pass"),
    "LoseInfluence": _("Give up this card"),
    "ExchangeKeep": _("Keep these"),
}
CLAIMS = {"Tax": "baelish", "Assassinate": "hound", "Exchange": "jaqen", "Steal": "arya"}
TERMS: Mapping[str, Text] = {
    "turnStage": _("Stage"),
    "turnsPlayed": _("Turns played"),
    "gameStatus": _("Status"),
    "deckSize": _("Cards in the deck"),
    "hand": _("Your cards"),
    "actor": _("Who acts"),
    "action": _("Action"),
    "target": _("Target"),
    "claim": _("Claimed role"),
    "actionChallenger": _("Who doubts the action"),
    "block": _("Blocked as"),
    "blocker": _("Who blocks"),
    "blockChallenger": _("Who doubts the block"),
    "waiting": _("Still to answer"),
    "loser": _("Who loses influence"),
    "pool": _("To choose from"),
    "influence": _("Influence"),
    "cards": _("Cards"),
    "role": _("Role"),
    "faceUp": _("face up"),
    "card": _("Card"),
    "keep": _("Cards to keep"),
    "startCoins": _("Money at the start"),
    "twoPlayerFirstCoins": _("Money of the first of two players"),
    "mandatoryCoupAt": _("A Coup is a must from"),
    "maxTurns": _("Most turns"),
    "windowMode": _("Doubts and blocks"),
    "first_come": _("the first one counts"),
    "sealed": _("collected unseen"),
    "names": _("Names"),
    "iron_throne": _("Iron Throne"),
    "classic": _("classic (Duke, Assassin, …)"),
}


@cache
def words(options: CoupOptions) -> Words[CoupView]:
    """The sentences for a table with these options."""
    return _words(options.names)


@cache
def _words(names: str) -> Words[CoupView]:
    roles = ROLE_NAMES[names]
    money = _("golden dragons") if names == "iron_throne" else _("coins")

    def prompt(view: CoupView, viewer: Viewer) -> Text:
        return _prompt(view, viewer, roles)

    def event(event: Events) -> Text:
        return _event(event, roles, money)

    def move(name: str) -> Text:
        role = CLAIMS.get(name)
        return Text(MOVES[name].id, {"role": roles[role]}) if role else MOVES[name]

    return Words(
        tagline=_("Two hidden cards, five roles, and everybody claims to be someone else."),
        prompt=prompt,
        event=event,
        refusal=refusal,
        move=move,
        choice=lambda view, move, argument, value: _choice(view, argument, value, roles),
        terms={**TERMS, **roles, **ACTION_NAMES, "coins": _capital(names)},
    )


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "must_coup":
            return _("With %(coins)s in your purse only a Coup is left to you.", **facts)
        case "not_enough_coins":
            return _("That costs %(needed)s, and you have %(have)s.", **facts)
        case "bad_role":
            return _("This role cannot block that action.")
        case "bad_card":
            return _("That is not a card you can choose.")
        case "wrong_count":
            return ngettext(
                "Choose exactly one card.", "Choose exactly %(count)s cards.", _number(facts)
            )
        case _:
            return _("That cannot be done now.")


def _prompt(view: CoupView, viewer: Viewer, roles: Mapping[str, Text]) -> Text:
    mine = viewer is not None
    said: dict[str, Fact] = {
        "who": view.actor if view.actor is not None else "",
        "action": ACTION_NAMES[view.action] if view.action else "",
        "role": roles[view.claim] if view.claim else "",
        "target": view.target if view.target is not None else "",
        "blocker": view.blocker if view.blocker is not None else "",
        "block": roles[view.block] if view.block else "",
        "loser": view.loser if view.loser is not None else "",
        "waiting": view.waiting,
    }
    asked = mine and viewer in view.waiting
    match view.phase:
        case "challenge_window":
            return _challenge(said, asked, view.target is not None)
        case "block_window" if asked:
            return _("%(who)s goes for %(action)s. Do you block it?", **said)
        case "block_window":
            return _("%(who)s goes for %(action)s. %(waiting)s may block it.", **said)
        case "block_challenge_window" if asked:
            return _("%(blocker)s blocks as %(block)s. Do you doubt it?", **said)
        case "block_challenge_window":
            return _("%(blocker)s blocks as %(block)s. We wait for %(waiting)s.", **said)
        case "lose_influence" if mine and view.loser == viewer:
            return _("You lose an influence: choose the card to give up.")
        case "lose_influence":
            return _("%(loser)s loses an influence and chooses a card.", **said)
        case "exchange" if view.pool:
            return _("Choose the cards you keep.")
        case "exchange":
            return _("%(who)s chooses from the exchanged cards.", **said)
        case "over":
            return _("The match is over.")
        case _ if mine and view.hand is not None and _on_turn(view, viewer):
            return _("Your turn: what do you do?")
        case _:
            return _(
                "We wait for %(who)s to act.", who=view.on_turn if view.on_turn is not None else ""
            )


def _challenge(said: Mapping[str, Fact], asked: bool, aimed: bool) -> Text:
    if asked and aimed:
        return _("%(who)s claims %(role)s: %(action)s against %(target)s. Do you doubt it?", **said)
    if asked:
        return _("%(who)s claims %(role)s: %(action)s. Do you doubt it?", **said)
    if aimed:
        return _(
            "%(who)s claims %(role)s: %(action)s against %(target)s. We wait for %(waiting)s.",
            **said,
        )
    return _("%(who)s claims %(role)s: %(action)s. We wait for %(waiting)s.", **said)


def _event(event: Events, roles: Mapping[str, Text], money: Text) -> Text:
    match event:
        case ActionDeclared():
            return _declared(event, roles)
        case Passed(who):
            return _("%(who)s lets it pass.", who=who)
        case Answered(who):
            return _("%(who)s has answered.", who=who)
        case Challenged(who, against, claim):
            return _(
                "%(who)s doubts that %(other)s has %(role)s.",
                who=who,
                other=against,
                role=roles[claim],
            )
        case RoleShown(who, role):
            return _(
                "%(who)s shows %(role)s and draws a new card for it.", who=who, role=roles[role]
            )
        case CardDrawn(role):
            return _("You drew %(role)s.", role=roles[role])
        case BluffCaught(who, claim):
            return _("%(who)s does not have %(role)s.", who=who, role=roles[claim])
        case CostPaid(who, cost, coins):
            return _("%(who)s pays %(cost)s %(money)s.", who=who, cost=cost, money=money)
        case Blocked(who, claim):
            return _("%(who)s blocks as %(role)s.", who=who, role=roles[claim])
        case ActionDone(who, action, _target, coins):
            return _(
                "%(action)s by %(who)s succeeds; %(who)s has %(coins)s %(money)s.",
                action=ACTION_NAMES[action],
                who=who,
                coins=coins[who],
                money=money,
            )
        case ActionStopped(who, action, by):
            return Text(STOPPED[by].id, {"who": who, "action": ACTION_NAMES[action]})
        case InfluenceLost(who, role):
            return _("%(who)s loses %(role)s.", who=who, role=roles[role])
        case PoolDrawn(pool):
            return _("You can choose from %(pool)s.", pool=tuple(roles[role] for role in pool))
        case Exchanged(who):
            return _("%(who)s has exchanged cards.", who=who)
        case PlayerEliminated(who):
            return _("%(who)s is out.", who=who)
    assert_never(event)


def _declared(event: ActionDeclared, roles: Mapping[str, Text]) -> Text:
    said: dict[str, Any] = {"who": event.username, "action": ACTION_NAMES[event.action]}
    if event.claim is not None:
        said["role"] = roles[event.claim]
    if event.target is not None:
        said["target"] = event.target
    if event.claim is not None and event.target is not None:
        return _("%(who)s claims %(role)s: %(action)s against %(target)s.", **said)
    if event.claim is not None:
        return _("%(who)s claims %(role)s: %(action)s.", **said)
    if event.target is not None:
        return _("%(who)s: %(action)s against %(target)s.", **said)
    return _("%(who)s: %(action)s.", **said)


def _choice(view: CoupView, argument: str, value: Any, roles: Mapping[str, Text]) -> Text | None:
    """A number of a card as the role it is, for who may see it."""
    if argument == "card" and view.hand is not None:
        return roles[view.hand[value].role]
    if argument == "keep" and view.pool is not None:
        return roles[view.pool[value]]
    return None


def _on_turn(view: CoupView, viewer: Viewer) -> bool:
    return view.on_turn == viewer


def _number(facts: Mapping[str, Fact]) -> int:
    needed = facts.get("needed", 1)
    return needed if isinstance(needed, int) else 1


def _capital(names: str) -> Text:
    return _("Golden dragons") if names == "iron_throne" else _("Coins")
