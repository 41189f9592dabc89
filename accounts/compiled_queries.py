"""Queries whose SQL is compiled once. Django compiles it on every call, which takes five times as
long as running it.

    tables = CompiledQuery(lambda host: Room.objects.filter(host=host, status="open"))
    tables(ann.pk)  # a list of rooms

Use it for queries of every request or connection. Elsewhere an ordinary Django query is simpler.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar, cast

from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
Value = int | str | datetime | Collection[int]
Shape = tuple[type | int, ...]
"""The type of each value; of a collection, its length. The SQL depends on nothing else."""

MOST = 32
"""Maximum length of a collection: a plan is kept for each length. Django compiles longer ones."""
_UNLIKELY_NUMBER = 1_987_000_000
_UNLIKELY_MOMENT = datetime(1903, 2, 1, tzinfo=UTC)


class CompiledQuery(Generic[Row]):
    """A compiled query. Calling it with values returns a list.

    `make` gets a stand-in for each value, to compare with a field. It is called once, so it must
    not inspect them, and anything else it reads (the time, a setting) is fixed at that moment.
    Values are numbers, strings, datetimes and collections of numbers, never None. Raise TypeError
    for other values, for a query that converts a value before comparing it, and for one with
    `prefetch_related`.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Row]]) -> None:
        self._make = make

    def __call__(self, *values: Value) -> list[Row]:
        shape = tuple(map(_shape, values))
        if 0 in shape:
            return []  # nothing is in an empty collection
        if any(isinstance(length, int) and length > MOST for length in shape):
            return list(self._make(*values))
        connection = connections["default"]
        plans: dict[tuple[CompiledQuery[Row], Shape], _Plan[Row]]
        plans = vars(connection).setdefault("compiled_queries", {})
        if (plan := plans.get((self, shape))) is None:
            plan = plans[self, shape] = _Plan(self._make, shape, connection)
        return plan.rows(values)

    def first(self, *values: Value) -> Row | None:
        """Return the first row, if any."""
        return next(iter(self(*values)), None)


class _Plan(Generic[Row]):
    """The SQL of a query for one connection (and so one thread) and one shape of values."""

    def __init__(
        self, make: Callable[..., QuerySet[Any, Row]], shape: Shape, connection: Any
    ) -> None:
        self._adapt: Callable[[datetime], Any] = connection.ops.adapt_datetimefield_value
        given = [_stand_in(kind, at) for at, kind in enumerate(shape)]
        self._found = found = cast(Any, make(*given))
        self._compiler: Any = found.query.get_compiler(connection=connection)
        self._sql, self._values = self._compiler.as_sql()
        known = self._flat(given)
        self._places = [known.index(value) if value in known else None for value in self._values]
        if missing := set(range(len(known))) - set(self._places):
            raise TypeError(f"not compared as it was given: {[known[at] for at in missing]}")
        if found._prefetch_related_lookups:
            raise TypeError("related objects are not fetched by another query here")
        converters = self._compiler.get_converters(
            [expression for expression, *_ in self._compiler.select]
        )
        # Django asks the query's compiler for SQL and converters: return the stored ones.
        vars(self._compiler)["as_sql"] = lambda *_, **__: (self._sql, self._values)
        vars(self._compiler)["get_converters"] = lambda _: converters
        vars(found.query)["get_compiler"] = lambda *_, **__: self._compiler

    def rows(self, values: Sequence[Value]) -> list[Row]:
        """Return the rows for these values."""
        given = self._flat(values)
        self._values = tuple(
            known if place is None else given[place]
            for known, place in zip(self._values, self._places, strict=True)
        )
        return list(self._found._iterable_class(self._found))

    def _flat(self, values: Sequence[Value]) -> list[Any]:
        found: list[Any] = []
        for value in values:
            if isinstance(value, datetime):
                found.append(self._adapt(value))
            elif isinstance(value, int | str):
                found.append(value)
            else:
                found.extend(value)
        return found


def _shape(value: Value) -> type | int:
    kind = type(value)
    if kind in (int, str, datetime):
        return kind
    if isinstance(value, Collection) and not isinstance(value, str):
        return len(value)
    raise TypeError(f"A compiled query cannot be asked for {value!r}.")


def _stand_in(kind: type | int, at: int) -> Any:
    """Return a value that occurs nowhere else in the query."""
    number = _UNLIKELY_NUMBER + 1000 * at
    if kind is int:
        return number
    if kind is str:
        return str(number)
    if kind is datetime:
        return _UNLIKELY_MOMENT + timedelta(days=at)
    assert isinstance(kind, int)
    return list(range(number, number + kind))
