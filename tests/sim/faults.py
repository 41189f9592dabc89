"""Faults that happen to the server of an evening: kills, a failing storage, lost notifications."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from channels.layers import InMemoryChannelLayer, channel_layers
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from tests.sim.machine import PROCESS, machine
from tests.sim.server import STARTS_WITHIN, Killed, Process

if TYPE_CHECKING:
    from tests.sim.evening import Evening

PLANNED = "planned by the simulation"
"""Part of the message of every error caused here. Such errors may be logged."""
KINDS = ("kill", "storage", "notifications", "clock")
POINTS = ("BEGIN", "COMMIT", "COMMITTED", "FRAME", "NOW")
"""Where a process is killed: before a transaction, before or after its commit, before a frame is
sent, or while it waits."""
RECOVERS = 9.0
"""Seconds after which everything must work again: a rest of the writer, a renewal of the lease,
and a look for what is due."""
WRITES = ("INSERT", "UPDATE", "DELETE")
ACT = "INSERT INTO games_act "
"""The beginning of the statement that stores an act."""
RENEWED = "games_heartbeat"
"""The table of the lease, which is written every two seconds and shown to nobody."""
JUMPS = (-3600.0, -20.0, -2.0, 2.0, 20.0, 3600.0)
"""Seconds by which the system clock is set. A small drift is corrected without a jump."""
LONGEST = 6.0
"""Maximum seconds that the storage or the notifications fail."""


@dataclass(frozen=True)
class Failure:
    """A way in which the storage fails."""

    text: str
    code: int
    reads_too: bool = False
    is_lost: bool = False
    """Whether the connection is lost, so that another one works."""


FAILURES = (
    Failure("database is locked", sqlite3.SQLITE_BUSY),
    Failure("database or disk is full", sqlite3.SQLITE_FULL),
    Failure("disk I/O error", sqlite3.SQLITE_IOERR, reads_too=True),
    Failure("the connection was lost", sqlite3.SQLITE_IOERR, reads_too=True, is_lost=True),
)


class Faults:
    """The faults of an evening. `calm_at` is when the last one must be overcome."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._kinds = [kind for kind in KINDS if kind in evening.shape.faults]
        self._dice = Random(f"faults {evening.shape.seed}")
        self._every = self._dice.choice((4.0, 10.0, 30.0))
        self._doomed: tuple[Process, str, int] | None = None
        self._failing: Failure | None = None
        self._only_commits = False
        self.writes = 0
        """Number of SQL statements, in all processes, that may have changed what pages show."""
        self.acts = 0
        """Number of acts that were written, also in transactions that failed."""
        self.loses = False
        """Whether notifications between processes are lost, doubled or delayed now."""
        self.calm_at = machine.now
        if evening.shape.processes > 1:
            settings.REDIS_URL = "simulated"
            channel_layers.set("default", _Layer(self, self._dice))

    def may_hit(self, database: Any) -> None:
        """Let faults happen to this connection of a process."""
        database.execute_wrappers.append(self._executing)
        commit = database.commit

        def committing() -> None:
            self.at("COMMIT")
            self._fail(is_read=False)
            commit()
            self.at("COMMITTED")

        database.commit = committing

    @property
    def is_calm(self) -> bool:
        """Whether every fault must have been overcome."""
        return machine.now >= self.calm_at

    async def strike(self) -> None:
        """Cause faults at random times until the evening is over."""
        while self._kinds and not self._evening.is_over:
            await self._evening.rest(self._dice.expovariate(1 / self._every))
            kind = self._dice.choice(self._kinds)
            await getattr(self, f"_{kind}")()
        self._doomed = None

    async def _kill(self) -> None:
        """Choose a process, and the point at which it dies, possibly only on a later pass."""
        if (process := self._evening.server.pick()) is None:
            return
        point = self._dice.choice(POINTS)
        self._doomed = process, point, self._dice.choice((1, 1, 2, 5))
        if point == "NOW":
            self.at(point, process)

    async def _storage(self) -> None:
        """Let the storage fail for some seconds, or lose the connection once."""
        self._failing = self._dice.choice(FAILURES)
        self._only_commits = self._dice.random() < 0.3
        seconds = self._dice.choice((0.3, self._dice.uniform(0, LONGEST)))
        self._disturb(self._failing.text, seconds + RECOVERS)
        await asyncio.sleep(seconds)
        self._failing = None

    async def _notifications(self) -> None:
        self._disturb("notifications are lost", seconds := self._dice.uniform(0, LONGEST))
        self.loses = True
        await asyncio.sleep(seconds)
        self.loses = False
        self._disturb("notifications arrive again", RECOVERS)

    async def _clock(self) -> None:
        """Set the system clock, suspend the machine, or freeze all processes for a while.

        While a machine is suspended, its monotonic clock stands still, and its connections break.
        """
        kind, seconds = self._dice.choice(("set", "suspended", "frozen")), self._dice.choice(JUMPS)
        self._disturb(f"the machine is {kind} for {seconds} seconds", RECOVERS)
        if kind == "frozen":
            machine.sleep(min(abs(seconds), LONGEST))
            self._disturb("the machine runs again", RECOVERS)
            return
        machine.jumped += seconds if kind == "set" else abs(seconds)
        if kind == "suspended":
            for process in self._evening.server.processes:
                for line in process.lines:
                    line.cut()

    def at(self, point: str, process: Process | None = None) -> None:
        """Kill the running process if it was to die at this point."""
        if self._doomed is None:
            return
        process = process or PROCESS.get()
        doomed, where, passes = self._doomed
        if (doomed, where) != (process, point) or not process.lives:
            return
        if passes > 1:
            self._doomed = doomed, where, passes - 1
            return
        self._doomed = None
        self._disturb(f"a process was killed at {point}", STARTS_WITHIN + RECOVERS)
        self._evening.server.kill(process)
        if point != "NOW":
            raise Killed

    def _disturb(self, what: str, seconds: float) -> None:
        self._evening.tell(what)
        self.calm_at = max(self.calm_at, machine.now + seconds)

    def _executing(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a statement, unless the storage fails (a wrapper of Django's `execute`)."""
        if sql.startswith("BEGIN"):
            self.at("BEGIN")
        self.writes += sql.startswith(WRITES) and RENEWED not in sql
        self.acts += sql.startswith(ACT)
        if not self._only_commits:
            self._fail(is_read=sql.startswith("SELECT"))
        return execute(sql, params, many, context)

    def _fail(self, is_read: bool) -> None:
        failing = self._failing
        if failing is None or (is_read and not failing.reads_too):
            return
        if failing.is_lost:
            self._failing = None
            database = connections[DEFAULT_DB_ALIAS]
            type(database).close(database)
        error = sqlite3.OperationalError(failing.text)
        error.sqlite_errorcode = failing.code
        raise OperationalError(f"{failing.text} ({PLANNED})") from error


class _Layer(InMemoryChannelLayer):  # type: ignore[misc]
    """The channel layer between processes. At times it loses, doubles or delays messages."""

    def __init__(self, faults: Faults, dice: Random) -> None:
        super().__init__()
        self._faults, self._dice = faults, dice

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        times = self._dice.choice((0, 1, 1, 2)) if self._faults.loses else 1
        for _ in range(times):
            if self._faults.loses:
                await asyncio.sleep(self._dice.choice((0.0, 0.1, 0.8)))
            await super().group_send(group, message)
