"""While storage fails, changes are refused quickly, with one log line."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    connection,
)

from config.logs import StorageFaults
from games.contract.core import Refused
from games.engine import committing
from games.engine.storage import is_fault, storage
from games.engine.writer import command
from games.models import Room
from games.runtime import health
from games.runtime.heartbeat import HeartbeatThread
from tests.kit.waiting import wait_for
from tests.kit.writing import add_room, caused, codes, run, writer_held

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="faults of a database file"),
]
ANSWERED = 5.0


@pytest.fixture(autouse=True)
def _whole_again() -> Iterator[None]:
    yield
    wait_for(is_up)


@command
def add_large_room(code: str) -> None:
    """Add a room that needs more pages than the file has free."""
    Room.objects.create(code=code, game="mia", standings={"ann": "x" * 500_000})


def is_stored(code: str) -> bool:
    try:
        add_large_room(code).result()
    except Refused:
        return False
    return True


def is_refused(code: str = "AAAAA") -> bool:
    """Return whether a change is answered `busy` in time."""
    began = time.monotonic()
    refused = not is_stored(code)
    assert time.monotonic() - began < ANSWERED
    return refused


def database() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


@contextmanager
def full() -> Iterator[None]:
    with closing(sqlite3.connect(database())) as other:
        other.execute("VACUUM")  # free pages left by earlier tests would suffice
    with pragma("max_page_count", "1"):
        yield


@contextmanager
def read_only() -> Iterator[None]:
    with pragma("query_only", "1", "0"):
        yield


@contextmanager
def pragma(name: str, bad: str, good: str = "4294967294") -> Iterator[None]:
    """Cause a fault in the writer's connection."""
    value, prepare = [bad], committing._connection.prepare

    def spoil() -> None:
        prepare()
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA {name} = {value[0]}")

    with patch.object(committing._connection, "prepare", spoil):
        try:
            yield
        finally:
            value[0] = good
            wait_for(is_up)


def is_up() -> bool:
    """Return whether the writer can start transactions again."""
    try:
        run(lambda: None).result()
    except Refused:
        return False
    return True


