"""Options of Secret Hitler that go together."""

from games.rules.presets import Preset
from games.rules.secret_hitler.state import Options
from games.rules.words import _

PRESETS = (
    Preset(
        "official",
        _("A minute to talk before each vote."),
        Options(discussion=60),
    ),
    Preset(
        "party",
        _("Three minutes to talk before each vote, more time, rebalanced decks."),
        Options(discussion=180, rebalance=True, pace="relaxed"),
    ),
    Preset("quick", _("No time to talk, little time to decide."), Options(pace="fast")),
)
