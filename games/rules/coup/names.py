"""The vocabulary of Iron Throne: roles in the seed's words or, by option, in those of Coup."""

from __future__ import annotations

from collections.abc import Mapping

from games.rules.coup.state import ActionName, Role
from games.rules.words import Text, _, ngettext

ROLES_IN_SENTENCES: Mapping[str, Mapping[Role, Text]] = {
    "iron_throne": {
        "baelish": _("Petyr Baelish"),
        "hound": _("the Hound"),
        "jaqen": _("Jaqen H'ghar"),
        "arya": _("Arya"),
        "melisandre": _("Melisandre"),
    },
    "classic": {
        "baelish": _("the Duke"),
        "hound": _("the Assassin"),
        "jaqen": _("the Ambassador"),
        "arya": _("the Captain"),
        "melisandre": _("the Contessa"),
    },
}
ROLE_LABELS: Mapping[str, Mapping[Role, Text]] = {
    "iron_throne": {**ROLES_IN_SENTENCES["iron_throne"], "hound": _("The Hound")},
    "classic": {
        "baelish": _("Duke"),
        "hound": _("Assassin"),
        "jaqen": _("Ambassador"),
        "arya": _("Captain"),
        "melisandre": _("Contessa"),
    },
}
MONEY: Mapping[str, Text] = {"iron_throne": _("Golden dragons"), "classic": _("Coins")}

ACTION_NAMES: Mapping[ActionName, Text] = {
    "Income": _("Income"),
    "ForeignAid": _("Foreign Aid"),
    "Coup": _("Coup"),
    "Tax": _("Tax"),
    "Assassinate": _("Assassination"),
    "Exchange": _("Exchange"),
    "Steal": _("Stealing"),
}
BUTTONS: Mapping[str, Text] = {
    "Income": _("Income: take 1"),
    "ForeignAid": _("Foreign Aid: take 2"),
    "Coup": _("Coup: pay 7, nobody can stop it"),
    "Tax": _("Tax as %(role)s: take 3"),
    "Assassinate": _("Assassinate as %(role)s: pay 3"),
    "Exchange": _("Exchange cards as %(role)s"),
    "Steal": _("Steal up to 2 as %(role)s"),
    "Challenge": _("I doubt it"),
    "Block": _("Block it as"),
    "Pass": _("Let it pass"),
    "LoseInfluence": _("Give up this card"),
    "ExchangeKeep": _("Keep these"),
}
TERMS: Mapping[str, Text] = {
    "turnStage": _("Stage of the turn"),
    "turnsPlayed": _("Turns played"),
    "gameStatus": _("Status"),
    "deckSize": _("Cards in the deck"),
    "hand": _("Your cards"),
    "onTurn": _("On turn"),
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
    "pool": _("Cards to choose from"),
    "influence": _("Influence"),
    "cards": _("Cards"),
    "role": _("Role"),
    "faceUp": _("Face up"),
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


def purse(names: str, coins: int) -> Text:
    """So much money, in the words of this table."""
    if names == "classic":
        return ngettext("%(count)s coin", "%(count)s coins", coins)
    return ngettext("%(count)s golden dragon", "%(count)s golden dragons", coins)
