"""Presets of options for Chamber."""

from games.chamber.rules.state import Options
from games.contract.presets import STAKES, TIME, Preset
from games.contract.words import _

PRESETS = (
    Preset(
        "official",
        _("Five lives and four items each round."),
        Options(),
        art=("heart", "heart", "heart", "heart", "heart"),
    ),
    Preset(
        "party",
        _("More items, more time, and bots for those who leave."),
        Options(items_per_round=6, pace="relaxed", on_leave="substitute"),
        art=("steal", "quickshot", "skip", "add_life"),
    ),
    Preset(
        "quick",
        _("Two lives, two items, little time."),
        Options(start_lives=2, items_per_round=2, max_rounds=12, pace="fast"),
        art=("heart", "heart", "clock"),
    ),
)
GROUPS = (
    (STAKES, ("startLives", "maxLives", "addLifeRounds")),
    (_("Shells"), ("liveMin", "liveMax", "blankMin", "blankMax", "rebalanceCap")),
    (_("Items"), ("itemsPerRound", "loot", "skipCooldown", "itemCopies", "shootAirCopies")),
    (TIME, ("maxRounds",)),
)
