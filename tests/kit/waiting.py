"""Waiting for what is bound to come: always for a condition, and never for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

PATIENCE = 120.0
"""Seconds until what is waited for is said not to come: generous, for a busy machine."""
BETWEEN = 0.01


Sentence = str | Callable[[], str]


def patiently(missing: Sentence = "it never comes", patience: float = PATIENCE) -> Iterator[None]:
    """Repeat a loop until it is left; fail with this sentence when that takes too long."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        yield
    raise AssertionError(missing if isinstance(missing, str) else missing())


def wait_for(condition: Callable[[], object], missing: Sentence = "it never comes") -> None:
    """Ask again and again until something is so."""
    for _ in patiently(missing):
        if condition():
            return
        time.sleep(BETWEEN)


async def wait_for_async(
    condition: Callable[[], object], missing: Sentence = "it never comes"
) -> None:
    """The same where a loop has to go on meanwhile."""
    for _ in patiently(missing):
        if condition():
            return
        await asyncio.sleep(BETWEEN)
