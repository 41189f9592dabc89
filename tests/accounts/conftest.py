"""Reset rate limits between tests."""

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
    mails()  # flush mail, so that none is sent during the next test
    cache.clear()


@pytest.fixture
def mail(settings: Any) -> None:
    """A server that can send email."""
    settings.MAIL = True
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
