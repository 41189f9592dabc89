"""Hand-written SQL: values are converted correctly, and all values share one plan."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from games.engine import statements
from games.models import Act, Match

AT = datetime(2026, 11, 23, 20, 15, tzinfo=UTC)
VALUES = [
    (7, "7"),
    (70_000, "70000"),
    (True, "True"),
    ("bot", "bot"),
    ("", ""),
    (None, None),
    (AT, "2026-11-23 20:15:00+00:00"),
    ({}, "{}"),
    ((), "[]"),
    ({"seat": 1}, '{"seat":1}'),
]


@pytest.mark.parametrize(("value", "stored"), VALUES)
def test_postgresql_is_sent_text_or_nothing(value: object, stored: str | None) -> None:
    has_it = statements.as_stored(SimpleNamespace(vendor="postgresql"))
    assert has_it(value) == stored


def test_a_row_is_put_in_only_where_something_was_changed() -> None:
    update = statements.update(Match, {"version": "%s"}, ("id",))
    both = statements.step(update, statements.insert(Act, ("match", "number")))
    assert both.together == (
        'WITH changed AS (UPDATE "games_match" SET "version" = %s WHERE "id" = %s RETURNING 1)'
        ' INSERT INTO "games_act" ("match_id", "number") SELECT %s, %s FROM changed'
    )
