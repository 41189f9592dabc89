"""All rows as lines of JSON, used to move a backup from one kind of database to the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connections, models, transaction

AT_ONCE = 500
Row = tuple[type[models.Model], dict[str, Any]]


def tables() -> list[type[models.Model]]:
    """Return the models of all tables, including many-to-many tables."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def write(target: Path, using: str = "default") -> None:
    """Write all rows of a database to a file. The caller's transaction determines the snapshot."""
    with target.open("w", encoding="utf-8") as to:
        for model, row in of_database(using):
            line = {"table": model._meta.label, "row": row}
            to.write(json.dumps(line, cls=_Exact, ensure_ascii=False) + "\n")


def read(source: Path) -> Iterator[Row]:
    """Yield the rows of a file."""
    known = {model._meta.label: model for model in tables()}
    with source.open(encoding="utf-8") as lines:
        for line in lines:
            found = json.loads(line)
            yield known[found["table"]], found["row"]


def of_database(using: str) -> Iterator[Row]:
    """Yield the rows of a database."""
    for model in tables():
        names = [field.attname for field in model._meta.concrete_fields]
        found = model._base_manager.using(using).order_by("pk").values_list(*names)
        for values in found.iterator(chunk_size=AT_ONCE):
            yield model, dict(zip(names, values, strict=True))


def replace_all(rows: Iterable[Row], using: str = "default") -> None:
    """Replace all rows of a migrated database with these, in one transaction."""
    connection = connections[using]
    with transaction.atomic(using=using):
        for model in tables():
            query = f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}"
            with connection.cursor() as cursor:
                cursor.execute(query)
        for model, row in rows:
            made = model(**{f.attname: f.to_python(row[f.attname]) for f in _fields(model, row)})
            made.save_base(raw=True, force_insert=True, using=using)
        with connection.cursor() as cursor:
            for query in connection.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(query)


def _fields(model: type[models.Model], row: dict[str, Any]) -> Iterator[Any]:
    return (field for field in model._meta.concrete_fields if field.attname in row)


class _Exact(DjangoJSONEncoder):
    """Encoder that keeps microseconds. Django's encoder truncates to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if hasattr(o, "isoformat") else super().default(o)
