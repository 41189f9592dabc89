"""Whether a job of the writer has written anything: only then is there anything to undo."""

from __future__ import annotations

import threading
from typing import Any

from games.engine.transactions import here


class _Count(threading.local):
    count = 0


_here = _Count()


def note() -> None:
    """Something is written past Django's cursors."""
    _here.count += 1


def counted() -> int:
    """How often this thread has written."""
    return _here.count


def watch() -> None:
    """Count what this thread writes by Django's cursors, from now on."""
    wrappers = here().execute_wrappers
    if _noted not in wrappers:
        wrappers.append(_noted)


def _noted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    if not sql.startswith("SELECT"):
        note()
    return execute(sql, params, many, context)
