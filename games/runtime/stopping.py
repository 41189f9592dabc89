"""Shutdown on SIGTERM or Ctrl-C, in steps that each have a time limit.

Python cannot end threads that hang, nor exit while they run. So the shutdown does not wait for
them. The process ends itself after the last step, but at the latest after STOP_SECONDS.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from django.conf import settings

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)
LAST_WORDS = 0.5


def share(part: float) -> float:
    """Return the share `part` (from 0 to 1) of STOP_SECONDS."""
    return float(settings.STOP_SECONDS) * part


def on_signal(begin: Callable[[], None]) -> None:
    """Call `begin` in a thread at the first signal. The second signal ends the process at once.

    Call this in the main thread, after the server has set its own handlers.
    """
    began = threading.Event()

    def handle(which: int, frame: FrameType | None) -> None:
        if began.is_set():
            os._exit(1)
        began.set()
        limit()
        threading.Thread(target=begin, name="stop", daemon=True).start()

    for which in SIGNALS:
        signal.signal(which, handle)


def limit() -> None:
    """Make the process end after STOP_SECONDS."""
    timer = threading.Timer(settings.STOP_SECONDS, _give_up)
    timer.daemon = True
    timer.start()


def within(seconds: float, what: str, step: Callable[[], None]) -> bool:
    """Run a step of the shutdown for at most `seconds`. Return whether it has ended."""

    def run() -> None:
        try:
            step()
        except Exception:
            log.exception("%s could not be stopped", what)

    thread = threading.Thread(target=run, name=f"stopping {what}", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        log.warning("%s did not stop within %.1f s", what, seconds)
    return not thread.is_alive()


def leave(status: int = 0) -> None:
    """End the process now, without waiting for running threads."""
    within(LAST_WORDS, "the log", _flush)
    os._exit(status)


def _give_up() -> None:
    """Log the running threads and end the process.

    Logging has a time limit because it may hang too.
    """
    names = ", ".join(sorted(thread.name for thread in threading.enumerate()))
    text = "Not stopped within %s s: forcing exit. Threads: %s"
    within(LAST_WORDS, "the log", lambda: log.error(text, settings.STOP_SECONDS, names))
    os._exit(1)


def _flush() -> None:
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
