"""Case-insensitive search in every alphabet. SQLite itself folds only ASCII."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db.models import CharField, TextField, Transform


def fold(text: str | None) -> str | None:
    """Return the form of a text used in searches."""
    if text is None or text.isascii():
        return text and text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


@CharField.register_lookup
@TextField.register_lookup
class Fold(Transform):
    """Transform for searches: `name__fold__contains="özge"` finds Özge."""

    lookup_name = "fold"
    function = "PARLOUR_FOLD"
    bilateral = True

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = 'LOWER(NORMALIZE(%(expressions)s, NFKC) COLLATE "und-x-icu")'
        return self.as_sql(compiler, connection, template=template, **context)


def add_to_sqlite(sender: Any, connection: Any, **more: Any) -> None:
    """Register the SQL function of `Fold` on a new SQLite connection."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("PARLOUR_FOLD", 1, fold, deterministic=True)
