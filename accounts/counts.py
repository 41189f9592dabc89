"""Shared counters for rate limits: in Redis, or in memory while Redis is unreachable."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

ANSWERS_WITHIN = 0.5
LEFT_ALONE = 5.0
"""Seconds to wait after a failure before trying Redis again."""
NAME = "limits in this process"


class SharedCounts(BaseCache):
    """A cache that falls back to memory: limits must keep working without Redis."""

    def __init__(self, url: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        waits = {"socket_timeout": ANSWERS_WITHIN, "socket_connect_timeout": ANSWERS_WITHIN}
        self._shared = RedisCache(url, {**params, "OPTIONS": waits})
        self._own = LocMemCache(NAME, params)
        self._again_at = 0.0

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._do(lambda cache: cache.get(key, default, version))

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        return dict(self._do(lambda cache: cache.get_many(keys, version)))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        self._do(lambda cache: cache.set(key, value, timeout, version))

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(self._do(lambda cache: cache.add(key, value, timeout, version)))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        return int(self._do(lambda cache: cache.incr(key, delta, version)))

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return bool(self._do(lambda cache: cache.touch(key, timeout, version)))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._do(lambda cache: cache.delete(key, version)))

    def clear(self) -> None:
        self._do(lambda cache: cache.clear())

    def _do(self, step: Callable[[BaseCache], Any]) -> Any:
        if time.monotonic() >= self._again_at:
            try:
                return step(self._shared)
            except RedisError as error:
                self._again_at = time.monotonic() + LEFT_ALONE
                log.warning("Redis failed, this process counts limits alone for now: %s", error)
        return step(self._own)
