"""A cache that is bounded by the memory its values take, for several threads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class BoundedCache(Generic[K, V]):
    """The values used last, up to `most` bytes together. A value larger than that is not kept."""

    def __init__(self, most: int, size_of: Callable[[V], int]) -> None:
        self._values: LRUCache[K, V] = LRUCache(most, size_of)
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of a key; None if it is not kept."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value, in the place of those used least recently."""
        with self._lock:
            self._values.pop(key, None)
            if self._values.getsizeof(value) <= self._values.maxsize:
                self._values[key] = value

    def evict(self, key: K) -> None:
        """Forget the value of a key."""
        with self._lock:
            self._values.pop(key, None)

    @property
    def size(self) -> int:
        """How many bytes the values take, as far as is known."""
        return int(self._values.currsize)

    @property
    def most(self) -> int:
        """How many bytes they may take."""
        return int(self._values.maxsize)
