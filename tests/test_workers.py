"""Several processes: uvicorn supervises them, or nginx sends each table to one of them."""

from __future__ import annotations

import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine import figures
from tests.chaos.world import World
from tests.kit.deploying import deploy
from tests.kit.proxy import Nginx
from tests.kit.served import free_port
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow

OF_A_TABLE: tuple[str, ...] = (
    "/t/K7QX2/",
    "/t/K7QX2/screen/",
    "/ws/table/K7QX2/",
    "/ws/screen/K7QX2/",
)
OF_A_TABLE += ("/api/ws/?room=K7QX2", "/api/ws/?lang=de&room=K7QX2", "/t/%4B7QX2/")


class Process(BaseHTTPRequestHandler):
    """Answers each request with its own port."""

    def do_GET(self) -> None:
        body = str(self.connection.getsockname()[1]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@contextmanager
def process(port: int) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", port), Process) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


def two_free_ports() -> int:
    """Return a port after which two are free."""
    while True:
        port = free_port()
        try:
            for at in (1, 2):
                with ThreadingHTTPServer(("127.0.0.1", port + at), Process):
                    pass
        except OSError:
            continue
        return port


def test_all_connections_of_a_table_reach_the_same_process(tmp_path: Path) -> None:
    port, nginx = two_free_ports(), Nginx()
    paths = {"certificate": str(nginx.certificate), "key": str(nginx.key)}
    deploy(tmp_path, url=nginx.url, database="postgres", port=str(port), **paths)
    nginx.use((tmp_path / "deploy" / "nginx.conf").read_text())

    def asked(path: str) -> str:
        with urllib.request.urlopen(nginx.url + path, context=nginx.trust()) as answer:
            return str(answer.read().decode())

    try:
        with process(port + 1):
            with process(port + 2):
                nginx.start()
                assert len({asked(path) for path in OF_A_TABLE}) == 1
                assert len({asked(f"/t/AAAA{at}/") for at in range(40)}) == 2
                assert len({asked("/") for _ in range(40)}) == 2
            # The other process restarts: this one serves its tables as well.
            assert {asked(f"/t/AAAA{at}/") for at in range(40)} == {str(port + 1)}
    finally:
        nginx.remove()


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """One server with two workers, on PostgreSQL and Redis."""
    made = World("workers")
    made.start()
    yield made
    made.close()


def test_a_worker_that_dies_is_replaced(world: World) -> None:
    (server,) = world.servers
    wait_for(lambda: len(server.workers()) == 2)
    died = server.workers()[0]
    os.kill(died, signal.SIGKILL)
    wait_for(lambda: len(server.workers()) == 2 and died not in server.workers())
    server.wait_until_it_answers()


def test_workers_exit_when_their_supervisor_dies(world: World) -> None:
    (server,) = world.servers
    workers = server.workers()
    server.stop(signal.SIGKILL)
    with ExitStack() as after:
        after.callback(server.start)
        wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_metrics_of_dead_workers_are_removed(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    dead, alive = (
        tmp_path / f"gauge_livesum_{1 << 30}.db",
        tmp_path / f"gauge_livesum_{os.getpid()}.db",
    )
    dead.touch()
    alive.touch()
    figures.forget_dead_workers()
    assert list(tmp_path.iterdir()) == [alive]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"workers": 0}, "--workers must be at least 1."),
        ({"workers": 2}, "Several workers need PostgreSQL and Redis"),
        ({"workers": 2, "server": "daphne"}, "Only uvicorn supports several workers"),
    ],
)
def test_serve_rejects_invalid_worker_settings(
    given: dict[str, Any], sentence: str, settings: Any
) -> None:
    settings.REDIS_URL = ""
    with pytest.raises(CommandError, match=sentence):
        call_command("serve", **given)
