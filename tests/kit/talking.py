"""People who say more than the limit lets them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.test import override_settings


@contextmanager
def without_limit() -> Iterator[None]:
    """Everybody may say as much as they like."""
    with override_settings(LIMITS={**settings.LIMITS, "messages": None}):
        yield
