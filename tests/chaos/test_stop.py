"""After SIGTERM the process stops playing and exits in time, even if parts of it hang."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.kit.served import Served
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow

HANGING = "tests.chaos.hanging"
STOP_SECONDS = 3
"""Shorter than in production, with the same proportions between the steps."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prepared database and static files, shared by the servers of these tests."""
    folder = tmp_path_factory.mktemp("stop")
    Served(folder).prepare()
    return folder


@contextmanager
def serving(folder: Path, kind: str = "uvicorn", **env: str) -> Iterator[Served]:
    server = Served(folder, kind, STOP_SECONDS=str(STOP_SECONDS), WS_BURST="0", **env)
    server.start()
    try:
        yield server
    finally:
        server.stop(signal.SIGKILL)


def program(server: Served) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{server.port}/api/ws/")


def until(socket: ClientConnection, type_: str) -> dict[str, Any]:
    while True:
        packet: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if packet["type"] == type_:
            return packet


def until_said(server: Served, text: str) -> None:
    wait_for(lambda: text in server.said(), lambda: f"{text!r} is not in the log: {server.said()}")


def close_code(socket: ClientConnection) -> int | None:
    try:
        while True:
            socket.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def ended(server: Served) -> int:
    """Return the server's exit status. Fail if it does not exit in time."""
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)
    try:
        return server.process.wait(STOP_SECONDS + 9)  # busy machines are slower
    except subprocess.TimeoutExpired:
        pytest.fail(f"the server still plays after SIGTERM: {server.said()}")


def play_against_bots(socket: ClientConnection, game: str = "mia") -> None:
    socket.send(json.dumps({"type": "HostGame", "game": game, "username": "ann"}))
    until(socket, "GameDataSync")
    for id_ in (1, 2):
        socket.send(json.dumps({"type": "AddBot", "id": id_}))
        until(socket, "Done")
    socket.send(json.dumps({"type": "StartGame", "id": 3}))
    until(socket, "Done")


@pytest.mark.parametrize("server", ["uvicorn", "daphne"])
def test_hanging_bots_do_not_prevent_exit(prepared: Path, server: str) -> None:
    hanging = serving(prepared, server, DJANGO_SETTINGS_MODULE=HANGING)
    with hanging as server, program(server) as ann:
        play_against_bots(ann, "cards")  # bots must act at once, regardless of who starts
        until_said(server, "took too long")
        assert ended(server) == 0


def test_locked_database_does_not_prevent_exit(prepared: Path) -> None:
    with serving(prepared) as server, program(server) as ann:
        until(ann, "Welcome")
        with closing(sqlite3.connect(server.database)) as other:
            other.execute("BEGIN IMMEDIATE")
            ann.send(json.dumps({"type": "HostGame", "game": "mia", "username": "ann"}))
            assert ended(server) in (0, 1)
            assert close_code(ann) in (1012, None)


def test_hanging_main_thread_does_not_prevent_exit(prepared: Path) -> None:
    with serving(prepared, DJANGO_SETTINGS_MODULE=HANGING, HANG_AT_STOP="1") as server:
        assert ended(server) == 1
        assert "forcing exit" in server.said()


def test_server_exits_cleanly_under_load(prepared: Path) -> None:
    with serving(prepared) as server, program(server) as ann, program(server) as bob:
        play_against_bots(ann)
        for at in range(30):
            bob.send(json.dumps({"type": "HostGame", "game": "coup", "username": f"b{at}"}))
        assert ended(server) == 0
        assert close_code(ann) == 1012
        assert "Traceback" not in server.said(), server.said()


def test_second_signal_forces_immediate_exit(prepared: Path) -> None:
    with serving(prepared, DJANGO_SETTINGS_MODULE=HANGING, HANG_AT_STOP="1") as server:
        assert server.process is not None
        server.process.send_signal(signal.SIGINT)
        os.kill(server.process.pid, signal.SIGTERM)
        assert server.process.wait(20) == 1
