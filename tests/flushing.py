"""How the database of a worker is emptied after a test: by a few statements, and no signals.

Django emits `post_migrate` after each flush, which writes content types and permissions anew, one
by one: most of what a test of the database used to cost. Here a copy of what stood in the tables
after the migrations is kept in tables beside them, and is put back as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.management.commands import flush
from django.db import connection

KEPT = "kept_for_tests_"


def install() -> None:
    """Keep what the tables hold now; from here on a flush goes back to it."""
    quote = connection.ops.quote_name
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    filled = {table: KEPT + table for table in tables if _has_rows(quote(table))}
    with connection.cursor() as cursor:
        for table, kept in filled.items():
            cursor.execute(f"DROP TABLE IF EXISTS {quote(kept)}")
            cursor.execute(f"CREATE TABLE {quote(kept)} AS SELECT * FROM {quote(table)}")
    back = [f"INSERT INTO {quote(of)} SELECT * FROM {quote(kept)}" for of, kept in filled.items()]

    def sql_flush(ops: object, style: object, tables: Sequence[str], **_more: object) -> list[str]:
        """Empty tables as nearly empty ones are emptied best; TRUNCATE makes a file for each."""
        return [*(f"DELETE FROM {quote(table)}" for table in tables), *back]

    type(connection.ops).sql_flush = sql_flush
    flush.emit_post_migrate_signal = lambda *args, **more: None


def _has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
        return cursor.fetchone() is not None
