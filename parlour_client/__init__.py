"""A Python client for Parlour. A bot needs only a few lines.

from parlour_client import run

run(lambda decision: decision.random(), "http://127.0.0.1:8000", host="mia", bots=3)
"""

from parlour_client.client import Client
from parlour_client.command import command
from parlour_client.decision import Decision
from parlour_client.errors import (
    ConnectionLost,
    Ended,
    Misused,
    ParlourError,
    Refused,
    Rejected,
    Unreachable,
)
from parlour_client.faults import Bot
from parlour_client.ladder import play_ladder, serve
from parlour_client.offers import Json, Move, Offer, OneOf, Some
from parlour_client.play import play, run

__all__ = [
    "Bot",
    "Client",
    "ConnectionLost",
    "Decision",
    "Ended",
    "Json",
    "Misused",
    "Move",
    "Offer",
    "OneOf",
    "ParlourError",
    "Refused",
    "Rejected",
    "Some",
    "Unreachable",
    "command",
    "play",
    "play_ladder",
    "run",
    "serve",
]
