"""The bots of Iron Throne, by level."""

from collections.abc import Mapping

from games.contract.choices import random_bot, sometimes_random
from games.contract.core import Bot
from games.contract.words import _
from games.coup.bots.hard import hard
from games.coup.bots.shrewd import normal
from games.coup.rules.state import Moves

LEVELS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
    "hard": hard,
}

LEVEL_NOTES = {
    "hard": _(
        "Plays out what may follow once two are left, never sees hidden cards. "
        "With more players it's like a medium bot."
    ),
}
