"""Frequent statements on the connection of a thread, and what happens after its commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction


def here() -> Any:
    """Return Django's connection of this thread."""
    return connections[DEFAULT_DB_ALIAS]


def on_commit(do: Callable[[], None]) -> None:
    """Call `do` once the running transaction is committed. If it fails, others are still called."""
    transaction.on_commit(do, robust=True)


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
