"""The ASGI lifespan: starts the background work of a process, and ends it at shutdown.

A server closes its sockets (with code 1012) before it reports a shutdown. Programs must be warned
earlier, so Parlour takes over the signals at startup. It passes a signal on after the clock has
stopped and programs have been warned.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import socket
from contextlib import suppress
from typing import Any

from games.engine import figures
from games.runtime import stopping
from games.runtime.background import background
from games.sockets.hub import close_hub, hub


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Start and stop the clock and Mia over UDP together with the server."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            figures.forget_dead_workers()
            background.start()
            _stop_at_signals()
            await send({"type": "lifespan.startup.complete"})
            _tell_systemd("READY=1")
        elif message["type"] == "lifespan.shutdown":
            stopping.within(stopping.share(0.3), "the clock", background.stop)
            with suppress(TimeoutError):
                async with asyncio.timeout(stopping.share(0.1)):
                    await close_hub()
            await send({"type": "lifespan.shutdown.complete"})
            return


def _stop_at_signals() -> None:
    """On a signal, run Parlour's part of the shutdown and then the server's own signal handler."""
    servers = signal.getsignal(signal.SIGTERM)
    if not callable(servers):  # the server does not handle signals
        return
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopping.within(stopping.share(0.3), "the clock", background.stop)
        told = asyncio.run_coroutine_threadsafe(_tell_programs(), loop)
        with suppress(Exception):  # the server must stop in any case
            told.result(stopping.share(0.2))
        loop.call_soon_threadsafe(servers, signal.SIGTERM, None)

    stopping.on_signal(stop)
    if supervisor := multiprocessing.parent_process():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor sends SIGTERM after Ctrl-C
        loop.add_reader(supervisor.sentinel, stopping.leave, 1)  # free the port if the parent dies


async def _tell_programs() -> None:
    await hub().api_clients.tell_all("warning", "restart", stopping.share(0.1))


def _tell_systemd(state: str) -> None:
    """Report the state of the service to systemd if systemd asks for it (sd_notify(3))."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, suppress(OSError):
            systemd.sendto(state.encode(), address.replace("@", "\0", 1))
