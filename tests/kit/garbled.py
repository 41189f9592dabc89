"""Values of a hostile server: JSON of which one part is replaced by anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

ANY_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def garbled(value: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for copies of this JSON in which one part is replaced by anything."""
    return st.builds(_replaced, st.just(value), st.sampled_from(list(_paths(value))), ANYTHING)


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each value in nested lists and objects."""
    yield before
    if isinstance(value, (dict, list)):
        for at, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*before, at))


def _replaced(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(value[path[0]], path[1:], other)
    return copy
