"""Options of Secret Hitler that go together."""

from games.rules.presets import TIME, Preset
from games.rules.secret_hitler.state import Options
from games.rules.words import _

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
