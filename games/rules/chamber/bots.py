"""The bots of Chamber by their levels."""

from collections.abc import Mapping

from games.rules.chamber.hard import hard
from games.rules.chamber.normal import normal
from games.rules.chamber.state import Moves
from games.rules.choices import random_bot, sometimes_random
from games.rules.core import Bot

BOTS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, normal),
    "normal": normal,
    "hard": hard,
}
