"""Faults for a running Parlour. Each leaves the world able to continue."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.chaos.world import World
from tests.kit.hosts import PRIVATE, Host
from tests.kit.served import ROOT
from tests.kit.waiting import wait_for_async

ENDS_WITHIN = 12.0
"""Maximum seconds from SIGTERM to exit: the ten promised, and two for a slow machine."""

GROWS_BY = 150
"""Maximum MiB a server may grow by while strangers attack it."""

Fault = Callable[[World, random.Random], Awaitable[float]]
"""Inject a fault. Return a figure for the report, in seconds."""


async def kill(world: World, dice: random.Random) -> float:
    """Kill a server in the middle of a move (SIGKILL) and restart it."""
    server = dice.choice(world.servers)
    await asyncio.to_thread(world.end, server, signal.SIGKILL, ENDS_WITHIN)
    return await _timed(asyncio.to_thread(server.start))


async def worker(world: World, dice: random.Random) -> float:
    """Kill a worker of a server, which then replaces it. Do nothing if there are no workers."""
    server = dice.choice(world.servers)
    if pids := server.workers():
        os.kill(dice.choice(pids), signal.SIGKILL)
        return await _timed(asyncio.to_thread(server.wait_until_it_answers))
    return 0.0


async def renew(world: World, dice: random.Random) -> float:
    """Replace all workers during play (SIGHUP). Do nothing if there are no workers."""
    server = dice.choice(world.servers)
    old = set(server.workers())
    if not old or server.process is None:
        return 0.0
    server.process.send_signal(signal.SIGHUP)
    return await _timed(wait_for_async(lambda: not old & set(server.workers())))


async def stop(world: World, dice: random.Random) -> float:
    """Stop a server (SIGTERM) during play. Return the seconds that this took."""
    server = dice.choice(world.servers)
    took = await asyncio.to_thread(world.end, server, signal.SIGTERM, ENDS_WITHIN)
    await asyncio.to_thread(server.start)
    return took


async def freeze(world: World, dice: random.Random) -> float:
    """Freeze a server for some seconds, like a laptop with its lid closed."""
    server = dice.choice(world.servers)
    assert server.process is not None
    seconds = dice.uniform(1, 4)
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(seconds)
    server.process.send_signal(signal.SIGCONT)
    return seconds


async def database(world: World, dice: random.Random) -> float:
    """Lock SQLite from another process, or restart PostgreSQL."""
    seconds = dice.uniform(0.5, 3)
    if world.postgres is not None:
        await asyncio.to_thread(world.postgres.stop)
        await asyncio.sleep(seconds)
        await asyncio.to_thread(world.postgres.start)
        return seconds
    with contextlib.closing(
        sqlite3.connect(world.sqlite_file, 30, check_same_thread=False)
    ) as other:
        other.isolation_level = None
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
        await asyncio.sleep(seconds)
        other.execute("ROLLBACK")
    return seconds


VANISH = """
import os, signal
from django.db import connection, transaction
from games.models import Match
with transaction.atomic(), connection.cursor() as cursor:
    list(Match.objects.select_for_update().filter(ended_at=None).values_list("pk")[:3])
    cursor.execute("SELECT pg_backend_pid()")
    print(cursor.fetchone()[0], flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""
"""Lock three matches in a transaction, and never answer again."""


async def vanish(world: World, dice: random.Random) -> float:
    """Leave a session with locked matches, as a host does that loses power in a transaction.

    Return the seconds until PostgreSQL has ended it. Do nothing with SQLite.
    """
    if world.postgres is None:
        return 0.0
    dead = await asyncio.create_subprocess_exec(
        *(sys.executable, "manage.py", "shell", "-v", "0", "-c", VANISH),
        cwd=ROOT,
        env=dice.choice(world.servers).env,
        stdout=asyncio.subprocess.PIPE,
    )
    assert dead.stdout is not None
    try:
        pid = int(await dead.stdout.readline())
        alive = f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid}"
        return await _timed(wait_for_async(lambda: not world.rows(alive)))
    finally:
        dead.kill()
        await dead.wait()


async def redis(world: World, dice: random.Random) -> float:
    """Kill and restart Redis. Do nothing if Redis is not used."""
    if world.redis is None:
        return 0.0
    await asyncio.to_thread(world.redis.stop, signal.SIGKILL)
    seconds = dice.uniform(0.5, 3)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(world.redis.start)
    return seconds


async def junk(world: World, dice: random.Random) -> float:
    """Send a thousand pieces of nonsense to every entry point, as strangers."""
    server = dice.choice(world.servers)

    async def everywhere() -> None:
        await asyncio.gather(
            asyncio.to_thread(_junk_datagrams, world.udp_port, random.Random(dice.random())),
            asyncio.to_thread(_junk_requests, server.port, random.Random(dice.random())),
            *(_junk_frames(world.any_url(), random.Random(dice.random())) for _ in range(5)),
        )

    return await _timed(everywhere())


