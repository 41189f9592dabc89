"""How servers handle programs: large or many frames, restarts, unusual headers."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.kit.served import Served
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["uvicorn", "daphne"])
def server(request: Any, tmp_path_factory: Any) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp(request.param), request.param)
    served.prepare()
    served.start()
    yield served
    served.stop()
    assert "Traceback" not in served.said()


@pytest.fixture(autouse=True)
async def _close_hub() -> None:
    """These tests need no database in this process."""


def program(server: Served, **headers: str) -> ClientConnection:
    url = f"ws://127.0.0.1:{server.port}/api/ws/"
    return connect(url, additional_headers=headers, max_size=None)


def close_code(socket: ClientConnection) -> int | None:
    """Read to the end and return the server's close code."""
    try:
        while True:
            socket.recv(timeout=60)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_flooding_program_is_disconnected_without_a_traceback(server: Served) -> None:
    for text in ('{"type":"LeaveGame"}', "nonsense"):
        with program(server) as ann:
            ann.recv(timeout=60)
            try:
                for _ in range(300):
                    ann.send(text)
            except ConnectionClosed:
                pass
            assert close_code(ann) == 4008


@pytest.mark.parametrize("origin", ["http://[", "null", "\xff\xfe", "//", "http://evil.example"])
def test_invalid_or_foreign_origin_opens_no_page_socket(server: Served, origin: str) -> None:
    try:
        with program(server, Origin=origin, Cookie="sessionid=nonsense") as ann:
            greeted = json.loads(ann.recv(timeout=60))["username"] is None
    except InvalidStatus as refused:  # daphne refuses some itself
        greeted = refused.response.status_code in (400, 403)
    assert greeted
    with pytest.raises(InvalidStatus) as page:
        connect(f"ws://127.0.0.1:{server.port}/ws/lobby/", additional_headers={"Origin": origin})
    assert page.value.response.status_code in (400, 403)


def test_connected_program_is_warned_of_a_restart_and_can_rejoin(tmp_path: Path) -> None:
    server = Served(tmp_path, LOG_LEVEL="INFO")
    server.prepare()
    server.start()
    with program(server) as ann:
        ann.send(json.dumps({"type": "HostGame", "game": "mia", "username": "ann"}))
        packets = [json.loads(ann.recv(timeout=60)) for _ in range(4)]
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        while (alert := json.loads(ann.recv(timeout=60)))["type"] != "ShowAlert":
            pass
        assert alert["level"] == "warning"
        assert close_code(ann) == 1012
    server.stop()
    said = server.said()
    assert "OnConnect room=" in said
    assert "Traceback" not in said
    server.start()
    with program(server) as ann:
        token, room = packets[1]["token"], packets[1]["room"]
        ann.send(json.dumps({"type": "JoinGame", "room": room, "token": token}))
        ann.recv(timeout=60)
        assert json.loads(ann.recv(timeout=60))["type"] == "GameRejoined"
    wait_for(lambda: "OnDisconnect room=" in server.said())
    server.stop()
