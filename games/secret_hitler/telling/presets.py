"""Presets of options for Secret Hitler."""

from games.contract.presets import TIME, Preset
from games.contract.words import _
from games.secret_hitler.rules.state import Options

PRESETS = (
    Preset(
        "official", _("A minute to talk before each vote."), Options(discussion=60), art=("talk",)
    ),
    Preset(
        "party",
        _("Three minutes to talk before each vote, more time, rebalanced decks."),
        Options(discussion=180, rebalance=True, pace="relaxed"),
        art=("talk", "liberal", "fascist"),
    ),
    Preset(
        "quick", _("No time to talk, little time to decide."), Options(pace="fast"), art=("clock",)
    ),
)
GROUPS = (
    (_("Policies"), ("rebalance",)),
    (TIME, ("discussion",)),
)
