"""Labels of Chamber: items, fields, values and move buttons."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.words import Text, _

ITEM_NAMES: Mapping[str, Text] = {
    "skip": _("Skip"),
    "double_damage": _("Double"),
    "chamber_check": _("Check"),
    "rebalancer": _("Reload"),
    "quickshot": _("Quickshot"),
    "steal": _("Steal"),
    "add_life": _("Life"),
    "shoot_air": _("Air Shot"),
}

LOOT: Mapping[str, Text] = {
    "skip": _("a Skip"),
    "double_damage": _("a Double"),
    "chamber_check": _("a Check"),
    "quickshot": _("a Quickshot"),
    "add_life": _("a Life"),
    "shoot_air": _("an Air Shot"),
}
"""Labels of items that can be stolen, for the thief and spectators."""
YOUR_LOOT: Mapping[str, Text] = {
    "skip": _("your Skip"),
    "double_damage": _("your Double"),
    "chamber_check": _("your Check"),
    "quickshot": _("your Quickshot"),
    "add_life": _("your Life"),
    "shoot_air": _("your Air Shot"),
}
"""Labels of items that can be stolen, for their owner."""

MOVES: Mapping[str, Text] = {
    "ShootPlayer": _("Shoot"),
    "UseSkipItem": _("Skip a player"),
    "UseDoubleDamageItem": _("Double the damage"),
    "UseChamberCheckItem": _("Check next shell"),
    "UseRebalancerItem": _("Add shells"),
    "UseQuickshotItem": _("Shoot twice"),
    "UseStealItem": _("Steal an item"),
    "UseAddLifeItem": _("Add a life"),
    "UseShootAirItem": _("Shoot the air"),
    "PassRebalance": _("Add nothing"),
}

TERMS: Mapping[str, Text] = {
    **ITEM_NAMES,
    # phases, shells, reasons
    "rebalance": _("before loading"),
    "turn": _("turn"),
    "over": _("over"),
    "live": _("live"),
    "blank": _("blank"),
    "last_alive": _("last player standing"),
    "max_rounds": _("last round over"),
    # the view and the players
    "phase": _("Phase"),
    "players": _("Players"),
    "round": _("Round"),
    "loaded": _("Loaded this round"),
    "fired": _("Fired this round"),
    "shooter": _("Whose turn"),
    "shotsLeft": _("Shots left"),
    "itemsOpen": _("Items can be used"),
    "doubleDamage": _("Double damage"),
    "waiting": _("Still deciding"),
    "knownNext": _("Next shell, as you saw it"),
    "ammoDeck": _("Left in the chamber"),
    "lives": _("Lives"),
    "items": _("Items"),
    "isSkipped": _("Misses next turn"),
    "skipImmune": _("Cannot be skipped"),
    "damage": _("Damage"),
    "forfeit": _("Out of time"),
    # arguments
    "username": _("Player"),
    "target": _("Player"),
    "item": _("Item"),
    "skipTarget": _("Player to skip"),
    "ammoType": _("Kind of shell"),
    # options
    "startLives": _("Starting lives"),
    "itemsPerRound": _("Items per round"),
    "addLifeRounds": _("Rounds with Life"),
    "liveMin": _("Fewest live shells"),
    "liveMax": _("Most live shells"),
    "blankMin": _("Fewest blank shells"),
    "blankMax": _("Most blank shells"),
    "itemCopies": _("Copies of each item (0 = unlimited)"),
    "shootAirCopies": _("Air Shots (fire the next shell into the air)"),
    "maxLives": _("Most lives (0 = no limit)"),
    "loot": _("The killer takes the items"),
    "skipCooldown": _("No skipping twice in a row"),
    "rebalanceCap": _("Reload: most of one kind, in percent (0 = no limit)"),
    "maxRounds": _("Rounds to play (0 = no limit)"),
}
