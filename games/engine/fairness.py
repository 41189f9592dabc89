"""The secret of a room, from which the random numbers of its next match are drawn."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract.data import pack, unpack
from games.contract.luck import commitment
from games.contract.mixing import Share, list_of
from games.engine.mixed import Mixed
from games.models import Member, Room, new_secret
from games.registry import GAMES


def silent(room: Room, members: Sequence[Member]) -> Mixed:
    """Return what members add to the luck of the next match if nobody is asked."""
    shares = [Share(member.name) for member in members]
    return Mixed(listed(room, shares), shares)


def listed(room: Room, shares: Sequence[Share]) -> str:
    """Return the hash of the list of these shares for the next match of a room."""
    options = pack(unpack(room.options, GAMES[room.game].rules.options))
    return list_of(committed(room), room.game, options, shares)


def committed(room: Room) -> str:
    """Return the commitment to the secret of a room's next match."""
    return commitment(bytes.fromhex(room.secret))


def commit_anew(room: Room) -> None:
    """Draw the secret of the next match, and discard all shares sent so far.

    This includes shares of spectators, and nonces from before the upgrade.
    """
    room.secret = new_secret()
    room.members.exclude(share="", nonce="").update(share="", nonce="")