def piece_of_junk(dice: random.Random) -> bytes:
    """Return something between random bytes and a nearly valid packet."""
    right = (b'{"type":"Roll","id":1,"prompt":3}', b'{"type":"JoinGame","room":"AAAAA"}')
    lines = (b"REGISTER;x", b"JOIN;token", b"ANNOUNCE;5,3;token", b"GET / HTTP/1.1\r\n\r\n")
    piece = bytearray(dice.choice((*right, *lines, os.urandom(dice.randrange(1, 200)))))
    for _ in range(dice.randrange(4)):
        piece[dice.randrange(len(piece))] = dice.randrange(256)
    return bytes(piece)


def _junk_datagrams(port: int, dice: random.Random) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(400):
            with contextlib.suppress(OSError):
                sender.sendto(piece_of_junk(dice), ("127.0.0.1", port))


def _junk_requests(port: int, dice: random.Random) -> None:
    for _ in range(100):
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=2) as stream,
        ):
            stream.sendall(piece_of_junk(dice) + b"\r\n\r\n")
            stream.recv(1000)


async def _junk_frames(url: str, dice: random.Random) -> None:
    for _ in range(20):
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with connect(url, open_timeout=5, close_timeout=1) as stream:
                for _frame in range(5):
                    piece = piece_of_junk(dice)
                    text = dice.random() < 0.7
                    await stream.send(piece.decode("utf-8", "replace") if text else piece)


async def _timed(work: Awaitable[object]) -> float:
    loop = asyncio.get_running_loop()
    began = loop.time()
    await work
    return loop.time() - began


async def strangers(world: World, dice: random.Random) -> float:
    """Attack one server with all attacks of `tests.chaos.strangers`. Players must not notice."""
    server = dice.choice(world.servers)
    assert server.process is not None
    before = memory_of(server.process.pid)
    command = [sys.executable, "-m", "tests.chaos.strangers", str(server.port)]
    if world.history is not None:
        command += ["--history", str(world.history)]
        world.history = None  # its guest can log in only once
    loop = asyncio.get_running_loop()
    began = loop.time()
    attack = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await attack.communicate()
    found = json.loads(out)
    grown = memory_of(server.process.pid) - before
    if grown > GROWS_BY:
        found["problems"].append(f"the server has grown by {grown} MiB, to {before + grown} MiB")
    said = [line for line in server.said().splitlines() if "ERROR" in line]
    assert not found["problems"], (found, said[-5:])
    return loop.time() - began


LASTS = 20.0
"""Seconds that a fault of a host lasts."""
AHEAD = 30
"""Seconds by which a wrong clock is ahead."""


async def power(world: World, dice: random.Random) -> float:
    """Let a host lose its links and then its power: nobody hears from it again."""
    host = _second(world)
    if host is None:
        return 0.0
    await asyncio.to_thread(host.lose_power)
    await asyncio.sleep(LASTS)
    host.network.set("up")
    await asyncio.to_thread(host.start)
    return LASTS


async def cut(world: World, dice: random.Random) -> float:
    """Cut a host from database and Redis. Its visitors still reach it."""
    host = _second(world)
    if host is None:
        return 0.0
    host.network.set("down", PRIVATE)
    await asyncio.sleep(LASTS)
    host.network.set("up", PRIVATE)
    return LASTS


async def ahead(world: World, dice: random.Random) -> float:
    """Set the clock of a host ahead, and correct it. No turn may lapse."""
    host = _second(world)
    if host is None or not host.has_own_clock:
        return 0.0
    codes = [code for (code,) in world.rows("SELECT code FROM games_room")]
    before = world.acts(codes, "lapse")
    host.set_clock(AHEAD)
    await asyncio.sleep(LASTS)
    host.set_clock(0)
    assert world.acts(codes, "lapse") == before, "turns lapsed while a clock was ahead"
    return LASTS


async def away(world: World, dice: random.Random) -> float:
    """Leave all hosts without Redis."""
    if world.redis is None or not world.networks:
        return 0.0
    await asyncio.to_thread(world.redis.stop, signal.SIGKILL)
    await asyncio.sleep(LASTS)
    await asyncio.to_thread(world.redis.start)
    return LASTS


def _second(world: World) -> Host | None:
    """Return the host that faults happen to. The first one stays healthy."""
    host = world.servers[-1]
    return host if isinstance(host, Host) else None


def memory_of(pid: int) -> int:
    """Return the resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


OF_HOSTS = ("power", "cut", "ahead", "away")
"""Faults of one host, during which the tables of the other must keep their pace."""
FAULTS: dict[str, Fault] = {
    fault.__name__: fault
    for fault in (
        *(kill, worker, renew, stop, freeze, database, vanish, redis, junk, strangers),
        *(power, cut, ahead, away),
    )
}
UNNOTICED = {"strangers"}
"""Faults during which players must not be refused, nor wait longer than a second."""
