"""What tests that kill servers leave behind is cleared away by them."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _cleared() -> Iterator[None]:
    """Sockets to servers that were killed are collected here, not in the middle of another test."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
