"""Thread-safe cache bounded by the memory of its values.

Limiting the number of values would not help: a match of Cards with large decks takes a thousand
times as much memory as one of Mia. Parts of states that several values share are counted only once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """LRU cache of at most `most` bytes.

    `size_of` returns the approximate size of a value in bytes, without its shared parts. `parts_of`
    returns the shared parts. Each has a `key` and a `size`.
    """

    def __init__(
        self,
        most: int,
        size_of: Callable[[V], int],
        parts_of: Callable[[V], Iterable[Any]] = lambda value: (),
    ) -> None:
        self.most, self.size = most, 0
        self._size_of, self._parts_of = size_of, parts_of
        self._values: OrderedDict[K, V] = OrderedDict()
        self._sizes: dict[K, int] = {}
        self._users: Counter[str] = Counter()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return the cached value, or None."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def values(self) -> list[V]:
        """Return all values, least recently used first."""
        with self._lock:
            return list(self._values.values())

    def put(self, key: K, value: V) -> None:
        """Cache a value, evicting others if needed. A value larger than the limit is not cached."""
        with self._lock:
            self._forget(key)
            self._values[key], self._sizes[key] = value, self._size_of(value)
            self.size += self._sizes[key]
            for part in self._parts_of(value):
                self.size += 0 if self._users[part.key] else part.size
                self._users[part.key] += 1
            while self.size > self.most:
                self._forget(next(iter(self._values)))

    def evict(self, key: K) -> None:
        """Remove a key."""
        with self._lock:
            self._forget(key)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            for key in list(self._values):
                self._forget(key)

    def _forget(self, key: K) -> None:
        if key not in self._values:
            return
        value = self._values.pop(key)
        self.size -= self._sizes.pop(key)
        for part in self._parts_of(value):
            self._users[part.key] -= 1
            if not self._users[part.key]:
                del self._users[part.key]
                self.size -= part.size
