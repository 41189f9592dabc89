"""The inputs from which a match's random numbers are drawn: the room's secret and the nonces.

They are fixed before the match begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from accounts import sanctions
from games.contract.luck import derived_nonce
from games.models import Member, Room, new_secret
from games.wire.commands import NONCE_PATTERN

_NONCE = re.compile(NONCE_PATTERN)


def is_nonce(text: str) -> bool:
    """Whether a text is acceptable as a nonce. Everybody at the table will see it."""
    return _NONCE.fullmatch(text) is not None


def nonces(secret: str, members: Sequence[Member]) -> list[str]:
    """Return the nonces of these members, in the order of their seats.

    Members without a nonce (for example, all bots) and muted members get a nonce derived from the
    secret.
    """
    key = bytes.fromhex(secret)
    given = [member for member in members if is_nonce(member.nonce)]
    muted = sanctions.muted(member.user_id for member in given)
    chosen = {member.pk: member.nonce for member in given if member.user_id not in muted}
    return [chosen.get(member.pk) or derived_nonce(key, at) for at, member in enumerate(members)]


def commit_anew(room: Room) -> None:
    """Draw the secret of the next match, and discard all nonces sent so far.

    This includes nonces of spectators.
    """
    room.secret = new_secret()
    room.members.exclude(nonce="").update(nonce="")
