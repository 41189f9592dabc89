"""Our uvicorn: it says that it goes, stops the clock first, and can be handed its connections."""

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
"""So many connections at most are taken in one go; the loop has other things to do."""


class Server(uvicorn.Server):
    """Listens on a port; or, where there is `handed`, takes the connections that come through it
    (`games.runtime.workers`). uvicorn closes every socket (with 1012) first of all when it stops.
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
        with suppress(OSError):  # the one that hands over is gone: `_take` notices it
            self.handed.send(READY)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.handed is not None:
            asyncio.get_running_loop().remove_reader(self.handed)
            self.handed.close()
        await hub().api_clients.tell_all("warning", "restart", stopping.share(0.1))
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets)
        stopping.leave()  # the loop would wait for its threads, however long

    def handle_exit(self, *args: Any) -> None:
        """Where no thread of ours takes the signals (`stopping.on_signal`)."""
        stopping.limit()
        super().handle_exit(*args)

    def stop(self) -> None:
        """The clock first; the port is closed when nothing is played any more."""
        stopping.within(stopping.share(0.3), "the clock", background.stop)
        self.should_exit = True

    def _take(self) -> None:
        """Take the connections that wait; without the one that hands them over, stop."""
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

        with suppress(OSError):  # gone already
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(protocol, connection)


def ping_seconds() -> float:
    """Return how long uvicorn waits before a ping, and then for its answer.

    Both waits and the grace of a closed socket fit into two heartbeats, so whoever falls silent
    is shown away by then. With very short heartbeats a slow phone keeps the grace to answer in.
    """
    half = settings.HEARTBEAT_SECONDS - SHOWN_AWAY_AFTER / 2
    return max(SHOWN_AWAY_AFTER, float(half))


def config(host: str, port: int) -> uvicorn.Config:
    """How uvicorn serves Parlour."""
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
        proxy_headers=False,  # addresses and https are ours to read (TRUSTED_PROXIES)
        log_level=settings.LOG_LEVEL.lower(),
        access_log=False,
        timeout_keep_alive=max(1, min(5, int(settings.REQUEST_SECONDS))),
        timeout_graceful_shutdown=max(1, int(stopping.share(0.3))),
    )
