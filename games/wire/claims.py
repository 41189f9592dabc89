"""Claim types on the wire: the union of all games' `Rules.claims`."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from games.contract import core
from games.registry import GAMES

if TYPE_CHECKING:
    ChatClaim = core.Said
    Claimed = core.Claimed
else:
    _claims = [game.rules.claims for game in GAMES.values() if game.rules.claims is not None]
    ChatClaim = reduce(or_, [claims.said for claims in _claims] or [core.Said])
    """A claim as sent by a client, in any game."""
    Claimed = reduce(or_, [claims.claimed for claims in _claims] or [core.Claimed])
    """A claim as shown to others."""
