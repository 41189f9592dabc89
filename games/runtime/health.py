"""Whether this process can do its work; what `/readyz` is made of."""

from __future__ import annotations

from django.db import DatabaseError, close_old_connections, connection

from games.engine import storage


def storage_fault() -> str:
    """Why nothing can be stored just now; "" where it can. Cheap; not for an event loop."""
    if storage.storage.fault:
        return storage.storage.fault
    try:
        close_old_connections()
        storage.check()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


def storage_is_ready() -> bool:
    """Whether what is written now is kept. Not for an event loop."""
    return not storage_fault()
