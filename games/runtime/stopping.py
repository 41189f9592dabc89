"""Stopping at SIGTERM or Ctrl-C: each step has an upper bound, and after the last one we are gone.

Threads that hang cannot be ended, nor can Python leave while they run. So nothing waits for them:
the process ends itself when it is done, or when STOP_SECONDS are over, whatever hangs by then.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable

from django.conf import settings

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)
LAST_WORDS = 0.5


def share(part: float) -> float:
    """So many seconds are this part of a stop."""
    return float(settings.STOP_SECONDS) * part


def on_signal(begin: Callable[[], None]) -> None:
    """Call `begin` at the first signal, in a thread; the second one ends the process at once.

    The thread takes the signals itself: Python's handlers run in the main thread, which may hang.
    To be called before any other thread is started.
    """
    if not hasattr(signal, "pthread_sigmask"):  # (Windows; its servers call `begin` themselves)
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    threading.Thread(target=_wait, args=(begin,), name="signals", daemon=True).start()


def limit() -> None:
    """From now on there are STOP_SECONDS."""
    timer = threading.Timer(settings.STOP_SECONDS, _give_up)
    timer.daemon = True
    timer.start()


def within(seconds: float, what: str, step: Callable[[], None]) -> bool:
    """Run a step of the stop, and go on after so many seconds even when it has not ended."""

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
    """End the process now; who still works is left behind."""
    within(LAST_WORDS, "the log", _flush)
    os._exit(status)


def request() -> None:
    """Stop this process as at a signal."""
    os.kill(os.getpid(), signal.SIGTERM)


def _wait(begin: Callable[[], None]) -> None:
    signal.sigwait(SIGNALS)
    limit()
    threading.Thread(target=begin, name="stop", daemon=True).start()
    signal.sigwait(SIGNALS)
    os._exit(1)


def _give_up() -> None:
    """The log itself may be what hangs."""
    names = ", ".join(sorted(thread.name for thread in threading.enumerate()))
    text = "Not stopped within %s s: ending all the same. Threads: %s"
    within(LAST_WORDS, "the log", lambda: log.error(text, settings.STOP_SECONDS, names))
    os._exit(1)


def _flush() -> None:
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
