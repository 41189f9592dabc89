"""Baseline: a bare ASGI application that responds to a request with a frame to each of ten sockets.

It uses the same server and socket library as Parlour. The cost of a move in Parlour is printed as a
multiple of the cost of a request here.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.kit.served import ROOT, free_port
from tools.bench.server import cpu_of

VIEWERS = 10
FRAME = "x" * 256

_senders: set[Callable[[dict[str, str]], Awaitable[None]]] = set()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Respond to every frame from a socket with a short frame to all sockets."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    _senders.add(send)
    while (await receive())["type"] == "websocket.receive":
        for one in _senders:
            await one({"type": "websocket.send", "text": FRAME})
    _senders.discard(send)


async def measure(seconds: float) -> float:
    """Return the processor time in seconds for a thousand requests."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "tools.bench.bare:application", "--port", str(port)]
    command += ["--ws", "websockets-sansio", "--loop", "uvloop", "--log-level", "warning"]
    process = subprocess.Popen(
        [*command, "--lifespan", "off", "--ws-per-message-deflate", "false"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        return await _measure(f"ws://127.0.0.1:{port}/", process.pid, seconds)
    finally:
        process.terminate()
        process.wait(10)


async def _measure(url: str, pid: int, seconds: float) -> float:
    sockets = [await _patiently(url)]
    sockets += [await connect(url, compression=None) for _ in range(VIEWERS - 1)]
    began, until, requests = cpu_of(pid), time.monotonic() + seconds, 0
    while time.monotonic() < until:
        await sockets[requests % VIEWERS].send("?")
        await asyncio.gather(*(socket.recv() for socket in sockets))
        requests += 1
    used = cpu_of(pid) - began
    await asyncio.gather(*(socket.close() for socket in sockets))
    return used * 1000 / max(1, requests)


async def _patiently(url: str) -> ClientConnection:
    """Connect to the server. Retry while it is starting."""
    for _ in range(200):
        try:
            return await connect(url, compression=None)
        except OSError:
            await asyncio.sleep(0.05)
    raise TimeoutError("the bare server does not answer")
