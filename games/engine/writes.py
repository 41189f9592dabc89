"""Whether a job of the writer has written anything that would have to be rolled back."""

from __future__ import annotations

import threading
from typing import Any

from games.engine.transactions import here


class _Count(threading.local):
    count = 0


_here = _Count()


def note() -> None:
    """Count a write that bypasses Django's cursors."""
    _here.count += 1


def counted() -> int:
    """Return the number of writes of this thread."""
    return _here.count


def watch() -> None:
    """Start counting writes of this thread through Django's cursors."""
    wrappers = here().execute_wrappers
    if _noted not in wrappers:
        wrappers.append(_noted)


def _noted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    if not sql.startswith("SELECT"):
        note()
    return execute(sql, params, many, context)
