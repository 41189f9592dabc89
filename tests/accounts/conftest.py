"""Nobody's attempts count for the next test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from tests.kit.people import mails


@pytest.fixture(autouse=True)
def _fresh_counts() -> Iterator[None]:
    cache.clear()
    yield
    mails()  # nothing is sent any more when the next test begins
    cache.clear()


@pytest.fixture
def mail(settings: Any) -> None:
    """A server that sends mail."""
    settings.MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
