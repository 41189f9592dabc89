"""How the database of a worker is emptied after a test: by a few statements, and no signals.

Django emits `post_migrate` after each flush, which writes content types and permissions anew, one
by one: most of what a test of the database used to cost. Here a copy of what stood in the tables
after the migrations is kept in tables beside them, and is put back as it was. Nor are the tables
looked for again, nor the modules in which receivers might be.
"""

from __future__ import annotations

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
    empty = [f"DELETE FROM {quote(table)}" for table in tables]  # TRUNCATE makes a file for each
    back = [f"INSERT INTO {quote(of)} SELECT * FROM {quote(kept)}" for of, kept in filled.items()]
    statements = [*empty, *back]
    if connection.vendor == "postgresql":
        statements = ["; ".join(statements)]  # one journey

    def handle(*args: object, **options: object) -> None:
        connection.ops.execute_sql_flush(statements)

    flush.Command.handle = handle


def _has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")
        return cursor.fetchone() is not None
