"""The vocabulary of Iron Throne. An option replaces the role names with those of Coup."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.words import Text, _, ngettext
from games.coup.rules.state import ActionName, Role

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
_FIRST_NAMES: Mapping[Role, Text] = {"baelish": _("Petyr"), "jaqen": _("Jaqen")}
CLAIMS: Mapping[str, Mapping[Role, Text]] = {
    "iron_throne": {
        "baelish": _("I am **Petyr**"),
        "hound": _("I am **the Hound**"),
        "jaqen": _("I am **Jaqen**"),
        "arya": _("I am **Arya**"),
        "melisandre": _("I am **Melisandre**"),
    },
    "classic": {
        "baelish": _("I am **the Duke**"),
        "hound": _("I am **the Assassin**"),
        "jaqen": _("I am **the Ambassador**"),
        "arya": _("I am **the Captain**"),
        "melisandre": _("I am **the Contessa**"),
    },
}
"""Claims in the first person."""
ROLES_ON_BUTTONS: Mapping[str, Mapping[Role, Text]] = {
    **ROLES_IN_SENTENCES,
    "iron_throne": {**ROLES_IN_SENTENCES["iron_throne"], **_FIRST_NAMES},
}
"""Short names for buttons. A phone shows three buttons side by side."""
MONEY: Mapping[str, Text] = {"iron_throne": _("Golden dragons"), "classic": _("Coins")}

ACTION_NAMES: Mapping[ActionName, Text] = {
    "Income": _("Income"),
    "ForeignAid": _("Foreign Aid"),
    "Coup": _("Coup"),
    "Tax": _("Tax"),
    "Assassinate": _("Assassination"),
    "Exchange": _("Exchange"),
    "Steal": _("Steal"),
}
ACTION_NOUNS: Mapping[ActionName, Text] = {
    "Income": _("Income"),
    "ForeignAid": _("Foreign Aid"),
    "Coup": _("Coup"),
    "Tax": _("tax"),
    "Assassinate": _("assassination"),
    "Exchange": _("exchange"),
    "Steal": _("steal"),
}
"""Actions as nouns within a sentence, after a possessive."""
BUTTONS: Mapping[str, Text] = {
    "Income": _("Income"),
    "ForeignAid": _("Foreign Aid"),
    "Coup": _("Coup"),
    "Tax": _("Tax"),
    "Assassinate": _("Assassinate"),
    "Exchange": _("Exchange"),
    "Steal": _("Steal"),
    "Challenge": _("Challenge"),
    "Block": _("Block as"),
    "Pass": _("Allow"),
    "LoseInfluence": _("Lose"),
    "ExchangeKeep": _("Keep"),
}
TERMS: Mapping[str, Text] = {
    "turnStage": _("Step of the turn"),
    "turnsPlayed": _("Turns played"),
    "gameStatus": _("Status"),
    "deckSize": _("Cards in the deck"),
    "hand": _("Your cards"),
    "onTurn": _("Whose turn"),
    "actor": _("Acting"),
    "action": _("Action"),
    "target": _("Target"),
    "claim": _("Claimed role"),
    "actionChallenger": _("Challenged by"),
    "block": _("Blocked as"),
    "blocker": _("Blocked by"),
    "blockChallenger": _("Block challenged by"),
    "waiting": _("Waiting for"),
    "loser": _("Losing a card"),
    "pool": _("Cards to choose from"),
    "influence": _("Influence"),
    "cards": _("Cards"),
    "role": _("Role"),
    "faceUp": _("Face up"),
    "card": _("Card"),
    "keep": _("Cards to keep"),
    "startCoins": _("Starting money"),
    "twoPlayerFirstCoins": _("Starting money of the first of two players"),
    "mandatoryCoupAt": _("You must launch a Coup from"),
    "maxTurns": _("Turn limit"),
    "windowMode": _("Challenges and blocks"),
    "first_come": _("first come, first served"),
    "sealed": _("collected in secret"),
    "names": _("Names"),
    "iron_throne": _("Iron Throne"),
    "classic": _("classic (Duke, Assassin, …)"),
}


def purse(names: str, coins: int) -> Text:
    """Return an amount of money in the currency of this table."""
    if names == "classic":
        return ngettext("%(count)s coin", "%(count)s coins", coins)
    return ngettext("%(count)s golden dragon", "%(count)s golden dragons", coins)
