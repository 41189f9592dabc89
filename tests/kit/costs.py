"""What is counted of a table that is played: statements, frames and bytes, whatever the machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper


class Statements(list[str]):
    """Everything the database was asked, by any thread."""

    def of(self, start: str) -> list[str]:
        """Those that begin like this."""
        return [sql for sql in self if sql.startswith(start)]


@contextmanager
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[Statements]:
    """Note every statement in here."""
    found, execute = Statements(), CursorWrapper.execute

    def noting(self: Any, sql: str, params: Any = None) -> Any:
        found.append(sql.replace('"', ""))
        return execute(self, sql, params)

    with monkeypatch.context() as patched:
        patched.setattr(CursorWrapper, "execute", noting)
        yield found
