"""How often somebody may do what costs others something: guess codes, make guests, bring decks.

Counted per person, and per address ten times as generously, for an office is one address. The
counts are in Redis where there is one (`accounts.counts`), else in this process's memory: then
they are forgotten with a restart.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from accounts import addresses

PER_ADDRESS = 10


class TooOften(Exception):
    """Somebody has done this as often as one may for now. Pages answer it with status 429."""


@dataclass(frozen=True)
class Asker:
    """Person, address and room that a limit counts; None is not counted."""

    person: int | None = None
    address: str | None = None
    room: int | None = None


def asker(request: HttpRequest) -> Asker:
    """Who asks by this request."""
    return Asker(request.user.pk, addresses.of_request(request))


def socket_asker(scope: Any, person: int | None) -> Asker:
    """Who asks over this socket."""
    return Asker(person, addresses.of_scope(scope))


def take(kind: str, who: Asker) -> None:
    """Count one of this kind (a name in settings.LIMITS). Raise TooOften instead of one more."""
    check(kind, who)
    count(kind, who)


def check(kind: str, who: Asker) -> None:
    """Raise TooOften where there may be no more of this kind; count nothing."""
    for key, most, _seconds in _buckets(kind, who):
        if cache.get(key, 0) >= most:
            raise TooOften


def count(kind: str, who: Asker) -> None:
    """Count one of this kind: a wrong guess, when it has turned out to be wrong."""
    for key, _most, seconds in _buckets(kind, who):
        _counted(key, seconds)


def take_one(key: str, most: int, seconds: int) -> bool:
    """Count one for this key in the current window; False if it is one too many."""
    window = int(time.time() // seconds)
    return _counted(f"limit:{key}:{seconds}:{window}", seconds) <= most


def hidden(address: str) -> str:
    """An address, of a network or of mail, as it is written in keys."""
    return hashlib.sha256(address.encode()).hexdigest()[:20]


def _counted(key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it has expired in between
        cache.set(key, 1, seconds)
        return 1


def _buckets(kind: str, who: Asker) -> list[tuple[str, int, int]]:
    """The counters that count for somebody: name, most, length in seconds."""
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
