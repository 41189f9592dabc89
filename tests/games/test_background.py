"""Background tasks of a process."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from games.runtime import background


def test_what_is_there_from_the_start_is_collected_no_more(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    class Stopped:
        def start(self) -> None:
            """Start nothing."""

    monkeypatch.setattr(background, "Clock", Stopped)
    settings.MIA_UDP_PORT = None
    try:
        background.Background().start()
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
