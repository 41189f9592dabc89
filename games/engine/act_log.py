"""The two statements of an act: the match as it is now, and the act in its log.

They are written out, because they are written at every move: no object of the ORM is made for them
and no query is put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import models

from games.engine import frozen_times, transactions, writes
from games.models import Act, Match
from games.rules.data import encode

CHANGED = ("version", "state", *frozen_times.FIELDS, "outcome", "ended_at")
LOGGED = ("match", "number", "kind", "seat", "prompt", "move", "told", "draws", "by", "at")


def store(row: Match, kind: str, by: str, at: datetime, **facts: Any) -> bool:
    """Store the match one version on, and the act that led there; False where the match is not at
    the version before any more. `facts` are data of the rules, or plain values."""
    found, changed = transactions.here(), row.__dict__
    has_it = _as_sqlite_has_it if found.vendor == "sqlite" else _as_postgresql_has_it
    number = changed["version"]
    update = [has_it(changed[name]) for name in CHANGED]
    update += (changed["id"], number - 1, changed["revision"])
    writes.note()
    if not write(found, _UPDATE, update):
        return False
    facts |= {"match": changed["id"], "number": number, "kind": kind, "by": by, "at": at}
    write(found, _INSERT, [has_it(facts[name]) for name in LOGGED])
    return True


def write(found: Any, statement: Statement, values: list[Any]) -> int:
    """Execute one of the two; return how many rows it has changed."""
    return transactions.execute(found, statement[found.vendor == "sqlite"], values)


PLAIN = {int, str, type(None), bool}
EMPTY: dict[type, str] = {dict: "{}", list: "[]", tuple: "[]"}
"""What most moves have of plans, talks and draws."""


def _as_sqlite_has_it(value: Any) -> Any:
    """A value as Django stores it there: times in UTC, without saying so; data as JSON."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is datetime:
        return str(value.astimezone(UTC).replace(tzinfo=None))
    return _as_json(value)


def _as_postgresql_has_it(value: Any) -> Any:
    return value if type(value) in PLAIN or isinstance(value, datetime) else _as_json(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, str | int):  # one of the kinds of an act, a seat
        return value
    return encode(value).decode() if value else EMPTY.get(type(value)) or encode(value).decode()


class Statement(NamedTuple):
    """A statement in both ways of writing parameters."""

    named: str
    numbered: str


def _columns(model: type[models.Model], names: Sequence[str]) -> list[str]:
    return [f'"{model._meta.get_field(name).column}"' for name in names]  # type: ignore[union-attr]


def _statement(sql: str) -> Statement:
    return Statement(sql, sql.replace("%s", "?"))


def _update() -> Statement:
    values = ", ".join(f"{column} = %s" for column in _columns(Match, CHANGED))
    known = " AND ".join(f"{of} = %s" for of in _columns(Match, ("id", "version", "revision")))
    return _statement(f'UPDATE "{Match._meta.db_table}" SET {values} WHERE {known}')


def _insert() -> Statement:
    columns, values = ", ".join(_columns(Act, LOGGED)), ", ".join("%s" for _ in LOGGED)
    return _statement(f'INSERT INTO "{Act._meta.db_table}" ({columns}) VALUES ({values})')


_UPDATE, _INSERT = _update(), _insert()
