"""The transaction around a group of the writer, on the connection that is looked up once for it.

Django's `atomic` puts cursors, wrappers and a dozen look-ups around `BEGIN` and `COMMIT`. In the
normal way a group needs none of it. Everything else (savepoints, a rollback, a connection that was
lost) is left to Django, and what is called within a group finds a block of `atomic` around it
(docs/decisions/0134).
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
    """Django's connection of this thread."""
    return _here.connection or connections[DEFAULT_DB_ALIAS]


def on_commit(do: Callable[[], None]) -> None:
    """Call it once the running transaction is committed; where it fails, nothing else does."""
    here().on_commit(do, robust=True)


class Group(Atomic):
    """A block of `atomic`, which is begun and committed without a detour."""

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
        )  # (of SQLite alone)
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
    """Whether nothing is special: connected, and no transaction around this one."""
    return found.connection is not None and found.autocommit and not found.in_atomic_block


def _commit(found: Any) -> None:
    """As Django does: what cannot be committed is rolled back, or the connection dropped."""
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
    """Execute what begins or ends a transaction, on Django's connection."""
    with found.wrap_database_errors:
        found.connection.execute(statement)


def execute(found: Any, statement: str, values: Sequence[Any]) -> int:
    """Execute a statement on Django's connection, without what it puts around each: a cursor, its
    wrapper, another way of writing parameters. Return how many rows it has changed.

    PostgreSQL plans it once for each connection; from Django's own cursors it gets values written
    into the statement, and plans it anew each time (docs/decisions/0134).
    """
    with found.wrap_database_errors:
        if found.vendor == "sqlite":
            return int(found.connection.execute(statement, values).rowcount)
        with found.Database.Cursor(found.connection) as cursor:
            return int(cursor.execute(statement, values, prepare=True).rowcount)


def execute_many(found: Any, statement: str, rows: list[Any]) -> None:
    """The same for the values of each row: one journey, where the database is another machine."""
    with found.wrap_database_errors, closing(found.connection.cursor()) as cursor:
        cursor.executemany(statement, rows)
