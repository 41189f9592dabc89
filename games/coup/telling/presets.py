"""Presets of options for Iron Throne."""

from games.contract.presets import STAKES, TIME, Preset
from games.contract.words import _
from games.coup.rules.state import CoupOptions

PRESETS = (
    Preset(
        "official",
        _("Two golden dragons each, and the fastest challenge counts."),
        CoupOptions(),
        art=("coin", "coin"),
    ),
    Preset(
        "party",
        _("More time: everybody answers, and all answers count together."),
        CoupOptions(window_mode="sealed", pace="relaxed", on_leave="substitute"),
        art=("arya", "talk"),
    ),
    Preset(
        "quick",
        _("Four golden dragons to begin with, little time."),
        CoupOptions(start_coins=4, two_player_first_coins=3, pace="fast"),
        art=("coin", "coin", "coin", "coin"),
    ),
)
GROUPS = (
    (STAKES, ("startCoins", "twoPlayerFirstCoins", "mandatoryCoupAt")),
    (_("Challenges"), ("windowMode",)),
    (_("Cards"), ("names",)),
    (TIME, ("maxTurns",)),
)
