"""The conformance kit: Parlour passes, and the right check finds each planted fault."""

from __future__ import annotations

import asyncio
import io
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from conformance.wire import Asked, names, results
from tests.kit.faulty import FAULTS, Fault, Proxy
from tests.kit.served import ROOT, Served
from tests.kit.waiting import PATIENCE

pytestmark = pytest.mark.slow

AT_ONCE = 3
"""Maximum number of fault checks running at the same time."""
STAYING = ("absence", "bots", "options")
"""Checks that leave a user in a room, whom the server removes later."""
HERE = """
    SELECT member.name FROM games_member member
    WHERE member.left_at IS NULL AND member.bot = '' AND member.room_id > ?"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[Served]:
    yield from serving(tmp_path_factory.mktemp("uvicorn"), "uvicorn")


@pytest.fixture(scope="module")
def daphne(tmp_path_factory: Any) -> Iterator[Served]:
    yield from serving(tmp_path_factory.mktemp("daphne"), "daphne")


@pytest.fixture(autouse=True)
async def _close_hub() -> None:
    """These tests need no database in this process."""


def serving(folder: Any, server: str) -> Iterator[Served]:
    served = Served(folder, server)
    served.prepare()
    served.start()
    yield served
    served.stop()
    assert "Traceback" not in served.said()


def socket_of(served: Served) -> str:
    return f"ws://127.0.0.1:{served.port}/api/ws/"


def wire_check(served: Served, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "wire_check", *args]
    return subprocess.run(command, cwd=ROOT, env=served.env, capture_output=True, text=True)


async def found(asked: Asked) -> dict[str, tuple[str, ...]]:
    return {result.name: result.found async for result in results(asked)}


def test_server_passes_with_every_game_and_an_invitation(server: Served) -> None:
    token = server.manage(
        "shell",
        "-v0",
        "-c",
        "from accounts.models import User; from accounts.tokens import make;"
        "print(make(User.objects.create(username='zora', name='Zora')))",
    ).split()[-1]
    done = wire_check(server, server.url, "--sizes", "least", "--token", token)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["ok", name] for name in names()]


async def test_server_passes_on_daphne(daphne: Served) -> None:
    asked = Asked(socket_of(daphne), games=("mia",), sizes="least")
    assert {name: odd for name, odd in (await found(asked)).items() if odd} == {}


async def test_checks_leave_their_rooms_empty_and_pass_through_a_faultless_proxy(
    server: Served,
) -> None:
    newest = rows(server, "SELECT max(id) FROM games_room")[0][0] or 0
    emptying = [name for name in names() if name not in STAYING]
    async with Proxy(socket_of(server)) as proxy:
        for checks, room in ((emptying, newest), (STAYING, None)):
            asked = Asked(proxy.address, only=checks, games=("mia",), sizes="least")
            assert {name: odd for name, odd in (await found(asked)).items() if odd} == {}
            assert room is None or rows(server, HERE, room) == []


def rows(server: Served, query: str, *args: object) -> list[Any]:
    """Run a query on the server's database."""
    with closing(sqlite3.connect(server.database, timeout=PATIENCE)) as database:
        return database.execute(query, args).fetchall()


@pytest.fixture(scope="module")
def judged(server: Served) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the matching check's report for each planted fault. Some run in parallel."""

    async def judge(fault: Fault, turn: asyncio.Semaphore) -> dict[str, tuple[str, ...]]:
        async with turn, Proxy(socket_of(server), fault) as proxy:
            return await found(
                Asked(proxy.address, (fault.check,), ("mia",), "least", patience=3.0)
            )

    async def judge_all() -> list[dict[str, tuple[str, ...]]]:
        turn = asyncio.Semaphore(AT_ONCE)
        return await asyncio.gather(*(judge(fault, turn) for fault in FAULTS.values()))

    return dict(zip(FAULTS, asyncio.run(judge_all()), strict=True))


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_by_the_right_check(
    judged: dict[str, dict[str, tuple[str, ...]]], name: str
) -> None:
    fault, odd = FAULTS[name], judged[name]
    assert list(odd) == [fault.check]
    assert odd[fault.check]
    assert "nothing could be checked" not in str(odd)


def test_checks_are_listed_and_invalid_arguments_reported() -> None:
    listed = io.StringIO()
    call_command("wire_check", "--list", stdout=listed)
    assert [line.split()[0] for line in listed.getvalue().splitlines()] == list(names())
    for args, said in (
        (("http://127.0.0.1:9", "--only", "no-such-check"), "no-such-check"),
        (("nonsense",), "nonsense"),
        ((), "Name a server"),
        (("http://127.0.0.1:9", "--only", "welcome"), "cannot connect"),
    ):
        with pytest.raises(CommandError, match=said):
            call_command("wire_check", *args)
