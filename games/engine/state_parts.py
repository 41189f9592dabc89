"""Parts of states that many matches share, such as the cards of a deck. Each is stored once.

A state holds the keys of its parts (`games.contract.data.Kept`). A part is kept for as long as a
match refers to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from games.contract.core import State
from games.contract.data import Kept, encode
from games.engine import time_source
from games.engine.bounded_cache import BoundedCache
from games.models import Match, StatePart

MOST_BYTES = 32 << 20
"""Maximum memory for recently used parts, even if no match in memory refers to them."""

_recent: BoundedCache[str, Any] = BoundedCache(MOST_BYTES, lambda part: int(part.size))
_in_use: WeakValueDictionary[str, Any] = WeakValueDictionary()
_lock = Lock()


def convert(match: Match, state: State, version: int) -> None:
    """Store a match's state, converted to the current version of the game."""
    match.game_version = version
    keep(match, state)
    converted = {"game_version": version, "state": encode(state).decode()}
    Match.objects.filter(pk=match.pk).update(**converted)


def find(kind: type[Kept], key: str) -> Any:
    """Return the part with this key.

    Read it if it is not in memory. Raise LookupError if there is none.
    """
    part = _recent.get(key) or _in_use.get(key)
    if part is None:
        source = StatePart.objects.filter(pk=key).values_list("source", flat=True).first()
        if source is None:
            raise LookupError(f"the part {key} is missing")
        part = shared(kind.read(source))
    return part


def shared(part: Any) -> Any:
    """Return the shared instance of this part, which all matches in memory use."""
    with _lock:
        part = _in_use.setdefault(part.key, part)
    _recent.put(part.key, part)
    return part


def parts_of(state: State) -> tuple[Any, ...]:
    """Return all parts that a state refers to."""
    return tuple(part for kept in _kept_in(state) for part in kept.parts)


def read_parts_of(state: State) -> tuple[Any, ...]:
    """Return the parts of a state that are not built into the code."""
    return tuple(p for kept in _kept_in(state) for p in kept.parts if p.key not in kept.known)


def _kept_in(state: State) -> Iterator[Kept]:
    values = (getattr(state, name) for name in state.__struct_fields__)
    return (value for value in values if isinstance(value, Kept))


def keep(match: Match, state: State) -> None:
    """Store those parts of this match's state that are not stored yet.

    Call this inside a command.
    """
    parts = {part.key: part for part in parts_of(state)}
    if not parts:
        return
    now = time_source.now()
    # The update locks the rows, so they cannot be deleted before this transaction ends.
    known = StatePart.objects.filter(pk__in=parts)
    if known.update(used_at=now) < len(parts):
        missing = parts.keys() - set(known.values_list("pk", flat=True))
        StatePart.objects.bulk_create(
            [StatePart(pk=key, source=parts[key].source.decode(), used_at=now) for key in missing],
            ignore_conflicts=True,
        )
    match.parts.set(parts)
