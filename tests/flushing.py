"""Empty a worker's database after a test with a few statements and no signals.

Django emits `post_migrate` after each flush, which rewrites content types and permissions one by
one. That is most of the cost of a database test. Here the rows left by the migrations are
copied into tables beside the originals and restored from there. The list of tables is also read
only once, and no module is searched for receivers.
"""

from __future__ import annotations

from django.core.management.commands import flush
from django.db import connection

KEPT = "kept_for_tests_"


def install() -> None:
    """Save the current rows, which every later flush restores."""
    quote = connection.ops.quote_name
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    filled = {table: KEPT + table for table in tables if _has_rows(quote(table))}
    with connection.cursor() as cursor:
        for table, kept in filled.items():
            cursor.execute(f"DROP TABLE IF EXISTS {quote(kept)}")
            cursor.execute(f"CREATE TABLE {quote(kept)} AS SELECT * FROM {quote(table)}")
    empty = [f"DELETE FROM {quote(table)}" for table in tables]  # TRUNCATE creates a file per table
    back = [f"INSERT INTO {quote(of)} SELECT * FROM {quote(kept)}" for of, kept in filled.items()]
    statements = [*empty, *back]
    if connection.vendor == "postgresql":
        statements = ["; ".join(statements)]  # one round trip

    def handle(*args: object, **options: object) -> None:
        connection.ops.execute_sql_flush(statements)

    flush.Command.handle = handle


def _has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
        return cursor.fetchone() is not None
