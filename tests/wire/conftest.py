"""All tests here talk to the real application with a real database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.sockets.hub import close_hub


@pytest.fixture(autouse=True)
async def _close_hub(transactional_db: None, settings: Any) -> AsyncIterator[None]:
    settings.WS_BURST = 0
    yield
    await close_hub()
