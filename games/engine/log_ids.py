"""The ids that lines of the log bear (`config.log_context`): of a request, a room, a match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

ids: ContextVar[Mapping[str, int | str]] = ContextVar("log_ids", default=MappingProxyType({}))


@contextmanager
def about(**more: int | str) -> Iterator[None]:
    """What is logged meanwhile is about these, too."""
    before = ids.set({**ids.get(), **more})
    try:
        yield
    finally:
        ids.reset(before)
