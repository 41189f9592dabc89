"""The bots of Mia, by level."""

from collections.abc import Mapping

from games.contract.choices import random_bot, sometimes_random
from games.contract.core import Bot
from games.contract.words import _
from games.mia.bots.hard import hard
from games.mia.bots.normal import normal
from games.mia.rules.state import Moves

LEVELS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
    "hard": hard,
}

LEVEL_NOTES = {
    "hard": _("Knows the odds, remembers how you bluff, never sees hidden dice."),
}
