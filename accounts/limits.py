"""Rate limits for expensive or abusable actions: guessing codes, creating guests, uploading decks.

Limits are counted per user, and per address with ten times the limit, because an office may share
one address. Counts are kept in Redis if it is configured (`accounts.counts`), otherwise in the
memory of the process until it restarts.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from accounts import addresses

PER_ADDRESS = 10


class TooOften(Exception):
    """A rate limit is reached. Pages return status 429.

    `seconds` is the time until the next try, or 0 if it is not known.
    """

    def __init__(self, seconds: int = 0) -> None:
        super().__init__()
        self.seconds = seconds


@dataclass(frozen=True)
class Asker:
    """User, address and room to which limits apply. A field that is None is not limited."""

    person: int | None = None
    address: str | None = None
    room: int | None = None


def asker(request: HttpRequest) -> Asker:
    """Return the user and address for which a request is counted."""
    return Asker(request.user.pk, addresses.of_request(request))


def take(kind: str, who: Asker) -> None:
    """Count one action of this kind (a key of settings.LIMITS). Raise TooOften if the limit is
    reached.
    """
    check(kind, who)
    count(kind, who)


def check(kind: str, who: Asker) -> None:
    """Raise TooOften if the limit of this kind is reached. Do not count the action."""
    for key, most, seconds in _buckets(kind, who):
        if cache.get(key, 0) >= most:
            raise TooOften(seconds - int(time.time()) % seconds)


def count(kind: str, who: Asker) -> None:
    """Count one action of this kind without checking the limit, for example after a wrong guess."""
    for key, _most, seconds in _buckets(kind, who):
        _counted(key, seconds)


def take_one(key: str, most: int, seconds: int) -> bool:
    """Count one action for this key in the current window. Return False if it exceeds the limit."""
    window = int(time.time() // seconds)
    return _counted(f"limit:{key}:{seconds}:{window}", seconds) <= most


def take_place(key: str, most: int, seconds: int) -> str | None:
    """Take one of `most` places, each of which becomes free again after `seconds`.

    Return the cache key of the place, or None if all are taken. Delete the key to undo.
    """
    return next((place for place in places(key, most) if cache.add(place, True, seconds)), None)


def places(key: str, most: int) -> list[str]:
    """Return the cache keys of all places that `take_place` can take."""
    return [f"limit:{key}:{number}" for number in range(most)]


def hidden(address: str) -> str:
    """Return the hash of a network or e-mail address, for cache keys."""
    return hashlib.sha256(address.encode()).hexdigest()[:20]


def _counted(key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # the place has expired in the meantime
        cache.set(key, 1, seconds)
        return 1


def _buckets(kind: str, who: Asker) -> list[tuple[str, int, int]]:
    """Return the counters that apply: key, maximum, window in seconds."""
    limit = settings.LIMITS[kind]
    if limit is None:
        return []
    most, seconds = limit
    window = int(time.time() // seconds)
    found = []
    if who.person is not None:
        found.append((f"limit:{kind}:person:{who.person}:{window}", most, seconds))
    if who.room is not None:
        found.append((f"limit:{kind}:room:{who.room}:{window}", most, seconds))
    if who.address is not None:
        share = most if kind == "guests" else most * PER_ADDRESS
        found.append((f"limit:{kind}:address:{hidden(who.address)}:{window}", share, seconds))
    return found
