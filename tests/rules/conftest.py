"""A law that is broken says in which match: game, seats, options, seed and the last acts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.play import named_in_failures


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    with named_in_failures():
        return (yield)
