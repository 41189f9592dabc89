"""Lift the rate limit for chat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.test import override_settings


@contextmanager
def without_limit() -> Iterator[None]:
    """Let all users send any number of chat messages."""
    with override_settings(LIMITS={**settings.LIMITS, "messages": None}):
        yield
