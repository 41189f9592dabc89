"""Bots."""

from games.rules.choices import random_bot
from games.rules.secret_hitler.state import Moves

BOTS = {"random": random_bot(Moves)}
