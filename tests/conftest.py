"""What tests share: a database file that several threads can use, and people to play with."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright runs a loop of its own


@pytest.fixture(autouse=True)
def _quick_passwords(settings: pytest.FixtureRequest) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]


@pytest.fixture
def clock(transactional_db: None) -> Iterator[None]:
    """The clock of the house, running for the length of a test."""
    from games.clock import Clock

    running = Clock()
    running.start()
    yield
    running.stop()
