"""Every example runs as documented: whole matches, every game, smallest and largest table."""

from __future__ import annotations

import asyncio
import json
import os
import runpy
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from games.registry import GAMES
from parlour_client import Client, Json
from tests.kit.programs import PATIENCE, environment, finished, node, table_in
from tests.kit.served import ROOT, Served, free_port
from tests.kit.shipped import SHIPPED

Captured = pytest.CaptureFixture[str]
QUICK: dict[str, Json] = {
    "chamber": {"startLives": 2, "maxRounds": 3},
    "cards": {"pointsToWin": 2, "maxRounds": 3},
    "mia": {"lives": 1},
    "coup": {"startCoins": 6},
    "secret_hitler": {},
}
SIZES = [(slug, n) for slug in SHIPPED for n in GAMES[slug].seats]


def usually_at(which: int, otherwise: pytest.MarkDecorator = pytest.mark.long) -> list[Any]:
    """Return each game at its smallest (0) or largest (1) table. The other one has a mark.

    This is enough for programs that know only offers: the simulation covers other sizes.
    """
    return [
        pytest.param(slug, n, marks=() if n == GAMES[slug].seats[which] else otherwise)
        for slug, n in SIZES
    ]


def hosting(slug: str, n: int) -> list[str]:
    bots = ",".join(["random"] * (n - 1))
    return ["--host", slug, "--bots", bots, "--options", json.dumps(QUICK[slug]), "--rate", "0"]


def test_example_runs_as_a_program(server: Served) -> None:
    done = finished("-m", "examples.mia_bot", *hosting("mia", 2), url=server.url)
    assert done.returncode == 0, done.stderr
    assert "of 1." in done.stdout
    assert not done.stderr


