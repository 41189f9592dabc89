"""The bots of Chamber, by level."""

from collections.abc import Mapping

from games.chamber.bots.hard import hard
from games.chamber.bots.normal import normal
from games.chamber.rules.state import Moves
from games.contract.choices import random_bot, sometimes_random
from games.contract.core import Bot
from games.contract.words import _

LEVELS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
    "hard": hard,
}

LEVEL_NOTES = {
    "hard": _(
        "Plays out every shell once two are left, never sees the chamber. "
        "With more players it's like a medium bot."
    ),
}
