"""The two statements of an act: the match as it is now, and the act in its log.

They are written out, because they are written at every move: no object of the ORM is made for them
and no query is put together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, models

from games.engine import frozen_times, writes
from games.models import Act, Match
from games.rules.data import encode

CHANGED = ("version", "state", *frozen_times.FIELDS, "outcome", "ended_at")
LOGGED = ("match", "number", "kind", "seat", "prompt", "move", "told", "draws", "by", "at")


def store(row: Match, kind: str, by: str, at: datetime, **facts: Any) -> bool:
    """Store the match one version on, and the act that led there; False where the match is not at
    the version before any more. `facts` are data of the rules, or plain values."""
    facts = {**facts, "match": row.id, "number": row.version, "kind": kind, "by": by, "at": at}
    here = connections[DEFAULT_DB_ALIAS]
    changed, stored = row.__dict__, _adapter(here)
    known = (row.id, row.version - 1, row.revision)
    update = [*(stored(changed[name]) for name in CHANGED), *known]
    writes.note()
    if not execute(here, _UPDATE, update):
        return False
    execute(here, _INSERT, [stored(facts[name]) for name in LOGGED])
    return True


def execute(here: Any, statement: Statement, values: list[Any]) -> int:
    """Execute a statement on Django's connection, without what it puts around each: a cursor, its
    wrapper, another way of writing parameters. Return how many rows it has changed."""
    with here.wrap_database_errors:
        done = here.connection.execute(statement.of(here.vendor), values)
        changed: int = done.rowcount
        done.close()
    return changed


def _adapter(here: Any) -> Callable[[Any], Any]:
    """What makes a value one that the database takes: neither text nor number nor time is JSON."""
    moment = _as_sqlite_has_it if here.vendor == "sqlite" else here.ops.adapt_datetimefield_value

    def stored(value: Any) -> Any:
        if value is None or isinstance(value, str | int):
            return value
        return moment(value) if isinstance(value, datetime) else encode(value).decode()

    return stored


def _as_sqlite_has_it(moment: datetime) -> str:
    """As Django stores times there: in UTC, without saying so."""
    return str(moment.astimezone(UTC).replace(tzinfo=None))


class Statement(NamedTuple):
    """A statement in both ways of writing parameters."""

    numbered: str
    named: str

    def of(self, vendor: str) -> str:
        """As this database has it."""
        return self.numbered if vendor == "sqlite" else self.named


def _columns(model: type[models.Model], names: Sequence[str]) -> list[str]:
    return [f'"{model._meta.get_field(name).column}"' for name in names]  # type: ignore[union-attr]


def _update() -> str:
    values = ", ".join(f"{column} = %s" for column in _columns(Match, CHANGED))
    known = " AND ".join(f"{of} = %s" for of in _columns(Match, ("id", "version", "revision")))
    return f'UPDATE "{Match._meta.db_table}" SET {values} WHERE {known}'


def _insert() -> str:
    columns, values = ", ".join(_columns(Act, LOGGED)), ", ".join("%s" for _ in LOGGED)
    return f'INSERT INTO "{Act._meta.db_table}" ({columns}) VALUES ({values})'


_UPDATE, _INSERT = (Statement(one.replace("%s", "?"), one) for one in (_update(), _insert()))
