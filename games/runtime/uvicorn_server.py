"""Options for running uvicorn."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from games.runtime import stopping
from games.runtime.protocols import PatientH11
from games.runtime.websocket import WebSocket
from games.sockets.connections import LARGEST_FRAME
from games.sockets.hub import SHOWN_AWAY_AFTER

APPLICATION = "config.asgi:application"
STARTS_WITHIN = 60
"""Maximum seconds until a new worker is ready. If it takes longer, the old worker is kept."""


def ping_seconds() -> float:
    """Return the seconds that uvicorn waits before a ping, and then for the pong.

    Both waits and SHOWN_AWAY_AFTER fit into two heartbeats, so a silent client is shown as away
    after two heartbeats. If heartbeats are very short, a slow phone still has SHOWN_AWAY_AFTER to
    respond.
    """
    half = settings.HEARTBEAT_SECONDS - SHOWN_AWAY_AFTER / 2
    return max(SHOWN_AWAY_AFTER, float(half))


def options() -> dict[str, Any]:
    """Return the arguments of `uvicorn.run` except the address and the number of workers."""
    return {
        "lifespan": "on",
        "http": PatientH11,
        "ws": WebSocket,
        "ws_max_size": LARGEST_FRAME,
        "ws_per_message_deflate": False,
        "ws_ping_interval": ping_seconds(),
        "ws_ping_timeout": ping_seconds(),
        "proxy_headers": False,  # Parlour reads these headers itself (TRUSTED_PROXIES)
        "server_header": False,  # saves bytes in every response
        "log_level": settings.LOG_LEVEL.lower(),
        "access_log": False,
        "timeout_keep_alive": max(1, min(5, int(settings.REQUEST_SECONDS))),
        "timeout_graceful_shutdown": max(1, int(stopping.share(0.3))),
        "timeout_worker_healthcheck": STARTS_WITHIN,
    }