@pytest.mark.parametrize(("slug", "n"), usually_at(0))
def test_the_random_example_plays_every_game_to_the_end(
    server: Served, slug: str, n: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    _plays_to_the_end("examples.random_bot", hosting(slug, n), server, monkeypatch, capsys)


@pytest.mark.parametrize(("slug", "n"), usually_at(0, otherwise=pytest.mark.slow))
def test_an_example_plays_its_game_to_the_end(
    server: Served, slug: str, n: int, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    _plays_to_the_end(f"examples.{slug}_bot", hosting(slug, n), server, monkeypatch, capsys)


def _plays_to_the_end(
    example: str,
    args: list[str],
    server: Served,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    """Run the example's command in this process: starting Python takes longer than a match."""
    monkeypatch.setenv("PARLOUR_URL", server.url)
    monkeypatch.setattr(sys, "argv", [example, *args])
    monkeypatch.delitem(sys.modules, example, raising=False)  # another test may have imported it
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(example, run_name="__main__")
    said = capsys.readouterr()
    assert ended.value.code == 0, said.err
    assert "of 1." in said.out
    assert not said.err


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "n"), usually_at(1))
async def test_the_javascript_example_plays_to_the_end(server: Served, slug: str, n: int) -> None:
    async with Client(server.url, rate=0) as host:
        code = await host.host(slug, "host", options=QUICK[slug])
        for _ in range(n - 2):
            await host.add_bot("random")
        script = [node(), "--experimental-websocket", "examples/random_bot.js", server.url, code]
        program = await asyncio.create_subprocess_exec(
            *script, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            await host.until(lambda data: len(data["players"]) == n)
            await host.start()
            outcome = await asyncio.wait_for(host.play(lambda d: d.random()), PATIENCE)
            assert "Nora" in [name for group in outcome["places"] for name in group]
            assert program.stdout is not None
            assert await program.stdout.readline() == f"Nora sits at {code}.\n".encode()
            assert (await program.stdout.readline()).startswith(b"match 1: ")
        finally:
            program.kill()
            await program.communicate()


def test_javascript_example_reports_errors(server: Served) -> None:
    nowhere, wrong = f"http://127.0.0.1:{free_port()}", {"PARLOUR_TOKEN": "wrong"}
    for args, given, said in (
        ([], {}, "Usage: node"),
        ([server.url, "XXXXX"], {}, "There is no table with this code."),
        ([nowhere, "XXXXX"], {}, "No Parlour server answers"),
        ([server.url, "--ladder"], {}, "Set PARLOUR_TOKEN"),
        ([server.url, "--ladder", "mia"], wrong, "The server closed the connection (4001)."),
    ):
        done = subprocess.run(
            [node(), "--experimental-websocket", "examples/random_bot.js", *args],
            cwd=ROOT,
            env=environment(server.url) | given,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 1
        assert said in done.stderr.decode()


REFUSALS = [
    (["--host", "mia", "--url", "ftp://x"], "is not the address of a Parlour server"),
    (["--host", "mia", "--bots", "1", "--options", '{"lives": 99}'], "lives"),
    (["--room", "XXXXX"], "There is no table with this code."),
    ([], "Say which table to join"),
]


@pytest.mark.parametrize(("args", "said"), REFUSALS)
def test_error_is_reported_in_one_line(server: Served, args: list[str], said: str) -> None:
    done = finished("-m", "parlour_client", *args, url=server.url)
    assert done.returncode == 1, done.stdout + done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_invalid_arguments_print_the_usage() -> None:
    done = finished("-m", "examples.mia_bot", "--options", "lives", url="http://127.0.0.1:1")
    assert done.returncode == 2
    assert "usage: " in done.stderr


def test_unreachable_server_is_reported_in_one_line() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    done = finished("-m", "examples.random_bot", "--host", "mia", url=url)
    assert done.stderr == f"No Parlour server answers at {url} (connection refused).\n"


async def test_rejected_join_is_reported_in_one_line(server: Served) -> None:
    async with Client(server.url) as host:
        code = await host.host("mia", "Ned", password="dragon")
        for args, said in (
            (["--room", code], "--password"),
            (["--room", code, "--password", "dragon"], "--name"),
            (["--room", code, "--password", "dragon", "--name", "N"], "This bot plays coup"),
        ):
            done = await asyncio.to_thread(
                finished, "-m", "examples.coup_bot", *args, url=server.url
            )
            assert done.returncode == 1
            assert said in done.stderr
            assert done.stderr.count("\n") == 1


def test_client_library_imports_neither_django_nor_the_platform(server: Served) -> None:
    code = (
        "import sys, parlour_client; parlour_client.run(lambda d: d.random(), sys.argv[1],"
        " host='mia', bots=['random'], options={'lives': 1});"
        "print({'django', 'channels', 'msgspec', 'games'} & set(sys.modules))"
    )
    done = finished("-c", code, server.url, url=server.url)
    assert done.stdout == "set()\n", done.stderr


def test_programs_can_join_a_table_by_its_link(server: Served) -> None:
    how = [sys.executable, "-m", "examples.mia_bot", "--host", "--players", "2", "--matches", "2"]
    with subprocess.Popen(
        how, cwd=ROOT, env=environment(server.url), stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout is not None
        link = f"{server.url}/t/{table_in(host.stdout.readline())}/"
        guest = ["--url", link, "--name", "guest", "--matches", "2"]
        done = finished("-m", "examples.random_bot", *guest, url=server.url)
        assert done.returncode == 0, done.stderr
        assert "guest won" in done.stdout
        assert "of 2." in host.stdout.readline()


# Mia over UDP


@contextmanager
def udp_bot(server: socket.socket) -> Iterator[subprocess.Popen[str]]:
    server.bind(("127.0.0.1", 0))
    server.settimeout(PATIENCE)
    address = "{}:{}".format(*server.getsockname())
    command = [sys.executable, "-m", "examples.mia_udp_bot", "--server", address, "--name", "odds"]
    with subprocess.Popen(
        command, cwd=ROOT, env=dict(os.environ), stderr=subprocess.PIPE, text=True
    ) as program:
        try:
            yield program
        finally:
            program.kill()


def test_udp_example_follows_the_protocol() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, udp_bot(server):
        said, player = server.recvfrom(4096)
        assert said == b"REGISTER;odds"

        def asked(*messages: str) -> str:
            for message in messages:
                server.sendto(message.encode(), player)
            return server.recv(4096).decode()

        assert asked("REGISTERED", "ROUND STARTING;1;t1") == "JOIN;t1"
        assert asked("ROUND STARTED;odds,eve", "YOUR TURN;t2") == "ROLL;t2"
        assert asked("PLAYER ROLLS;odds", "ROLLED;4,3;t3") == "ANNOUNCE;4,3;t3"
        assert asked("ANNOUNCED;odds;4,3", "ANNOUNCED;eve;5,1", "YOUR TURN;t4") == "ROLL;t4"
        assert asked("ROLLED;3,1;t5") == "ANNOUNCE;5,2;t5"
        assert asked("ANNOUNCED;odds;5,2", "ANNOUNCED;eve;6,6", "YOUR TURN;t6") == "SEE;t6"
        assert asked("PLAYER LOST;eve;CAUGHT_BLUFFING", "ROUND STARTING;2;t7") == "JOIN;t7"
        assert asked("YOUR TURN;t8") == "ROLL;t8"
        assert asked("ANNOUNCED;eve;6,6", "ROLLED;3,1;t9") == "ANNOUNCE;2,1;t9"
        server.sendto(b"\xff\xfe", player)
        assert server.recv(4096) == b"REGISTER;odds"  # the server may have restarted


def test_udp_example_reports_a_rejected_name() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, udp_bot(server) as program:
        _, player = server.recvfrom(4096)
        server.sendto(b"REJECTED", player)
        assert program.stderr is not None
        assert "choose another" in program.stderr.read()
        assert program.wait(PATIENCE) == 1


def test_udp_example_reports_an_unreachable_server() -> None:
    nobody = f"127.0.0.1:{free_port()}"
    done = finished("-m", "examples.mia_udp_bot", "--server", nobody, url="")
    assert done.stderr == f"Nobody plays Mia at {nobody}.\n"
    assert finished("-m", "examples.mia_udp_bot", "--server", "x", url="").returncode == 2


def test_udp_examples_play_each_other_at_a_real_server(server: Served) -> None:
    port = int(server.env["MIA_UDP_PORT"])
    with ExitStack() as players, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as watcher:
        watcher.settimeout(2)
        watcher.connect(("127.0.0.1", port))
        for name in ("odds", "evens"):
            players.enter_context(udp_player(port, name))
        points: list[int] = []
        reasons = set()
        while len(points) < 15:
            kind, *fields = heard_by(watcher)
            if kind == "PLAYER LOST":
                reasons.add(fields[1])
            if kind == "SCORE":
                points.append(sum(int(entry.split(":")[1]) for entry in fields[0].split(",")))
                watcher.send(b"still here")  # silent programs are dropped after a while
        assert points[-1] > points[0]
        assert "INVALID_TURN" not in reasons
        assert {"CAUGHT_BLUFFING", "SEE_FAILED"} & reasons


def heard_by(watcher: socket.socket) -> list[str]:
    """Return the next message sent to a program that joins no round."""
    for _ in range(PATIENCE):
        try:
            return watcher.recv(4096).decode().split(";")
        except (TimeoutError, ConnectionRefusedError):
            watcher.send(b"REGISTER;watcher")
    raise AssertionError("no message over UDP")


@contextmanager
def udp_player(port: int, name: str) -> Iterator[None]:
    where = ["--server", f"127.0.0.1:{port}", "--name", name]
    command = [sys.executable, "-m", "examples.mia_udp_bot", *where]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as program:
        try:
            yield
        finally:
            program.kill()
