"""Our uvicorn server: announces restarts, stops the clock first, takes passed connections."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Any

import uvicorn
from django.conf import settings

from games.runtime import stopping
from games.runtime.background import background
from games.runtime.protocols import DirectWebSocket, PatientH11
from games.runtime.worker import READY
from games.sockets import inbox
from games.sockets.hub import SHOWN_AWAY_AFTER, hub

WAITING = 64
"""Maximum connections taken at once, to leave time for the rest of the loop."""


class Server(uvicorn.Server):
    """Listens on a port, or takes connections through `handed` (`games.runtime.workers`).

    When it stops, uvicorn first closes every WebSocket (with 1012).
    """

    def __init__(self, config: uvicorn.Config, handed: socket.socket | None = None) -> None:
        super().__init__(config)
        self.handed = handed
        self._accepting: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.handed is None:
            await super().startup(sockets)
            return
        await super().startup([])
        self.handed.setblocking(False)
        asyncio.get_running_loop().add_reader(self.handed, self._take)
        with suppress(OSError):  # the parent is gone: `_take` notices it
            self.handed.send(READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.handed is not None:
            asyncio.get_running_loop().remove_reader(self.handed)
            self.handed.close()
        await hub().api_clients.tell_all("warning", "restart", stopping.share(0.1))
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets)
        stopping.leave()  # otherwise the loop waits for its threads without a limit

    def handle_exit(self, *args: Any) -> None:
        """Stop at a signal, if no thread of ours handles signals (`stopping.on_signal`)."""
        stopping.limit()
        super().handle_exit(*args)

    def stop(self) -> None:
        """Stop the clock, and then the server."""
        stopping.within(stopping.share(0.3), "the clock", background.stop)
        self.should_exit = True

    def _take(self) -> None:
        """Take waiting connections. Stop this process if the parent is gone."""
        assert self.handed is not None
        for _ in range(WAITING):
            try:
                data, found, _flags, _address = socket.recv_fds(self.handed, 1, 1)
            except BlockingIOError:
                return
            except OSError:
                data, found = b"", []
            if not data:
                asyncio.get_running_loop().remove_reader(self.handed)
                stopping.request()
                return
            for fd in found:
                self._accept(socket.socket(fileno=fd))

    def _accept(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        task = asyncio.get_running_loop().create_task(self._serve_connection(connection))
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)

    async def _serve_connection(self, connection: socket.socket) -> None:
        def protocol() -> asyncio.Protocol:
            return PatientH11(self.config, self.server_state, self.lifespan.state)

        with suppress(OSError):  # closed already
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(protocol, connection)


def ping_seconds() -> float:
    """Return the seconds that uvicorn waits before a ping, and then for its answer.

    Both waits and SHOWN_AWAY_AFTER fit into two heartbeats, so a silent client is shown as away by
    then. With very short heartbeats a slow phone still has SHOWN_AWAY_AFTER to answer.
    """
    half = settings.HEARTBEAT_SECONDS - SHOWN_AWAY_AFTER / 2
    return max(SHOWN_AWAY_AFTER, float(half))


def config(host: str, port: int) -> uvicorn.Config:
    """Return the uvicorn configuration."""
    return uvicorn.Config(
        "config.asgi:application",
        host=host,
        port=port,
        lifespan="on",
        http=PatientH11,
        ws=DirectWebSocket,
        ws_max_size=inbox.LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=ping_seconds(),
        ws_ping_timeout=ping_seconds(),
        proxy_headers=False,  # we read addresses and https ourselves (TRUSTED_PROXIES)
        log_level=settings.LOG_LEVEL.lower(),
        access_log=False,
        timeout_keep_alive=max(1, min(5, int(settings.REQUEST_SECONDS))),
        timeout_graceful_shutdown=max(1, int(stopping.share(0.3))),
    )
