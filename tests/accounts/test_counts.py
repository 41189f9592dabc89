"""All processes share their rate limits through Redis, and continue without it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from accounts import counts, limits
from accounts.counts import SharedCounts
from accounts.limits import Asker, TooOften
from tests.kit.served import free_port
from tests.kit.services import Redis

ANN = Asker(person=1)


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    started = Redis()
    started.start()
    yield started
    started.remove()


def process(redis: Redis) -> SharedCounts:
    """Return the counters of one process."""
    return SharedCounts(redis.url, {})


def take(cache: SharedCounts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "cache", cache)
    limits.take("codes", ANN)


def test_processes_share_their_counts(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.LIMITS = {"codes": (2, 600)}
    here, there = process(redis), process(redis)
    take(here, monkeypatch)
    take(there, monkeypatch)
    for cache in (here, there):
        with pytest.raises(TooOften):
            take(cache, monkeypatch)


def test_processes_count_separately_without_redis(
    redis: Redis,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.LIMITS = {"codes": (1, 601)}
    cache = process(redis)
    redis.stop(signal.SIGKILL)
    take(cache, monkeypatch)
    with pytest.raises(TooOften):
        take(cache, monkeypatch)
    assert len(caplog.records) == 1  # after a failure Redis is not tried again for a while
    redis.start()
    monkeypatch.setattr(cache, "_again_at", 0.0)
    take(cache, monkeypatch)
    with pytest.raises(TooOften):
        take(process(redis), monkeypatch)


def test_unreachable_redis_does_not_block_requests(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.LIMITS = {"codes": (1, 602)}
    take(SharedCounts(f"redis://127.0.0.1:{free_port()}/0", {}), monkeypatch)
    assert counts.ANSWERS_WITHIN <= 1
