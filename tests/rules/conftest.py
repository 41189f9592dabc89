"""A law that is broken says in which match: game, seats, options, seed and the last acts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rules.play import Walk


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    Walk.newest = None
    try:
        return (yield)
    except Exception as broken:
        if Walk.newest is not None:
            broken.add_note(f"in {Walk.newest}")
        raise
