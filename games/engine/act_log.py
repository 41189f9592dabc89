"""Storing an act: the new state of the match, and an entry in its log.

Every move runs the same two statements, so their SQL is built once, at import. Building it with the
ORM took a quarter of the time of a move (docs/decisions/0134).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models

from games.contract.core import Told
from games.contract.data import pack
from games.contract.luck import Draw
from games.engine import frozen_times
from games.engine.committing import Conflict
from games.engine.memory import memory
from games.models import Act, Match

CHANGED = ("version", "state", "drawn", *frozen_times.FIELDS, "outcome", "ended_at", "clock")
KNOWN = ("id", "version", "revision")
LOGGED = ("match", "number", "kind", "seat", "prompt", "move", "told", "draws", "by", "at")


def _fields(model: type[models.Model], names: Iterable[str]) -> list[models.Field[Any, Any]]:
    known = {field.name: field for field in model._meta.concrete_fields}
    return [known[name] for name in names]


def _equals(fields: Iterable[models.Field[Any, Any]]) -> list[str]:
    return [f'"{field.column}" = %s' for field in fields]


_SET, _WHERE, _INTO = _fields(Match, CHANGED), _fields(Match, KNOWN), _fields(Act, LOGGED)
_UPDATE = (
    f"UPDATE {Match._meta.db_table} SET {', '.join(_equals(_SET))}"
    f" WHERE {' AND '.join(_equals(_WHERE))}"
)
_INSERT = (
    f"INSERT INTO {Act._meta.db_table} ("
    + ", ".join(f'"{field.column}"' for field in _INTO)
    + f") VALUES ({', '.join('%s' for _ in _INTO)})"
)


@dataclass(frozen=True)
class Step:
    """A log entry of an act, without its number, time and events."""

    kind: Act.Kind
    by: Act.By = Act.By.HAND
    seat: int | None = None
    prompt: int | None = None
    move: Any = None
    draws: Sequence[Draw] = ()


def store(row: Match, step: Step, told: Sequence[Told], at: datetime) -> None:
    """Store the match at its new version and log the act.

    Raise Conflict if another process has already changed the match.
    """
    changed = [getattr(row, name) for name in CHANGED]
    known = (row.pk, row.version - 1, row.revision)
    rules = pack({"move": step.move, "told": told, "draws": tuple(step.draws)})
    logged = {
        **rules,
        "match": row.pk,
        "number": row.version,
        "kind": step.kind,
        "seat": step.seat,
        "prompt": step.prompt,
        "by": step.by,
        "at": at,
    }
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE, _stored(_SET + _WHERE, (*changed, *known), connection))
        if not cursor.rowcount:
            memory.evict(row.room_id)
            raise Conflict
        cursor.execute(_INSERT, _stored(_INTO, (logged[name] for name in LOGGED), connection))


def _stored(
    fields: Iterable[models.Field[Any, Any]], values: Iterable[Any], connection: Any
) -> list[Any]:
    """Convert the values of these fields to column values, as the ORM does. None stays None."""
    pairs = zip(fields, values, strict=True)
    return [
        value if value is None else field.get_db_prep_save(value, connection)
        for field, value in pairs
    ]