@contextmanager
def locked() -> Iterator[None]:
    """Hold a write lock from another process."""
    code = (
        "import sqlite3, sys\n"
        "held = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "held.execute('BEGIN IMMEDIATE')\n"
        "print('held', flush=True)\n"
        "sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(database())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        try:
            yield
        finally:
            other.communicate("\n")


@contextmanager
def gone() -> Iterator[None]:
    """Move the file away."""
    aside = database().with_suffix(".aside")
    database().rename(aside)
    try:
        yield
    finally:
        aside.rename(database())


@contextmanager
def replaced() -> Iterator[None]:
    """Put another file in its place."""
    with gone():
        database().touch()
        yield


every_fault = pytest.mark.parametrize("fault", [full, read_only, locked, gone, replaced])


@every_fault
def test_changes_are_refused_quickly_and_resume_when_storage_is_back(
    fault: Callable[[], AbstractContextManager[None]], caplog: pytest.LogCaptureFixture
) -> None:
    assert not health.storage_fault()
    with fault():
        for code in ("AAAAA", "BBBBB", "CCCCC"):
            assert is_refused(code)
        assert health.storage_fault()
    wait_for(lambda: is_stored("DDDDD"))
    assert not health.storage_fault()
    assert codes() == {"DDDDD"}
    assert caplog.text.count("the database cannot be written") == 1
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("fault", [gone, replaced])
def test_nothing_is_acknowledged_after_the_database_file_is_lost(
    fault: Callable[[], AbstractContextManager[None]],
) -> None:
    with fault():
        assert is_refused("AAAAA")
        assert "put it back" in health.storage_fault()
    assert codes() == set()


def test_idle_follower_process_notices_that_storage_works_again() -> None:
    leading, following = HeartbeatThread(), HeartbeatThread()
    leading.renew()
    storage.fault = "OperationalError: it was away for a moment"
    assert health.storage_fault()
    following.renew()
    assert (leading.leads, following.leads) == (True, False)
    assert not health.storage_fault()


def test_nothing_is_acknowledged_after_the_wal_is_deleted() -> None:
    assert is_stored("AAAAA")
    wal = database().with_name(f"{database().name}-wal")
    aside = wal.with_suffix(".aside")
    wal.rename(aside)
    try:
        assert is_refused("BBBBB")
        assert "restart" in health.storage_fault()
    finally:
        aside.rename(wal)
        storage._wal_lost = False
    wait_for(is_up)
    assert codes() == {"AAAAA"}


def test_all_waiting_jobs_are_refused_at_once_if_storage_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(committing.LOCK_TIMEOUT_MS, "sqlite", 200)
    with locked():
        began = time.monotonic()
        waiting = [add_room(f"{number:05}") for number in range(200)]
        for pending in waiting:
            with pytest.raises(Refused, match="busy"):
                pending.result()
        assert time.monotonic() - began < ANSWERED


def test_job_that_waited_too_long_is_refused_without_being_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(committing, "LONGEST_WAIT_S", -1)
    assert is_refused("AAAAA")
    assert codes() == set()
    monkeypatch.undo()


def test_lost_connection_is_reopened_and_the_job_retried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As after a database restart: the first attempt meets a dead connection."""
    tries: list[int] = []

    def fail_once() -> str:
        tries.append(1)
        if len(tries) == 1:
            monkeypatch.setattr(
                committing._connection, "_prepared", None
            )  # as if Django had reconnected
            raise OperationalError("server closed the connection unexpectedly")
        return "done"

    assert run(fail_once).result() == "done"
    assert len(tries) == 2
    assert not storage.is_resting()


@pytest.mark.parametrize("together", [True, False])
def test_deadlocked_job_is_retried_without_a_storage_fault(
    together: bool, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []

    def deadlocked_once() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise caused(OperationalError("deadlock detected"), "40P01")
        return "done"

    with writer_held():
        deadlocked = run(deadlocked_once)
        other = add_room("AAAAA") if together else None
    assert deadlocked.result() == "done"
    assert other is None or other.result() == "AAAAA"
    assert not storage.fault
    assert not caplog.records


def damaged(said: str) -> Exception:
    """A Django error caused by an SQLite report about the file."""
    error = DatabaseError(said)
    error.__cause__ = sqlite3.DatabaseError(said)
    return error


@pytest.mark.parametrize(
    ("error", "is_one"),
    [
        (damaged("database disk image is malformed"), True),
        (damaged("file is not a database"), True),
        (DatabaseError("Save with update_fields did not affect any rows."), False),
        (caused(InternalError("cannot execute UPDATE in a read-only transaction"), "25006"), True),
        (caused(InternalError("current transaction is aborted"), "25P02"), False),
        (IntegrityError("UNIQUE constraint failed"), False),
        (DataError("value too long"), False),
    ],
)
def test_storage_faults_are_recognized(error: Exception, is_one: bool) -> None:
    assert is_fault(error) is is_one


def filtered_log() -> tuple[logging.Logger, list[str]]:
    """A log filtered as on the console, and its output."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    handler.emit = lambda record: lines.append(handler.format(record))  # type: ignore[method-assign]
    handler.addFilter(StorageFaults())
    log = logging.Logger("somebody")
    log.addHandler(handler)
    return log, lines


def test_repeated_storage_errors_are_logged_once_in_one_line() -> None:
    log, lines = filtered_log()
    for number in range(100):
        try:
            raise OperationalError("disk I/O error in a test")
        except DatabaseError:
            log.exception("something %s failed", number)
    assert lines == ["something 0 failed: OperationalError: disk I/O error in a test"]


def test_clock_keeps_running_without_logging_during_a_fault(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, clock: None
) -> None:
    monkeypatch.setattr("games.engine.storage.LONGEST_REST", 0.01)
    monkeypatch.setattr("games.runtime.heartbeat.INTERVAL", 0.05)
    failures: list[BaseException] = []
    failed = storage.failed
    monkeypatch.setattr(storage, "failed", lambda error: (failures.append(error), failed(error)))
    with read_only():
        wait_for(lambda: len(failures) > 5)
    assert "step of the clock" not in caplog.text
    assert caplog.text.count("the database cannot be written") == 1
