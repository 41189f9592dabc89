"""Readiness of this process, for `/readyz`."""

from __future__ import annotations

from django.db import DatabaseError, close_old_connections, connection

from games.engine import storage


def storage_fault() -> str:
    """Return why nothing can be stored at present, or "" if there is no fault. Do not call it in an
    event loop.
    """
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
