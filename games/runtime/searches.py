"""Bots that compute for long do so in a process of their own, one decision after the other.

In a thread they would hold up the event loop and the writer: Python runs one of them at a time. The
process starts with the first such question and ends with this one, however that ends. It knows the
rules alone.
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
"""So many seconds a move takes besides the delay, however long was searched: that tells nothing."""
LONGEST = 10.0
"""So many seconds after it was asked for, a move is not waited for any longer."""
BUSY = 5
"""How far the process stands back behind those that serve people (`nice`)."""

Question = tuple[int, Seat, int]
"""Which match, which seat, which prompt."""


@dataclass(frozen=True)
class Task:
    """What a bot is asked, as it is sent to the process."""

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
    """One that has begun. `ready` and `over`: from when on its move is made, and not waited for."""

    move: Future[Decision]
    ready: float
    over: float

    def is_done(self, now: float) -> bool:
        return now >= self.ready and (self.move.done() or now >= self.over)


class Searches:
    """What is being searched. `finished` is called, from some thread, whenever one is done."""

    def __init__(self, finished: Callable[[], None], monotonic: Callable[[], float]) -> None:
        self._finished, self._monotonic = finished, monotonic
        self._pool: ProcessPoolExecutor | None = None
        self._running: dict[Question, _Search] = {}

    def begin(self, question: Question, task: Task, held: float) -> None:
        """Have a move searched for, unless it is already."""
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
        """The move that was found; None where the search failed or took too long."""
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
        """The matches that wait for a search: nothing is due in them until it is done."""
        now = self._monotonic()
        return [q[0] for q, search in self._running.items() if not search.is_done(now)]

    def soonest(self) -> float:
        """Seconds until the next move may be made that is found already, or is given up."""
        now = self._monotonic()
        due = [s.ready if s.move.done() else s.over for s in self._running.values()]
        return max(0.001, min(due, default=now + LONGEST) - now)

    def stop(self) -> None:
        """Search nothing more. A search that goes on ends by itself."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

    def _submitted(self, task: Task) -> Future[Decision]:
        """What the process is to find. One that has died is followed by a new one; where none can
        be started, nothing is found."""
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
    """A bot's move, and why; runs in the other process."""
    bot = GAMES[task.slug].bots.levels[task.level]
    luck = bot_luck(task.seed, task.seat, task.prompt)
    return decision(bot, task.seat, task.view, task.offers, task.heard, task.said, luck)


def _stand_back() -> None:
    """Leave the processor to who serves people, and end with the parent: by what is sent to the
    parent as well (Ctrl-C, a service that is stopped) it would end before it."""
    os.nice(BUSY)
    for ends in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ends, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_it() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=end_with_it, daemon=True).start()
