"""The transaction around a group of the writer's jobs, on a connection that is looked up once.

Django's `atomic` adds cursors, wrappers and a dozen look-ups to `BEGIN` and `COMMIT`. Usually a
group needs none of them. Everything else (savepoints, rollbacks, lost connections) is left to
Django. Code within a group sees an ordinary `atomic` block (docs/decisions/0134).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from types import TracebackType
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, Error, connections
from django.db.transaction import Atomic


class _Here(threading.local):
    connection: Any = None


_here = _Here()


def here() -> Any:
    """Return Django's connection of this thread."""
    return _here.connection or connections[DEFAULT_DB_ALIAS]


def on_commit(do: Callable[[], None]) -> None:
    """Call `do` once the running transaction is committed. If it fails, others are still called."""
    here().on_commit(do, robust=True)


class Group(Atomic):
    """An `atomic` block with a fast path for `BEGIN` and `COMMIT`."""

    def __init__(self, found: Any) -> None:
        super().__init__(using=None, savepoint=True, durable=False)
        self._found = found

    def __enter__(self) -> None:
        found = _here.connection = self._found
        self._is_plain = _is_plain(found)
        if not self._is_plain:
            super().__enter__()
            return
        control(
            found, f"BEGIN {getattr(found, 'transaction_mode', None) or ''}"
        )  # (only SQLite has a mode)
        found.commit_on_exit, found.needs_rollback = True, False
        found.autocommit, found.in_atomic_block = False, True
        found.atomic_blocks.append(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        found, _here.connection = self._found, None
        done = kind is None and not (found.needs_rollback or found.closed_in_transaction)
        if not (self._is_plain and done):
            super().__exit__(kind, error, trace)
            return
        found.atomic_blocks.pop()
        found.in_atomic_block = False
        _commit(found)
        found.run_and_clear_commit_hooks()


def _is_plain(found: Any) -> bool:
    """Whether the fast path applies: connected, and no transaction is open."""
    return found.connection is not None and found.autocommit and not found.in_atomic_block


def _commit(found: Any) -> None:
    """Commit as Django does: on failure roll back, or else drop the connection."""
    try:
        control(found, "COMMIT")
    except DatabaseError:
        try:
            found.rollback()
        except Error:
            found.close()
        raise
    finally:
        found.autocommit = True
    found.errors_occurred = False


def control(found: Any, statement: str) -> None:
    """Execute a statement that begins or ends a transaction, on Django's connection."""
    with found.wrap_database_errors:
        found.connection.execute(statement)


def execute(found: Any, statement: str, values: Sequence[Any]) -> int:
    """Execute a statement on Django's connection; return the number of changed rows.

    This bypasses Django's cursor, its wrapper and its conversion of parameters. PostgreSQL plans
    the statement once for each connection. Django's cursors write values into the statement, so
    that it is planned every time (docs/decisions/0134).
    """
    with found.wrap_database_errors:
        if found.vendor == "sqlite":
            return int(found.connection.execute(statement, values).rowcount)
        with found.Database.Cursor(found.connection) as cursor:
            return int(cursor.execute(statement, values, prepare=True).rowcount)


def execute_many(found: Any, statement: str, rows: list[Any]) -> None:
    """Execute a statement for the values of each row, in one round trip to the database."""
    with found.wrap_database_errors, closing(found.connection.cursor()) as cursor:
        cursor.executemany(statement, rows)
