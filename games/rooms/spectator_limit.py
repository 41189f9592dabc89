"""Limit on spectators per address and table, so that nobody can fill a table.

Players are never counted, since a school class may share one address. Users at local addresses and
invited users are not counted either. The cache keeps a user's address for a day, as a hash keyed
with the secret key.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.core.cache import cache
from django.utils.crypto import salted_hmac

from accounts import addresses
from games.engine.snapshots import load_readable
from games.engine.table_policy import policy_of
from games.models import Member, Room
from games.registry import GAMES

KNOWN_FOR = 24 * 60 * 60


def is_too_many(room: Room, user_id: int | None, address: str | None = None) -> bool:
    """Whether this address has reached its limit of spectators in `room`.

    If `address` is None, the address stored for this user is used.
    """
    most: int = settings.SPECTATORS_PER_ADDRESS
    known: dict[int, str] = cache.get(_key(room), {})
    mine = _counted(address) if address is not None else known.get(user_id or 0)
    if not most or mine is None:
        return False
    others = [pk for pk, of in known.items() if of == mine and pk != user_id]
    return len(others) >= most and _watchers(room, others) >= most


def note(room: Room, user_id: int, address: str | None) -> None:
    """Remember the address from which a user joined a table."""
    if address is not None and (mine := _counted(address)) is not None:
        cache.set(_key(room), {**cache.get(_key(room), {}), user_id: mine}, KNOWN_FOR)


def has_no_seat_left(room: Room) -> bool:
    """Whether a user who joins between two matches could only watch."""
    most = policy_of(room).most_seats(GAMES[room.game].seats[1])
    seated = room.members.filter(left_at=None, spectator=False, away_since=None)
    return most is not None and seated.count() >= most


def _watchers(room: Room, user_ids: Collection[int]) -> int:
    """Return how many of these users are members without a seat."""
    here = room.members.filter(user_id__in=user_ids, left_at=None)
    match = load_readable(room.match_id) if room.match_id else None
    if match is not None and room.status == Room.Status.PLAYING:
        return sum(match.seat_of(member.user_id) is None for member in here)
    return here.filter(spectator=True).count() + _surplus(room, user_ids)


def _surplus(room: Room, user_ids: Collection[int]) -> int:
    most = policy_of(room).most_seats(GAMES[room.game].seats[1])
    if most is None:
        return 0
    wanting = room.members.filter(left_at=None, spectator=False).order_by("joined_at", "pk")
    rest: list[Member] = list(wanting[most:])
    return sum(member.user_id in user_ids for member in rest)


def _counted(address: str) -> str | None:
    """Return the key under which an address is counted, or None for local networks, which are not
    limited.
    """
    if addresses.is_local(address):
        return None
    return salted_hmac("parlour.spectators", address, algorithm="sha256").hexdigest()


def _key(room: Room) -> str:
    return f"addresses-at-table:{room.pk}"
