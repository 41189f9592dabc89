"""Whether this process can do its work; what `/readyz` is made of."""

from __future__ import annotations

from django.db import DatabaseError, close_old_connections, connection, transaction


def storage_fault() -> str:
    """Why nothing can be stored just now; "" where it can. Not for an event loop."""
    try:
        close_old_connections()
        with transaction.atomic(), connection.cursor() as cursor:  # (SQLite: takes the write lock)
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""
