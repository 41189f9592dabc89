"""Connections are distributed by table to worker processes, which are replaced when they die."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.runtime.worker import Worker
from games.runtime.workers import Workers, code_in, worker_for
from tests.kit.waiting import wait_for_async

SAYS_WHO = """
import os, socket, sys
channel = socket.socket(fileno=int(sys.argv[1]))
channel.send(b"r")
while True:
    data, found, _, _ = socket.recv_fds(channel, 1, 1)
    if not data:
        break
    with socket.socket(fileno=found[0]) as connection:
        request = connection.recv(4096)
        connection.sendall(f"{os.getpid()} {len(request)}".encode())
"""
"""A worker that answers each connection with its pid and the number of bytes it read."""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"GET /t/K7QX2/ HTTP/1.1", "K7QX2"),
        (b"GET /ws/table/k7qx2/ HTTP/1.1", "K7QX2"),
        (b"GET /api/ws/?room=K7QX2 HTTP/1.1", "K7QX2"),
        (b"GET /api/ws/?lang=de&room=K7QX2 HTTP/1.1", "K7QX2"),
        (b"GET /t/%4B7QX2/ HTTP/1.1", "K7QX2"),
        (b"GET / HTTP/1.1", None),
        (b"GET /tables/ HTTP/1.1", None),
        (b"", None),
        (b"\xff\xfe", None),
    ],
)
def test_the_first_line_says_which_table(line: bytes, code: str | None) -> None:
    assert code_in(line) == code


def begin(channel: int) -> list[str]:
    return [sys.executable, "-c", SAYS_WHO, str(channel)]


@asynccontextmanager
async def serving(count: int = 2, **more: Any) -> AsyncIterator[Workers]:
    workers = Workers(socket.create_server(("127.0.0.1", 0)), count, begin, **more)
    running = asyncio.create_task(workers.run(stop_seconds=5))
    await wait_for_async(lambda: all(worker.process for worker in workers.workers))
    try:
        yield workers
    finally:
        workers.stop()
        await running
    assert all(worker.has_ended() for worker in workers.workers)


async def asked(workers: Workers, *parts: bytes) -> tuple[int, int]:
    """Send a request in parts; return who answered it and how many bytes arrived."""
    reader, writer = await asyncio.open_connection(*workers.listener.getsockname()[:2])
    for part in parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(0)
    pid, size = (await reader.read()).split()
    writer.close()
    return int(pid), int(size)


def request(code: str) -> bytes:
    return f"GET /ws/table/{code}/ HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def a_code_of(worker: int) -> str:
    return next(code for code in ("A", "B", "C", "D", "E") if worker_for(code, 2) == worker)


async def test_a_table_is_always_served_by_the_same_worker() -> None:
    async with serving() as workers:
        for worker in (0, 1):
            code = a_code_of(worker)
            process = workers.workers[worker].process
            assert process is not None
            sent = request(code)
            assert await asked(workers, sent) == (process.pid, len(sent))
            assert (await asked(workers, sent[:9], sent[9:]))[0] == process.pid


async def test_what_names_no_table_goes_to_each_in_turn() -> None:
    async with serving() as workers:
        answers = {(await asked(workers, b"GET / HTTP/1.1\r\n\r\n"))[0] for _ in range(2)}
    assert len(answers) == 2


async def test_a_worker_that_dies_is_replaced_and_another_serves_meanwhile() -> None:
    async with serving() as workers:
        process = workers.workers[0].process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        await wait_for_async(lambda: workers.workers[0].has_ended())
        code = a_code_of(0)
        pid, _ = await asked(workers, request(code))
        assert pid != process.pid
        await wait_for_async(lambda: workers.workers[0].process is not process)
        again = workers.workers[0].process
        assert again is not None
        assert (await asked(workers, request(code)))[0] == again.pid


async def test_new_processes_take_the_places_of_all_one_after_the_other() -> None:
    async with serving() as workers:
        old = list(workers.workers)
        workers.renew()
        workers.renew()  # one call is enough
        await wait_for_async(lambda: all(worker.has_ended() for worker in old))
        assert not set(old) & set(workers.workers)
        for worker in (0, 1):
            process = workers.workers[worker].process
            assert process is not None
            assert (await asked(workers, request(a_code_of(worker))))[0] == process.pid


async def test_where_new_processes_do_not_start_the_old_ones_go_on(caplog: Any) -> None:
    async with serving() as workers:
        old = list(workers.workers)
        workers._new = partial(Worker, lambda channel: [sys.executable, "-c", "1/0"])
        workers.renew()
        assert workers._renewing is not None
        await workers._renewing
        assert workers.workers == old
        assert "the others go on as they are" in caplog.text
        process = old[0].process
        assert process is not None
        assert (await asked(workers, request(a_code_of(0))))[0] == process.pid


async def test_who_says_nothing_is_cut_off() -> None:
    async with serving(request_seconds=0.1) as workers:
        reader, writer = await asyncio.open_connection(*workers.listener.getsockname()[:2])
        writer.write(b"GET /half")
        with suppress(ConnectionResetError):  # some of what was sent was never read
            assert await reader.read() == b""
        writer.close()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"workers": 0}, "There is at least one worker."),
        ({"workers": 2}, "Several workers share PostgreSQL and Redis"),
        ({"workers": 2, "server": "daphne"}, "Several workers are served by uvicorn only"),
    ],
)
def test_what_workers_need_is_said(given: dict[str, Any], sentence: str, settings: Any) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match=sentence):
        call_command("serve", **given)
