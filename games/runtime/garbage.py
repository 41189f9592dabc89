"""Keeps garbage collections short while a process holds the objects of many tables.

Python scans objects that survive two or three times, and all objects again and again. With 1,000
tables this took a tenth of the processor's time, and up to half a second in which nobody was
served. So objects are scanned once and then exempt. Reference counting still frees them, but not
those that refer to each other: they are found when everything is scanned again.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable

YOUNG = 5_000
"""Number of new objects after which they are scanned. Most objects of a move are gone by then."""
PAUSE = 200
"""Scans of all objects take at most one part in this many of the time."""


class Garbage:
    """Exempts objects that survive a collection, and sometimes scans everything."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._before = gc.get_threshold()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Exempt all objects that exist now, such as modules and templates."""
        gc.callbacks.append(_collected)
        gc.set_threshold(YOUNG, *self._before[1:])
        self._stopped.clear()
        self._thread = threading.Thread(
            target=self._keep_scanning, args=(self.scan(),), name="garbage", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Leave garbage collection to Python again."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
        gc.callbacks.remove(_collected)
        gc.set_threshold(*self._before)
        gc.unfreeze()

    def scan(self) -> float:
        """Scan all objects. Return the seconds until this may be done again."""
        began = self._monotonic()
        gc.unfreeze()
        gc.collect()
        return (self._monotonic() - began) * PAUSE

    def _keep_scanning(self, pause: float) -> None:
        while not self._stopped.wait(pause):
            pause = self.scan()


def _collected(phase: str, info: dict[str, int]) -> None:
    """Exempt what has survived. Called by Python before and after each collection."""
    if phase == "stop":
        gc.freeze()
