"""Finished matches, counted in the thread of a test that may kill the count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connection, transaction

from accounts.models import User
from games.history import counting
from games.models import Match, Room
from tests.kit.acting import play_out
from tests.kit.factories import PersonFactory, open_table

MOST_STATEMENTS = 12
"""Maximum statements for counting a match."""


def table(*people: User) -> Room:
    return open_table(*(people or (PersonFactory(), PersonFactory())), lives=1)


def played(*people: User) -> Match:
    return play_out(table(*people))


class Killed(BaseException):
    """The process was killed."""


@contextmanager
def killed_at(statement: int) -> Iterator[None]:
    """Roll back the transaction instead of running this statement of it."""
    run = 0

    def execute(go: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal run
        run += not sql.startswith(("SAVEPOINT", "RELEASE"))
        if run == statement:
            raise Killed
        return go(sql, params, many, context)

    with suppress(Killed), transaction.atomic(), connection.execute_wrapper(execute):
        yield


def count_here(match: Match, *writes: counting.Write) -> int | None:
    """Count a match in this thread, as the writer does in its own."""
    with transaction.atomic():
        found: int | None = counting.count.__wrapped__(match.pk, match.revision, writes)  # type: ignore[attr-defined]
    return found
