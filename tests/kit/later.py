"""Advance time for everything that reads the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

import pytest
from django.utils import timezone

from games.engine.time_source import source


@contextmanager
def moving_on() -> Iterator[Callable[[timedelta], None]]:
    """Yield a function that sets the time that has passed since the block began."""
    with pytest.MonkeyPatch.context() as patch:

        def pass_(by: timedelta) -> None:
            patch.setattr(source, "wall", lambda: timezone.now() + by)
            patch.setattr(source, "monotonic", lambda: monotonic() + by.total_seconds())

        yield pass_
