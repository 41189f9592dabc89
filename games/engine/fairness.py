"""What the luck of a match is settled by, before it begins: the room's secret, then the nonces."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Member, Room, new_secret
from games.rules.luck import derived_nonce


def nonces(secret: str, members: Sequence[Member]) -> list[str]:
    """The nonces of these members, in the order of their seats.

    Anyone who gave none (bots never do) has one that follows from the secret: it is no choice.
    """
    key = bytes.fromhex(secret)
    return [member.nonce or derived_nonce(key, at) for at, member in enumerate(members)]


def commit_anew(room: Room) -> None:
    """Draw the secret of the next match. A nonce that is known by now does not count for it.

    Anyone who watched this match has perhaps sent one, too: it goes with the others.
    """
    room.secret = new_secret()
    room.members.exclude(nonce="").update(nonce="")
