"""How soon a player whose connection is silent is shown as away."""

from __future__ import annotations

from typing import Any

import pytest

from games.runtime.uvicorn_server import options
from games.sockets.hub import SHOWN_AWAY_AFTER


@pytest.mark.parametrize("heartbeat", [12.0, 20.0, 60.0])
def test_silent_player_is_shown_as_away_within_two_heartbeats(
    settings: Any, heartbeat: float
) -> None:
    settings.HEARTBEAT_SECONDS = heartbeat
    served = options()
    waits = served["ws_ping_interval"] + served["ws_ping_timeout"] + SHOWN_AWAY_AFTER
    assert waits == 2 * heartbeat


def test_short_heartbeats_leave_a_slow_phone_time_to_answer(settings: Any) -> None:
    settings.HEARTBEAT_SECONDS = 0.25
    served = options()
    assert (served["ws_ping_interval"], served["ws_ping_timeout"]) == (8.0, 8.0)
