"""The kit that judges servers of the UDP protocol: ours passes, and what is wrong is found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.conformance.mia import chance
from games.conformance.mia.book import CHECKS, Book, chosen
from games.conformance.mia.lines import RANKING, parse
from games.conformance.mia.run import SCENES, check
from games.rules.mia.state import ranking
from games.udp.server import UdpServer
from tests.kit.served import ROOT, Served, free_udp_port
from tests.kit.udp_faults import FAULTS

Serve = Callable[..., UdpServer]

ANSWER_MS = 150
"""Short, but long enough for a machine that is busy with other tests."""
OF_CHANCE = {"20-mia", "23-losers"}
"""Whether these come up is up to the dice."""


def judged(port: int, settings: Any, *only: str, dialect: Any = "seed") -> Book:
    """What the kit finds at the server of this test."""
    return check("127.0.0.1", port, dialect, settings.MIA_ANSWER_MS / 1000, chosen(only))


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_is_found_by_its_check(
    fault: str, serve: Serve, port: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, finds = FAULTS[fault]
    settings.MIA_ANSWER_MS = ANSWER_MS
    plant(monkeypatch)
    serve()
    book = judged(port, settings, finds)
    assert book.verdict(finds) == "differs", dict(book.found)


class Program:
    """`manage.py mia_udp` on a database of its own."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.port, self.args = free_udp_port(), args
        self.served = Served(folder, MIA_ANSWER_MS=str(ANSWER_MS))
        self.served.manage("migrate", "-v0")
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self._close()
        command = [sys.executable, "manage.py", "mia_udp", "--port", str(self.port), *self.args]
        env = self.served.env
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        assert "Mia over UDP" in self.process.stdout.readline()

    def stop(self) -> str:
        """Stops it; returns what it has said."""
        assert self.process is not None
        self.process.terminate()
        return self.process.communicate(timeout=20)[0]

    def _close(self) -> None:
        """Of a process that was killed, its end of the pipe is still open."""
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    def check(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Runs `manage.py mia_check` against it."""
        command = [sys.executable, "manage.py", "mia_check", "127.0.0.1", str(self.port), *args]
        given = [*command, "--answer-ms", str(ANSWER_MS)]
        return subprocess.run(given, cwd=ROOT, env=self.served.env, capture_output=True, text=True)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    started: list[Program] = []

    def start(*args: str) -> Program:
        started.append(Program(tmp_path, *args))
        started[-1].start()
        return started[-1]

    yield start
    for one in started:
        if one.process is not None and one.process.poll() is None:
            one.stop()
        one._close()


@pytest.mark.parametrize("dialect", ["seed", "current"])
def test_our_server_differs_in_nothing(program: Callable[..., Program], dialect: str) -> None:
    ours = program("--dialect", dialect)
    done = ours.check("--dialect", dialect)
    assert done.returncode == 0, done.stdout + done.stderr
    missed = {line.split()[0] for line in done.stdout.splitlines() if "not be provoked" in line}
    beyond = {"32-restart", "spectator" if dialect == "seed" else "32-restart"}
    assert missed - OF_CHANCE == beyond
    assert "Nothing differs." in done.stdout
    said = ours.stop()
    assert "Traceback" not in said, said


def test_number_and_points_outlive_a_killed_server(
    program: Callable[..., Program], tmp_path: Path
) -> None:
    ours = program()
    assert ours.process is not None
    again = tmp_path / "again.sh"
    command = f"{sys.executable} manage.py mia_udp --port {ours.port}"
    begin = f"{command} >{tmp_path}/again.log 2>&1 & echo $! >{tmp_path}/pid"
    again.write_text(f"kill -9 {ours.process.pid}; {begin}")
    try:
        done = ours.check("--only", "32", "--restart", f"sh {again}")
    finally:
        subprocess.run(["kill", (tmp_path / "pid").read_text().strip()], check=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "32-restart    ok" in done.stdout


def test_others_may_play_at_the_same_time(serve: Serve, port: int, settings: Any) -> None:
    """Two kits at one server: each sees strangers among its players."""
    settings.MIA_ANSWER_MS = ANSWER_MS * 2
    serve()
    command = [sys.executable, "manage.py", "mia_check", "127.0.0.1", str(port), "--answer-ms"]
    other = subprocess.Popen(
        [*command, str(ANSWER_MS * 2), "--only", "21", "22", "33"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    book = judged(port, settings, "14", "16", "19", "22", "28", "31-points")
    said = other.communicate(timeout=120)[0]
    assert not book.found, dict(book.found)
    assert other.returncode == 0, said


def test_where_nobody_plays_that_is_said(program: Callable[..., Program], tmp_path: Path) -> None:
    served = Served(tmp_path)
    command = [sys.executable, "manage.py", "mia_check", "127.0.0.1", str(free_udp_port())]
    done = subprocess.run(command, cwd=ROOT, env=served.env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "A new name was not REGISTERED: nothing came." in done.stderr
    assert "Traceback" not in done.stderr


def test_every_check_is_a_law_or_has_a_scene() -> None:
    provoked = {one for _, checks in SCENES for one in checks}
    laws = {"1-port", "2-lines", "10-number", "13-order", "15-all", "15-private", "16-turns"}
    assert provoked | laws | {"32-restart"} == set(CHECKS)


def test_checks_are_chosen_by_id_rule_and_vector() -> None:
    assert chosen(["26-once"]) == {"26-once"}
    assert chosen(["26"]) == {"26-token", "26-owner", "26-once"}
    assert chosen(["v13"]) == {"26-owner"}
    assert chosen([]) == set(CHECKS)
    with pytest.raises(KeyError):
        chosen(["36"])


def test_judge_and_server_rank_the_dice_alike() -> None:
    assert tuple(ranking(little_mia=False)) == RANKING


@pytest.mark.parametrize(
    "text",
    ["YOUR TURN", "YOUR TURN;a b", "ROLLED;7,1;t", "SCORE;a", "PLAYER LOST;a;BAD", "ERROR", ""],
)
def test_what_is_no_line_is_none(text: str) -> None:
    assert parse(text, "seed") is None


@pytest.mark.parametrize(
    ("statistic", "freedom", "odds"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.07, 5, 0.05), (37.566, 20, 0.01), (49.802, 35, 0.05)],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(
    statistic: float, freedom: int, odds: float
) -> None:
    assert chance.tail(statistic, freedom) == pytest.approx(odds, rel=0.01)
