"""The statements that an idle process repeats read no table from beginning to end.

They would otherwise slow down every move as rooms and finished matches accumulate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.engine import long_jobs
from games.history import counting
from games.rooms import ladder, mixing, nudging, seeking
from games.rooms.cleanup import due
from games.runtime.clock import Clock
from games.sockets import hub

pytestmark = pytest.mark.django_db

REPEATED: dict[str, Callable[[], Any]] = {
    "clock": lambda: Clock()._first_waiting(),
    "cleanup": lambda: due(timezone.now()),
    "counting": counting.waiting,
    "ladder": ladder.is_due,
    "long jobs": long_jobs.waiting,
    "luck": mixing.waiting,
    "nudges": nudging.deserted,
    "quick matches": seeking.is_due,
    "rooms": lambda: hub._behind({1: (1, None)}),
}
FIRST_ROW = "LIMIT 1"
"""Statements that end like this stop at the first row, if there is one."""


def plans(repeated: Callable[[], Any]) -> dict[str, list[str]]:
    """Return SQLite's plan of each statement."""
    found: dict[str, list[str]] = {}

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT") and not sql.endswith(FIRST_ROW):
            explained = connection.connection.execute(
                f"EXPLAIN QUERY PLAN {sql.replace('%s', '?')}", params
            )
            found[sql] = [step for *_, step in explained.fetchall()]
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        repeated()
    return found


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other planners know that rows are few")
@pytest.mark.parametrize("name", REPEATED)
def test_repeated_statement_uses_an_index(name: str) -> None:
    for sql, plan in plans(REPEATED[name]).items():
        scans = [step for step in plan if step.startswith("SCAN") and "json_each" not in step]
        assert not scans, sql
