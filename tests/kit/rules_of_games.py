"""What tests of rules share, as a plugin of their conftest.

A law that is broken says in which match: game, seats, options, seed and the last acts.
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
    """What bots that search do is as lawful with little; how well is measured with all of it."""
    if request.node.get_closest_marker("long") is None:
        for slug in GAMES:
            for name, little in getattr(secrets(GAMES[slug]), "LITTLE", {}).items():
                monkeypatch.setattr(name, little)
