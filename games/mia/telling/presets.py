"""Presets of options for Mia."""

from games.contract.presets import SCORING, STAKES, TIME, Preset
from games.contract.words import _
from games.mia.rules.state import MiaOptions

PRESETS = (
    Preset(
        "official",
        _("Three lives, and a Mia costs one."),
        MiaOptions(),
        art=("heart", "heart", "heart"),
    ),
    Preset(
        "party",
        _("Five lives, a Mia costs two, and there is a little Mia."),
        MiaOptions(lives=5, mia_costs=2, little_mia=True, pace="relaxed", on_leave="substitute"),
        art=("heart", "heart", "heart", "heart", "heart"),
    ),
    Preset("quick", _("One life, little time."), MiaOptions(lives=1, pace="fast"), art=("clock",)),
)
GROUPS = (
    (STAKES, ("lives", "miaCosts", "littleMia")),
    (_("Calling"), ("mustRaise", "onFault")),
    (SCORING, ("scoring", "rounds")),
    (TIME, ("humanMs",)),
)
