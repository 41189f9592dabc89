"""The heartbeat: a row that names the leading process and the time of its last renewal.

One process leads. It renews its lease every two seconds. When it stops, another process takes over.
While no process renews the lease, nobody can act, so every deadline is postponed by that time.
"""

from __future__ import annotations

import logging
import secrets
import threading
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, close_old_connections, connection
from django.db.models import F, Q

from games.contract.core import Refused
from games.engine import figures
from games.engine.grace import NOTHING, put_off
from games.engine.reachable import reading
from games.engine.storage import storage
from games.engine.time_source import source
from games.engine.timing import GRACE
from games.engine.writer import command
from games.models import Heartbeat

log = logging.getLogger(__name__)

INTERVAL = 2.0
LEASE = timedelta(seconds=6)
LATE = 1.0
"""Seconds by which a renewal must be late for the process to count as suspended."""
JUMP = timedelta(seconds=1)
STALE = INTERVAL + 2 * LATE
"""Seconds without a renewal after which deadlines may first have to be postponed."""


class HeartbeatThread:
    """Renews the lease in a separate thread, so that a busy clock does not make the process look
    suspended.
    """

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self.leads = False
        self.began = threading.Event()
        """Set once the deadlines that passed while no server ran have been postponed."""
        self._able_since = source.now()
        self._renewed_at = source.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Let another process lead at once."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=1)
        if self.leads:
            with suppress(Refused, TimeoutError):
                resign(self.name).result(timeout=1)

    def is_current(self) -> bool:
        """Whether all deadlines have been postponed and the lease is fresh. Until then, no deadline
        applies.
        """
        return self.began.is_set() and source.monotonic() - self._renewed_at < STALE

    def renew(self) -> None:
        """Renew the lease, unless another process leads."""
        self._renew()
        figures.leads.set(self.leads)
        self._renewed_at = source.monotonic()

    def _renew(self) -> None:
        heartbeat = _read()
        if heartbeat is not None and not self._may_lead(heartbeat):
            self.leads = False
            if storage.fault:
                try_again().result()
            return
        drift = source.drift()
        shift = drift if abs(drift) > JUMP else NOTHING
        if heartbeat is not None and self._able_since > heartbeat.at:
            shift += self._able_since - heartbeat.at
        jumped = abs(drift) > JUMP
        now = source.wall() if jumped else source.now()
        started = source.started
        try:
            self.leads = lead(self.name, heartbeat, now, shift, jumped).result()
        except Exception:
            source.started = started  # nothing was postponed, so the old time is still valid
            raise
        if self.leads and jumped:
            log.warning("the system clock jumped by %s", drift)
            self._able_since = now

    def hold_up(self) -> None:
        """Record that this process was suspended until now."""
        self._able_since = source.now()

    def _may_lead(self, heartbeat: Heartbeat) -> bool:
        if abs(heartbeat.at - source.wall()) + JUMP < abs(heartbeat.at - source.now()):
            source.adopt()  # the leader has postponed everything, so the wall clock is right again
            self._able_since = source.now()
        return heartbeat.leader in ("", self.name) or source.now() - heartbeat.at > LEASE

    def _run(self) -> None:
        reading.watch()
        while not self._stopped.is_set():
            close_old_connections()
            self.step()
            self._wait()
        reading.unwatch()
        connection.close()

    def step(self) -> None:
        """Renew the lease. In the first step, also postpone the deadlines that passed while no
        process led.
        """
        try:
            if not self.began.is_set():
                _read()  # tells pages that they can be served while `begin` runs
                self.hold_up()
                begin(self.name).result()
                self.began.set()
            self.renew()
        except Refused:  # the writer is busy and has logged the reason
            self.hold_up()
        except Exception:
            log.exception("the heartbeat failed")
            self.hold_up()

    def _wait(self) -> None:
        before = source.monotonic()
        self._stopped.wait(INTERVAL if self.began.is_set() else INTERVAL / 4)
        if source.monotonic() - before > INTERVAL + LATE:
            self.hold_up()


def _read() -> Heartbeat | None:
    """Return the row, if any, and record whether the database can be read."""
    try:
        row = Heartbeat.objects.filter(pk=1).first()
        if connection.vendor == "postgresql":
            source.follow(_database_time)
            _report_skew()
    except DatabaseError as error:
        reading.failed(error)
        raise
    reading.succeeded()
    return row


def _database_time() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def _report_skew() -> None:
    """Count the difference between the clocks of this machine and the database, and log a large
    one once a minute.
    """
    figures.clock_skew.set(source.skew.total_seconds())
    if abs(source.skew) > JUMP and storage.is_new("clock skew"):
        log.warning(
            "the clock of this machine is %+.1f s from the database's, which the server uses;"
            " synchronize both with NTP",
            source.skew.total_seconds(),
        )


@command
def begin(name: str) -> None:
    """On startup, postpone all deadlines by the time that has passed since the last renewal.

    Open questions stay open for at least GRACE seconds.
    """
    now = source.now()
    heartbeat = Heartbeat.objects.select_for_update().filter(pk=1).first()
    away = now - heartbeat.at if heartbeat is not None else NOTHING
    put_off(away, now, timedelta(seconds=GRACE) if heartbeat is not None else NOTHING)
    leader = (
        name if heartbeat is None or abs(away) > LEASE or not heartbeat.leader else heartbeat.leader
    )
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now, "leader": leader})


@command
def lead(
    name: str, seen: Heartbeat | None, now: datetime, shift: timedelta, jumped: bool = False
) -> bool:
    """Take or renew the lease, and postpone deadlines by `shift`. Return False if another process
    holds it.

    After a jump of the clock, the new wall time must be adopted here and not in the caller, because
    later jobs, perhaps in the same transaction, must use it.
    """
    if seen is None:
        made = Heartbeat.objects.get_or_create(pk=1, defaults={"at": now, "leader": name})
        return made[1]
    same = Q(pk=1, at=seen.at, leader=seen.leader)
    if not Heartbeat.objects.filter(same).update(at=now, leader=name):
        return False
    if shift:
        put_off(shift, now)
    if jumped:
        source.adopt()
    return True


@command
def try_again() -> None:
    """Rewrite the row without changes, to test whether the storage works again."""
    Heartbeat.objects.filter(pk=1).update(leader=F("leader"))


@command
def resign(name: str) -> None:
    """Let another process lead at once."""
    Heartbeat.objects.filter(pk=1, leader=name).update(leader="")
