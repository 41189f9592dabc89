"""Rounds as programs see them: the datagram examples in docs/rules/mia.md §5."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from games.models import UdpName, UdpRound
from games.udp.server import UdpServer
from tests.kit.udp import Program, points

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Dice = Callable[..., None]
Three = Callable[..., list[Program]]


@pytest.fixture
def three(program: Make, serve: Serve, dice: Dice) -> Callable[..., list[Program]]:
    """Roll these dice in a round of A, B and C, which A begins."""

    def begin(*throws: str) -> list[Program]:
        dice(*throws)
        programs = [program(name).known() for name in "ABC"]
        serve()
        for one in programs:
            one.join()
        return programs

    return begin


def roll(one: Program, said: str) -> None:
    one.answer("YOUR TURN", "ROLL")
    one.answer("ROLLED", f"ANNOUNCE;{said}")


def test_round_starts_after_the_full_window_if_early_start_is_off(
    program: Make, serve: Serve, settings: Any
) -> None:
    settings.MIA_EARLY_START, settings.MIA_ANSWER_MS = False, 600
    a, b = program("A").known(), program("B").known()
    serve()
    began = time.monotonic()
    a.join()
    b.join()
    a.until("ROUND STARTED")
    assert time.monotonic() - began > 0.3


def test_stored_round_matches_the_lines_sent_to_players(three: Three) -> None:
    a, b, c = three("4,3")
    roll(a, "6,5")
    b.answer("YOUR TURN", "SEE")
    score = points(c.until("SCORE"))
    stored = UdpRound.objects.get()
    number = next(line for line in c.lines if line.startswith("ROUND STARTING")).split(";")[1]
    assert (stored.number, stored.order) == (int(number), ["A", "B", "C"])
    assert (stored.losers, stored.reason) == (["A"], "CAUGHT_BLUFFING")
    assert stored.transcript == [
        "PLAYER ROLLS;A",
        "ANNOUNCED;A;6,5",
        "PLAYER WANTS TO SEE;B",
        "ACTUAL DICE;4,3",
        "PLAYER LOST;A;CAUGHT_BLUFFING",
    ]
    assert dict(UdpName.objects.values_list("name", "points")) == score
    assert set(UdpName.objects.values_list("rounds", flat=True)) == {1}
