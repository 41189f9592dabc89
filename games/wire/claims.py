"""Claims on the wire: as the games that know them put them (`Rules.claims`)."""

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
    """What a client sends to claim something, in any game."""
    Claimed = reduce(or_, [claims.claimed for claims in _claims] or [core.Claimed])
    """What others are shown of it."""
