"""The conformance kit for UDP servers: Parlour's passes, and planted faults are found."""

from __future__ import annotations

import selectors
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from conformance.mia import chance
from conformance.mia.book import CHECKS, Book, chosen
from conformance.mia.lines import RANKING, Dialect, parse
from conformance.mia.run import check
from games.mia.rules.state import ranking
from games.udp.server import UdpServer
from tests.kit import udp_clock
from tests.kit.served import free_udp_port
from tests.kit.udp import Program
from tests.kit.udp_command import Command
from tests.kit.udp_faults import FAULTS

pytestmark = pytest.mark.slow

Serve = Callable[..., UdpServer]

ANSWER_MS = 150
"""Milliseconds per answer: short, but long enough for a machine busy with other tests."""
REPLY = 0.4
"""Timeout in seconds for each of three registration attempts."""
OF_CHANCE = {"20-mia", "23-losers"}
"""Checks that depend on the dice, and may not come up."""


def judged(port: int, settings: Any, *only: str, until: tuple[str, ...] = ()) -> Book:
    """Return what the kit finds on this test's server.

    The kit may stop at a difference in `until`.
    """
    pace = settings.MIA_ANSWER_MS / 1000
    return check("127.0.0.1", port, "seed", pace, chosen(only), reply=REPLY, until=until)


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_fault_is_found_by_its_check(
    fault: str, serve: Serve, port: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant, finds = FAULTS[fault]
    settings.MIA_ANSWER_MS = ANSWER_MS
    plant(monkeypatch)
    udp_clock.install(monkeypatch)
    serve()
    book = judged(port, settings, finds, until=(finds,))
    assert book.verdict(finds) == "differs", dict(book.found)


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_kit_finds_no_difference_in_this_server(
    dialect: Dialect, serve: Serve, port: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use a clock that jumps while server and kit wait.

    The commands below use the machine's clock.
    """
    udp_clock.install(monkeypatch)
    serve(dialect=dialect)
    book = check("127.0.0.1", port, dialect, settings.MIA_ANSWER_MS / 1000)
    assert not book.found, dict(book.found)
    beyond = {"32-restart", "spectator" if dialect == "seed" else "32-restart"}
    assert {one for one in CHECKS if book.verdict(one) != "ok"} - OF_CHANCE == beyond


def test_round_number_and_points_survive_a_killed_server(
    command: Callable[..., Command], tmp_path: Path
) -> None:
    dialect = ("--dialect", "current")
    ours = command(*dialect, answer_ms=ANSWER_MS)
    assert ours.process is not None
    again = tmp_path / "again.sh"
    program = f"{sys.executable} manage.py mia_udp --port {ours.port} {' '.join(dialect)}"
    begin = f"{program} >{tmp_path}/again.log 2>&1 & echo $! >{tmp_path}/pid"
    again.write_text(f"kill -9 {ours.process.pid}; {begin}")
    try:
        done = ours.check(*dialect, "--only", "32", "--restart", f"sh {again}")
    finally:
        subprocess.run(["kill", (tmp_path / "pid").read_text().strip()], check=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "32-restart    ok" in done.stdout


def test_two_kits_can_check_one_server_at_the_same_time(
    serve: Serve, port: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If two kits test one server, each sees the other's programs among its players."""
    udp_clock.install(monkeypatch)
    serve()
    few, more = ("21", "22", "33"), ("14", "16", "19", "22", "28", "31-points")
    with ThreadPoolExecutor() as pool:
        for book in pool.map(lambda only: judged(port, settings, *only), (few, more)):
            assert not book.found, dict(book.found)


def test_pause_is_not_judged_while_others_register(
    serve: Serve,
    port: int,
    settings: Any,
    program: Callable[..., Program],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A registering name ends the pause of a lone program, at this server as at any other."""
    clock = udp_clock.install(monkeypatch)
    serve()
    gate, stopped = program("gate"), threading.Event()
    gate.register()
    waiting = udp_clock.Side(clock)
    waiting.register(gate.socket, selectors.EVENT_READ)

    def let_in() -> None:
        """Register a new name as soon as a round is over."""
        for guest in map("guest-{}".format, count()):
            while not (waiting.select() and gate.read().startswith("SCORE")):
                if stopped.is_set():
                    return
            gate.send(f"REGISTER;{guest}")

    registering = threading.Thread(target=let_in)
    registering.start()
    try:
        book = judged(port, settings, "14-pause")
    finally:
        stopped.set()
        waiting.wake()
        registering.join()
        waiting.close()
    assert not book.found, dict(book.found)
    assert book.missed["14-pause"] == "others play here"


def test_missing_server_is_reported() -> None:
    with pytest.raises(CommandError, match=r"A new name was not REGISTERED: nothing came\."):
        call_command("mia_check", "127.0.0.1", str(free_udp_port()), "--reply-ms", "10")


def test_kit_and_server_rank_the_dice_alike() -> None:
    assert tuple(ranking(little_mia=False)) == RANKING


@pytest.mark.parametrize(
    "text",
    ["YOUR TURN", "YOUR TURN;a b", "ROLLED;7,1;t", "SCORE;a", "PLAYER LOST;a;BAD", "ERROR", ""],
)
def test_invalid_line_parses_to_none(text: str) -> None:
    assert parse(text, "seed") is None


@pytest.mark.parametrize(
    ("statistic", "freedom", "odds"),
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (11.07, 5, 0.05), (37.566, 20, 0.01), (49.802, 35, 0.05)],
)
def test_chi_square_tail_matches_published_values(
    statistic: float, freedom: int, odds: float
) -> None:
    assert chance.tail(statistic, freedom) == pytest.approx(odds, rel=0.01)
