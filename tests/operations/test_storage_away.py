"""Pages and sockets during a database outage: 503 at once, and automatic recovery."""

from __future__ import annotations

import os
import signal
import sqlite3
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from accounts.models import User
from games.engine import reachable
from games.engine.reachable import reading
from lobby.storage_away import StorageAway
from tests.kit.served import Served
from tests.kit.services import Postgres
from tests.kit.waiting import wait_for
from tests.kit.writing import caused

pytestmark = pytest.mark.slow

PAGES = [
    "/",
    "/you/",
    "/t/ABCDE/",
    "/new/mia/",
    "/decks/",
    "/admin/",
    "/account/login/",
    "/people/ann/",
]


@pytest.fixture(autouse=True)
def _readable_again() -> Iterator[None]:
    yield
    reading.succeeded()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make every cursor fail as if the server were gone. Return the attempted statements."""
    tried: list[str] = []

    def fail(*_: object, **__: object) -> None:
        tried.append("a cursor")
        raise OperationalError("connection refused, in a test")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", fail)
    return tried


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES)
def test_every_page_returns_503_and_queries_the_database_once(
    page: str, admin_client: Client, asked: list[str]
) -> None:
    admin_client.raise_request_exception = False
    for _ in range(3):
        answer = admin_client.get(page)
        assert answer.status_code == 503
        assert answer["Retry-After"] == "5"
        assert b"nothing is lost" in answer.content
        assert b'http-equiv="refresh"' in answer.content
    assert len(asked) == 1


@pytest.mark.django_db
def test_error_page_of_a_rejected_form_does_not_reload(client: Client, asked: list[str]) -> None:
    answer = client.post("/new/mia/", {"name": "Ann"})
    assert answer.status_code == 503
    assert b"Nothing was changed" in answer.content
    assert b'http-equiv="refresh"' not in answer.content


@pytest.mark.django_db
def test_database_is_tried_again_after_a_delay(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading.failed(OperationalError("in a test"))
    assert client.get("/").status_code == 503
    monkeypatch.setattr(reachable, "REST", 0)
    assert client.get("/").status_code == 200
    assert not reading.is_down()


def test_lock_timeout_does_not_mark_the_database_as_down(tmp_path: Path) -> None:
    one, other = (sqlite3.connect(tmp_path / "x", timeout=0, isolation_level=None) for _ in "ab")
    one.execute("BEGIN IMMEDIATE")
    try:
        other.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as locked:
        error = OperationalError(*locked.args)
        error.__cause__ = locked
    one.close()
    other.close()
    middleware = StorageAway(lambda request: HttpResponse())
    for fault in (error, caused(OperationalError("in a test"), "55P03")):
        answer = middleware.process_exception(RequestFactory().post("/you/"), fault)
        assert answer is not None
        assert answer.status_code == 503
        assert reading.can_read()


@pytest.mark.django_db
def test_other_errors_do_not_mark_the_database_as_down(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("in a test")

    client.raise_request_exception = False
    monkeypatch.setattr("lobby.listing.mine", broken)
    monkeypatch.setattr(User.objects, "get", broken)
    monkeypatch.setattr("lobby.views.render", broken)
    assert client.get("/").status_code == 500
    assert not reading.is_down()


@pytest.fixture(scope="module")
def on_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Postgres]]:
    postgres = Postgres()
    postgres.start()
    served = Served(tmp_path_factory.mktemp("away"), DATABASE_URL=postgres.new_database())
    try:
        served.prepare()
        served.manage("migrate", "-v0")
        served.start()
        yield served, postgres
    finally:
        served.stop()
        postgres.remove()


def status_of(served: Served, page: str = "/") -> int:
    try:
        with urllib.request.urlopen(f"{served.url}{page}", timeout=30) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.status


def handshake_of(served: Served) -> int:
    try:
        with connect(f"ws://127.0.0.1:{served.port}/api/ws/"):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_server_returns_503_until_postgresql_is_back(
    on_postgres: tuple[Served, Postgres],
) -> None:
    served, postgres = on_postgres
    assert status_of(served) == 200
    postgres.stop()
    assert {status_of(served, page) for page in PAGES} == {503}
    assert handshake_of(served) == 503
    postgres.start()
    wait_for(lambda: status_of(served) == 200)
    wait_for(lambda: handshake_of(served) == 101)
    assert "Traceback" not in served.said()


def test_server_returns_503_while_postgresql_is_frozen(
    on_postgres: tuple[Served, Postgres],
) -> None:
    served, postgres = on_postgres
    assert postgres.process is not None
    pid = postgres.process.pid
    frozen = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
    for one in frozen:
        os.kill(one, signal.SIGSTOP)
    try:
        wait_for(lambda: handshake_of(served) == 503)
        assert status_of(served) == 503
    finally:
        for one in frozen:
            os.kill(one, signal.SIGCONT)
    wait_for(lambda: status_of(served) == 200)
