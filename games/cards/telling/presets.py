"""Presets of options for Cards."""

from games.cards.rules.state import Options
from games.contract.presets import PLAYERS, SCORING, Preset
from games.contract.words import _

PRESETS = (
    Preset(
        "official",
        _("Seven cards each, five points to win."),
        Options(),
        art=("answer", "answer", "answer"),
    ),
    Preset(
        "party",
        _("Ten cards each, more time, open ballots, and people can join late."),
        Options(hand_size=10, pace="relaxed", reveal_ballots=True, allow_late_join=True),
        art=("answer", "answer", "answer", "answer", "answer"),
    ),
    Preset(
        "quick",
        _("Three points to win, little time."),
        Options(points_to_win=3, max_rounds=15, pace="fast"),
        art=("clock",),
    ),
)
GROUPS = (
    (_("Cards"), ("handSize", "packs", "vetoed")),
    (SCORING, ("pointsToWin", "discardCost", "revealBallots", "maxRounds")),
    (PLAYERS, ("allowLateJoin", "minPlayersToContinue")),
)
