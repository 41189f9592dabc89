"""A cache that is bounded by the memory its values take, for several threads.

A count of values bounds nothing: a match of Cards with large decks takes a thousand times as much
as one of Mia. What values share (parts of states) is counted once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable
from threading import Lock
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The values used last, up to `most` bytes together: the least recently used go first.

    `size_of` is about how many bytes a value takes, without the parts that it shares with others
    (`parts_of`; each has a `key` and a `size`).
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
        """The value of a key; None if it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: K, value: V) -> None:
        """Keep a value in the place of others. One that is too large by itself is not kept."""
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
        """Forget the value of a key."""
        with self._lock:
            self._forget(key)

    def clear(self) -> None:
        """Forget all values."""
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
