"""Runs long searches of bots in another process, one decision at a time.

In a thread, searches would block the event loop and the writer, because of Python's global lock.
The other process starts with the first search, and ends with this process even after a crash. It
only uses the rules.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from games.contract.core import ClaimMade, Decision, Event, Offer, decision
from games.contract.data import Seat
from games.contract.luck import bot_luck
from games.registry import GAMES

log = logging.getLogger(__name__)

HELD = 1.0
"""Fixed delay of a searched move in seconds.

It is fixed so that the search time reveals nothing.
"""
LONGEST = 10.0
"""Timeout of a search in seconds."""
BUSY = 5
"""Niceness of the process. Processes that serve people come first."""

Question = tuple[int, Seat, int]
"""Match id, seat and prompt."""


@dataclass(frozen=True)
class Task:
    """Input of a search, as sent to the search process."""

    slug: str
    level: str
    seat: Seat
    view: Any
    offers: Sequence[Offer]
    heard: Sequence[Event]
    said: Sequence[ClaimMade]
    seed: bytes
    prompt: int


@dataclass(frozen=True)
class _Search:
    """A running search. Its move is made at `ready` or later. The search times out at `over`."""

    move: Future[Decision]
    ready: float
    over: float

    def is_done(self, now: float) -> bool:
        return now >= self.ready and (self.move.done() or now >= self.over)


class Searches:
    """The running searches. Calls `finished`, in any thread, when a search has ended."""

    def __init__(self, finished: Callable[[], None], monotonic: Callable[[], float]) -> None:
        self._finished, self._monotonic = finished, monotonic
        self._pool: ProcessPoolExecutor | None = None
        self._running: dict[Question, _Search] = {}

    def begin(self, question: Question, task: Task, held: float) -> None:
        """Start a search unless it is already running."""
        if question in self._running:
            return
        now = self._monotonic()
        self._running = {q: s for q, s in self._running.items() if now < s.over + LONGEST}
        move = self._submitted(task)
        self._running[question] = _Search(move, now + held, now + LONGEST)
        move.add_done_callback(lambda _move: self._finished())

    def has(self, question: Question) -> bool:
        return question in self._running

    def take(self, question: Question) -> Decision | None:
        """Remove the search. Return its decision, or None if it failed or took too long."""
        search = self._running.pop(question)
        try:
            return search.move.result(timeout=0)
        except TimeoutError:
            log.warning("a bot searched for too long")
        except Exception:
            log.exception("a bot's search failed")
        return None

    def is_done(self, question: Question) -> bool:
        return self._running[question].is_done(self._monotonic())

    def busy(self) -> list[int]:
        """Return the ids of matches that wait for a search. Nothing else is due in them until it
        ends.
        """
        now = self._monotonic()
        return [q[0] for q, search in self._running.items() if not search.is_done(now)]

    def soonest(self) -> float:
        """Return the seconds until a found move may be made or a search times out, whichever is
        first.
        """
        now = self._monotonic()
        due = [s.ready if s.move.done() else s.over for s in self._running.values()]
        return max(0.001, min(due, default=now + LONGEST) - now)

    def stop(self) -> None:
        """Start no more searches. Do not stop a running search."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    def _submitted(self, task: Task) -> Future[Decision]:
        """Submit a task to the search process. Return the future of its result.

        A process that has died is replaced. If none can be started, the search fails.
        """
        failed: Future[Decision] = Future()
        for _attempt in range(2):
            try:
                return self._processes().submit(decide, task)
            except (RuntimeError, OSError) as why:
                self.stop()
                if not failed.done():
                    failed.set_exception(why)
        return failed

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            spawned = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, spawned, initializer=_stand_back)
        return self._pool


def decide(task: Task) -> Decision:
    """Return a bot's move and the reason for it. This runs in the search process."""
    bot = GAMES[task.slug].bots.levels[task.level]
    luck = bot_luck(task.seed, task.seat, task.prompt)
    return decision(bot, task.seat, task.view, task.offers, task.heard, task.said, luck)


def _stand_back() -> None:
    """Lower the priority of this process, and make it end with its parent.

    Ignore signals that are also sent to the parent (Ctrl-C, or when a service stops), because they
    would end this process first.
    """
    os.nice(BUSY)
    for ends in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ends, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_it() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end_with_it, daemon=True).start()
