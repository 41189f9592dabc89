"""The bots of Mia by their levels."""

from collections.abc import Mapping

from games.rules.choices import random_bot, sometimes_random
from games.rules.core import Bot
from games.rules.mia.hard import hard
from games.rules.mia.normal import normal
from games.rules.mia.state import Moves

BOTS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
    "hard": hard,
}
