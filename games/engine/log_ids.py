"""Ids of the request, room and match in log lines (`config.log_context`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

ids: ContextVar[Mapping[str, int | str]] = ContextVar("log_ids", default=MappingProxyType({}))


@contextmanager
def about(**more: int | str) -> Iterator[None]:
    """Add these ids to everything logged within the context."""
    before = ids.set({**ids.get(), **more})
    try:
        yield
    finally:
        ids.reset(before)
