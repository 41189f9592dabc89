"""The clock: a thread that wakes matches when a bot or a deadline is due, and runs housekeeping.

Each process runs a clock, which handles the matches whose last act this process has stored. If
the proxy distributes tables with `hash`, it is also the process that shows them. A match that has
been due for OVERDUE is handled by any clock, because its own process has probably stopped. Commands
check again what is due, so a duplicate or late wake-up changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import DatabaseError, close_old_connections, connection
from django.db.models import Q, QuerySet

from games import rooms
from games.contract.core import Ignored, Refused
from games.contract.data import Seat
from games.engine import figures, matches, notifications, talk, timing
from games.engine.log_ids import about
from games.engine.memory import memory
from games.engine.process import process
from games.engine.snapshots import MatchSnapshot, Parked, load_snapshot
from games.engine.storage import storage
from games.engine.time_source import source
from games.engine.writer import Pending, command
from games.models import Match
from games.runtime.bots import Bots
from games.runtime.guarded import guarded
from games.runtime.heartbeat import HeartbeatThread
from games.runtime.housekeeping import Housekeeping
from games.runtime.parked import ParkedMatches

log = logging.getLogger(__name__)

TICK = 1.0
AT_ONCE = 10
"""Maximum bots of one match that move together after it was skipped ahead."""
PATIENCE = 0.2
"""Maximum seconds a step waits for its commands. A locked match must not delay the others."""
LATE_FOR = 2.0
"""Seconds for which a match is left alone after a command that took longer was refused."""
OVERDUE = timedelta(seconds=1.5)
"""Time after which any process may handle a match that is due."""
MATCHES = 50
"""Maximum matches handled in one step."""
FAR_AWAY = float("inf")
"""Value of `_next_check` during a check, which may miss work that becomes due meanwhile."""


class Clock:
    """The clock thread. It runs until it is stopped, and checks at once when a table has
    changed.
    """

    def __init__(self) -> None:
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clock", daemon=True)
        self._next_check = FAR_AWAY
        self._started: dict[int, list[Pending[Any]]] = {}
        """Commands whose results have not been seen yet, by match id."""
        self._late: dict[int, float] = {}
        """Matches whose commands took longer than a step waits, with the time of the next try."""
        self._heartbeat, self._parked = HeartbeatThread(), ParkedMatches()
        self._bots = Bots(self._wake.set)
        self._housekeeping = Housekeeping(self._stopped.is_set)

    def start(self) -> None:
        notifications.subscribe(self._on_notification)
        self._heartbeat.start()
        self._thread.start()

    def halt(self) -> None:
        """Start no more work. Work that has started may continue for a moment."""
        notifications.unsubscribe(self._on_notification)
        self._stopped.set()
        self._wake.set()

    def stop(self) -> None:
        """Halt, and wait a few seconds for running work. Do not wait for a bot that hangs."""
        self.halt()
        self._thread.join(timeout=5)
        self._heartbeat.stop()
        self._bots.stop()
        self._housekeeping.stop()
        with suppress(Refused, TimeoutError):
            give_away().result(timeout=1)

    def _on_notification(self, room_id: int, by_act: bool) -> None:
        """Wake the clock, unless nothing in this room becomes due before the next check."""
        room = memory.get(room_id)
        due = room.match.row.wake_at if room is not None and room.match is not None else None
        if room is None or (due is not None and due.timestamp() < self._next_check):
            self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.clear()
            close_old_connections()
            self._wake.wait(self.step())
            self._next_check = FAR_AWAY
        connection.close()

    def step(self) -> float:
        """Handle all matches that are due, and run housekeeping. Return the maximum seconds to wait
        before the next step.
        """
        if not self._heartbeat.is_current():  # deadlines have not been postponed yet
            return TICK / 20
        soon = guarded(self._tick) or TICK
        self._next_check = source.judged().timestamp() + soon
        return TICK if storage.fault else soon

    def _tick(self) -> float:
        now = source.judged()
        waiting = self._first_waiting()
        due = [match_id for match_id, wake_at in waiting if wake_at <= now]
        for match_id in due:
            if self._stopped.is_set():
                return TICK
            self._carefully(match_id, self._wake_up)
        has_changed = bool(due or self._started)
        until = source.monotonic() + PATIENCE
        for match_id in tuple(self._started):
            self._carefully(match_id, partial(self._conclude, until))
        if self._heartbeat.leads:
            self._housekeeping.run()
        if self._wake.is_set():  # the next step follows at once
            return self._until_next(waiting)
        return self._until_next(self._first_waiting() if has_changed else waiting)

    def _carefully(self, match_id: int, step: Callable[[int], None]) -> None:
        with about(match=match_id):
            guarded(partial(self._run_step, match_id, step))

    def _run_step(self, match_id: int, step: Callable[[int], None]) -> None:
        """Run a step for a match. End the match if its rules fail."""
        try:
            step(match_id)
            self._parked.goes_on(match_id)
        except Parked as parked:
            self._parked.put(match_id, parked)
        except (Ignored, Refused):
            return
        except DatabaseError:
            raise
        except Exception:
            if self._stopped.is_set():  # the bots were stopped, so the match is not at fault
                return
            log.exception("match %s cannot continue", match_id)
            matches.give_up(match_id).result()

    def _wake_up(self, match_id: int) -> None:
        """Start what is due in a match: claims, moves or a timeout."""
        match, now = load_snapshot(match_id), source.judged()
        if match.row.wake_at is not None:
            figures.wake_seconds.observe(max(0.0, (now - match.row.wake_at).total_seconds()))
        if started := [pending for pending in self._due(match, now) if pending is not None]:
            self._started[match_id] = started

    def _due(self, match: MatchSnapshot, now: datetime) -> list[Pending[Any] | None]:
        if claims := talk.due_by(match.row.talks, now.timestamp()):
            return [self._bots.claim(match, claims[0])]
        if moves := _due_moves(match, now.timestamp()):
            return [self._bots.move(match, *one) for one in moves]
        if timing.deal_is_on(match.row) and timing.deal_ends(match.row) <= now:
            return [rooms.deal_is_over(match.row.pk)]
        if match.row.deadline is not None and match.row.deadline <= now:
            return [rooms.time_is_up(match.row.pk, match.state.clock)]
        return []

    def _conclude(self, until: float, match_id: int) -> None:
        """Wait until `until` for the commands of a match, and raise their errors.

        If they take longer, another session has probably locked the match. Nobody waits for it
        again, and it wakes the clock when it is done.
        """
        started, is_late = self._started[match_id], match_id in self._late
        for pending in started:
            with suppress(Exception):
                pending.result(0 if is_late else max(0.0, until - source.monotonic()))
        if not all(pending.done() for pending in started):
            self._late[match_id] = source.monotonic() + LATE_FOR
            if not is_late:
                started[-1].add_done_callback(lambda _: self._wake.set())
            return
        del self._started[match_id]
        for pending in started:
            with suppress(Ignored):
                pending.result()
        self._late.pop(match_id, None)

    def _waiting(self) -> QuerySet[Match]:
        """Return the matches of this process that have a due time, and all overdue matches.

        Sort them by due time.
        """
        ours = Q(clock__in=("", process.name)) | Q(wake_at__lte=source.judged() - OVERDUE)
        return (
            Match.objects.filter(wake_at__isnull=False)  # `exclude` reads the whole index
            .filter(ours)
            .exclude(pk__in=self._left_alone())
            .order_by("wake_at")
        )

    def _left_alone(self) -> set[int]:
        """Return the ids of the matches for which nothing can be done now."""
        now = source.monotonic()
        self._late = {
            match_id: until
            for match_id, until in self._late.items()
            if until > now or match_id in self._started
        }
        return {*self._parked.now(), *self._bots.searches.busy(), *self._started, *self._late}

    def _first_waiting(self) -> list[tuple[int, datetime]]:
        rows = self._waiting().values_list("pk", "wake_at")[:MATCHES]
        return [(match_id, wake_at) for match_id, wake_at in rows if wake_at is not None]

    def _until_next(self, waiting: list[tuple[int, datetime]]) -> float:
        """Return the seconds until the first of these matches is due, at most one tick."""
        soonest = min(TICK, self._bots.searches.soonest())
        if self._heartbeat.leads:
            soonest = min(soonest, self._housekeeping.soonest())
        if not waiting:
            return soonest
        return min(soonest, max(0.001, (waiting[0][1] - source.judged()).total_seconds()))


@command
def give_away() -> None:
    """Leave all matches of this process to the clocks of the others."""
    Match.objects.exclude(wake_at=None).filter(clock=process.name).update(clock="")


def _due_moves(match: MatchSnapshot, now: float) -> list[tuple[Seat, int]]:
    """Return the seats of the bots that must answer now, with their prompts.

    Usually this is one bot at a time, so that viewers can follow. At the instant pace several bots
    answer at once, and their moves are written and shown together.
    """
    plans = sorted(match.row.plans.items(), key=lambda item: item[1][1])
    due = [(Seat(int(key)), int(prompt)) for key, (prompt, at) in plans if at <= now]
    return due[: AT_ONCE if match.pace == timing.INSTANT else 1]
