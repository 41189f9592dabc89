"""Precompiled SQL for writes after every move and every round.

They bypass the ORM, its query builder and Django's cursors (`games.engine.transactions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import models

from games.contract.data import encode
from games.engine import transactions, writes

PLAIN = {int, str, type(None), bool}
EMPTY: dict[type, str] = {dict: "{}", list: "[]", tuple: "[]"}
"""Encodings of empty values: plans, talks and draws are empty in most moves."""


class Statement(NamedTuple):
    """A statement in both parameter styles: `%s` and `?`."""

    named: str
    numbered: str


def insert(model: type[models.Model], names: Sequence[str]) -> Statement:
    """Return a statement that inserts a row with these fields, in this order.

    `names` must include every field without a default.
    """
    columns = ", ".join(_column(model, name) for name in names)
    values = ", ".join("%s" for _ in names)
    return _statement(f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({values})')


def update(
    model: type[models.Model], changes: Mapping[str, str], where: Sequence[str]
) -> Statement:
    """Return a statement that sets fields to expressions in rows that match the fields in `where`.

    `%s` is a parameter. Parameters of the changes come first.
    """
    changed = ", ".join(f"{_column(model, name)} = {value}" for name, value in changes.items())
    known = " AND ".join(f"{_column(model, name)} = %s" for name in where)
    return _statement(f'UPDATE "{model._meta.db_table}" SET {changed} WHERE {known}')


class Step(NamedTuple):
    """An update, and an insert that happens only if the update has changed a row."""

    update: Statement
    insert: Statement
    together: str
    """Both in one statement, for PostgreSQL."""


def step(update: Statement, insert: Statement) -> Step:
    """Combine both into a step."""
    into, values = insert.named.split(" VALUES ")
    selected = f"{into} SELECT {values[1:-1]} FROM changed"
    return Step(update, insert, f"WITH changed AS ({update.named} RETURNING 1) {selected}")


def execute(found: Any, statement: Statement, values: Sequence[Any]) -> int:
    """Execute the statement on this connection; return the number of changed rows."""
    writes.note()
    return transactions.execute(found, statement[found.vendor == "sqlite"], values)


def execute_step(found: Any, both: Step, update: Sequence[Any], row: Sequence[Any]) -> bool:
    """Execute both with their values. Return False if the update has changed nothing."""
    if found.vendor == "sqlite":
        return bool(execute(found, both.update, update) and execute(found, both.insert, row))
    writes.note()
    return bool(transactions.execute(found, both.together, (*update, *row)))


def execute_many(found: Any, statement: Statement, rows: Iterable[Sequence[Any]]) -> None:
    """Execute the statement for the values of each row."""
    writes.note()
    transactions.execute_many(found, statement[found.vendor == "sqlite"], list(rows))


def as_stored(found: Any) -> Callable[[Any], Any]:
    """Return the function that converts values for this database, as Django does."""
    return _as_sqlite_has_it if found.vendor == "sqlite" else _as_postgresql_has_it


def _as_sqlite_has_it(value: Any) -> Any:
    """Convert times to UTC without an offset, and data to JSON."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if kind is datetime:
        return str(value.astimezone(UTC).replace(tzinfo=None))
    return _as_json(value)


def _as_postgresql_has_it(value: Any) -> Any:
    """Convert everything to text, so that one prepared plan serves all types of values."""
    kind = type(value)
    if value is None or kind is str:
        return value
    return str(value) if kind in PLAIN or kind is datetime else _as_json(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, str | int):  # an enum: the kind of an act, a seat
        return value
    return encode(value).decode() if value else EMPTY.get(type(value)) or encode(value).decode()


def _column(model: type[models.Model], name: str) -> str:
    return next(f'"{of.column}"' for of in model._meta.concrete_fields if of.name == name)


def _statement(sql: str) -> Statement:
    return Statement(sql, sql.replace("%s", "?"))
