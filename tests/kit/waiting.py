"""Wait for conditions, with a timeout."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

PATIENCE = 120.0
"""Timeout in seconds, long enough for busy machines."""
BETWEEN = 0.01


Sentence = str | Callable[[], str]


def patiently(missing: Sentence = "it never comes", patience: float = PATIENCE) -> Iterator[None]:
    """Yield until the caller leaves the loop. Fail with `missing` after the timeout."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        yield
    raise AssertionError(missing if isinstance(missing, str) else missing())


def wait_for(condition: Callable[[], object], missing: Sentence = "it never comes") -> None:
    """Poll until the condition holds."""
    for _ in patiently(missing):
        if condition():
            return
        time.sleep(BETWEEN)


async def wait_for_async(
    condition: Callable[[], object], missing: Sentence = "it never comes"
) -> None:
    """Poll until the condition holds, without blocking the event loop."""
    for _ in patiently(missing):
        if condition():
            return
        await asyncio.sleep(BETWEEN)
