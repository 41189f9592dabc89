"""Fixtures for tests of rules, as a plugin of their conftest.

A broken law names its match: game, seats, options, seed and the last acts.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.registry import GAMES
from tests.kit.cases import secrets
from tests.kit.play import named_in_failures


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    with named_in_failures():
        return (yield)


@pytest.fixture(autouse=True)
def _bots_search_little(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the search of bots, because legality does not depend on it.

    Tests of playing strength do not use this limit.
    """
    if request.node.get_closest_marker("long") is None:
        for slug in GAMES:
            for name, little in getattr(secrets(GAMES[slug]), "LITTLE", {}).items():
                monkeypatch.setattr(name, little)
