"""Keeps garbage collections short while a process holds the objects of many tables.

A full collection of CPython scans all objects: with 500 tables this took 0.2 seconds, and nobody
was served meanwhile. So objects that survive one are exempt from the next ones. Reference counting
still frees them, but not those that refer to each other: they are found when everything is scanned
again.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

PAUSE = 200
"""Scans of all objects take at most one part in this many of the time."""


class Garbage:
    """Exempts objects that survive a full collection, and sometimes lets everything be scanned."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._began = self._due = 0.0
        self._scans_all = True
        """Whether the next full collection scans all objects."""

    def start(self) -> None:
        """Scan all objects that exist now, such as modules and templates, and exempt them."""
        gc.callbacks.append(self._collected)
        gc.collect()

    def stop(self) -> None:
        """Leave garbage collection to Python again."""
        gc.callbacks.remove(self._collected)
        gc.unfreeze()

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        """Called by Python before and after each collection."""
        if info["generation"] < 2:
            return
        now = self._monotonic()
        if phase == "start":
            self._began = now
            return
        if self._scans_all:
            self._due = now + (now - self._began) * PAUSE
        self._scans_all = now >= self._due
        if self._scans_all:
            gc.unfreeze()
        else:
            gc.freeze()
