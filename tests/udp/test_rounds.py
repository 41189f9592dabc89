"""Rounds as programs see them: the examples of docs/rules/mia.md §5 about datagrams."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from games.models import UdpName, UdpRound
from games.udp.server import UdpServer
from tests.kit.udp import Program, points, token

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]
Dice = Callable[..., None]
Three = Callable[..., list[Program]]


@pytest.fixture
def three(program: Make, serve: Serve, dice: Dice) -> Callable[..., list[Program]]:
    """Throw these dice in a round of A, B and C; A begins."""

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


def test_a_round_is_told_line_by_line(three: Three) -> None:
    a, b, c = three("4,3", "6,6")
    roll(a, "4,3")
    roll(b, "6,6")
    c.answer("YOUR TURN", "SEE")
    c.until("SCORE")
    without_tokens = [
        ";".join(line.split(";")[:-1]) if line.startswith(("ROUND STARTING", "YOUR")) else line
        for line in c.lines
    ]
    number = without_tokens[0].split(";")[1]
    assert without_tokens == [
        f"ROUND STARTING;{number}",
        "ROUND STARTED;A,B,C",
        "PLAYER ROLLS;A",
        "ANNOUNCED;A;4,3",
        "PLAYER ROLLS;B",
        "ANNOUNCED;B;6,6",
        "YOUR TURN",
        "PLAYER WANTS TO SEE;C",
        "ACTUAL DICE;6,6",
        "PLAYER LOST;C;SEE_FAILED",
        "SCORE;A:1,B:1,C:0",
    ]


@pytest.mark.parametrize(
    ("throws", "said", "lost"),
    [
        (("3,1",), ("3,1",), "B;SEE_FAILED"),
        (("3,1",), ("6,5",), "A;CAUGHT_BLUFFING"),
        (("6,5",), ("3,1",), "B;SEE_FAILED"),
        (("6,5", "1,1"), ("6,5", "1,1"), "C;SEE_FAILED"),
    ],
)
def test_who_wants_to_see_is_right_or_wrong(
    three: Three, throws: Any, said: Any, lost: str
) -> None:
    programs = three(*throws)
    for one, announced in zip(programs, said, strict=False):
        roll(one, announced)
    programs[len(said)].answer("YOUR TURN", "SEE")
    assert programs[0].until("PLAYER LOST") == f"PLAYER LOST;{lost}"
    assert programs[0].lines[-2] == f"ACTUAL DICE;{throws[-1]}"


@pytest.mark.parametrize(("first", "second"), [("6,6", "1,1"), ("4,3", "4,3")])
def test_an_announcement_that_is_not_higher_loses_and_is_told(
    three: Three, first: str, second: str
) -> None:
    a, b, c = three("1,1", "1,1")
    roll(a, first)
    roll(b, second)
    assert c.until("PLAYER LOST") == "PLAYER LOST;B;ANNOUNCED_LOSING_DICE"
    assert c.lines[-2] == f"ANNOUNCED;B;{second}"


def test_a_true_mia_makes_everybody_else_lose(three: Three) -> None:
    a, b, c = three("2,1")
    roll(a, "2,1")
    lost = b.until("PLAYER LOST").split(";")
    assert (set(lost[1].split(",")), lost[2]) == ({"B", "C"}, "MIA")
    assert b.lines[-3:-1] == ["ANNOUNCED;A;2,1", "ACTUAL DICE;2,1"]
    assert points(b.until("SCORE")) == {"A": 1, "B": 0, "C": 0}


def test_a_false_mia_makes_the_announcer_lose(three: Three) -> None:
    a, b, c = three("5,5")
    roll(a, "1,2")
    assert b.until("PLAYER LOST") == "PLAYER LOST;A;LIED_ABOUT_MIA"
    assert b.lines[-2] == "ACTUAL DICE;5,5"


def test_seeing_before_anybody_has_rolled_shows_no_dice(three: Three) -> None:
    a, b, c = three()
    a.answer("YOUR TURN", "SEE")
    assert b.until("PLAYER LOST") == "PLAYER LOST;A;SEE_BEFORE_FIRST_ROLL"
    assert b.lines[-2] == "PLAYER WANTS TO SEE;A"


def test_an_announcement_that_comes_too_late_is_none(three: Three, settings: Any) -> None:
    a, b, _ = three("5,3")
    asked = a.until("YOUR TURN")
    settings.MIA_ANSWER_MS = 100
    a.send(f"ROLL;{token(asked)}")
    late = a.until("ROLLED")
    assert b.until("PLAYER LOST") == "PLAYER LOST;A;DID_NOT_ANNOUNCE"
    settings.MIA_ANSWER_MS = 10_000
    a.send(f"ANNOUNCE;5,3;{token(late)}")
    a.until("SCORE")
    assert not [line for line in a.lines if line.startswith("ANNOUNCED")]


def test_who_does_not_take_the_turn_loses(three: Three, settings: Any) -> None:
    a, b, c = three("5,3")
    a.answer("YOUR TURN", "ROLL")
    announce = a.until("ROLLED")
    settings.MIA_ANSWER_MS = 100
    a.send(f"ANNOUNCE;5,3;{token(announce)}")
    b.until("YOUR TURN")
    b.send("ROLL;0123456789abcdef")
    assert c.until("PLAYER LOST") == "PLAYER LOST;B;DID_NOT_TAKE_TURN"


def test_either_order_of_the_dice_will_do(three: Three) -> None:
    a, b, c = three("5,3")
    roll(a, "3,5")
    assert b.until("ANNOUNCED") == "ANNOUNCED;A;5,3"


@pytest.mark.parametrize(
    "answer",
    [
        *("ANNOUNCE;7,1", "ANNOUNCE;3", "ANNOUNCE;", "ANNOUNCE", "ANNOUNCE;0,0", "ANNOUNCE;²,1"),
        *("ANNOUNCE; 5,3", "ANNOUNCE;5,3;5,3", "ROLL", "SEE", "announce;5,3", ""),
    ],
)
def test_what_is_no_announcement_is_none(three: Three, answer: str) -> None:
    a, b, c = three("5,3")
    a.answer("YOUR TURN", "ROLL")
    a.answer("ROLLED", answer)
    assert b.until("PLAYER LOST") == "PLAYER LOST;A;DID_NOT_ANNOUNCE"


@pytest.mark.parametrize("answer", ["FOO", "ROLL;1", "ANNOUNCE;5,3", "JOIN", "roll", "ROLL ", ""])
def test_what_is_no_move_loses_the_round(three: Three, answer: str) -> None:
    a, b, c = three()
    a.answer("YOUR TURN", answer)
    assert b.until("PLAYER LOST") == "PLAYER LOST;A;INVALID_TURN"


def test_a_token_counts_only_from_whom_it_was_sent_to(three: Three, program: Make) -> None:
    a, b, c = three("5,3")
    asked = token(a.until("YOUR TURN"))
    stranger = program("A")
    for other in (b, c, stranger):
        other.send(f"FOO;{asked}")
        other.send(f"SEE;{asked}")
    a.send("ROLL;wrong")
    a.send("ROLL")
    a.send(f"ROLL;{asked};more")
    a.send(f"ROLL;{asked}")
    assert a.until("PLAYER ROLLS", "PLAYER LOST") == "PLAYER ROLLS;A"
    a.answer("ROLLED", "ANNOUNCE;5,3")
    assert b.until("ANNOUNCED", "PLAYER LOST") == "ANNOUNCED;A;5,3"


def test_the_same_datagram_twice_is_one_roll(three: Three) -> None:
    a, b, _ = three("5,3")
    asked = token(a.until("YOUR TURN"))
    for _again in range(3):
        a.send(f"ROLL;{asked}")
    a.answer("ROLLED", "ANNOUNCE;5,3")
    b.answer("YOUR TURN", "SEE")
    b.until("SCORE")
    assert b.lines.count("PLAYER ROLLS;A") == 1


def test_tokens_are_fresh_and_long(three: Three) -> None:
    seen = [token(line) for one in three() for line in one.lines if "STARTING" in line]
    assert len(set(seen)) == 3
    assert all(len(one) >= 8 and one.isalnum() for one in seen)


def test_one_joiner_wins_the_round_at_once(program: Make, serve: Serve, settings: Any) -> None:
    a, d = program("A").known(), program("D").known()
    settings.MIA_ANSWER_MS = 500
    serve()
    a.join()
    assert a.until("ROUND STARTED") == "ROUND STARTED;A"
    assert a.read() == "ROUND CANCELED;only one player"
    assert points(a.read()) == {"A": 1, "D": 0}
    assert d.until("SCORE") == a.lines[-1]


def test_a_bystander_hears_everything_and_keeps_its_points(
    dice: Dice, program: Make, serve: Serve, settings: Any
) -> None:
    dice("3,1")
    settings.MIA_ANSWER_MS = 1500
    a, b, c, d = (program(name).known() for name in "ABCD")
    serve()
    for one in (a, b, c):
        one.join()
    roll(a, "5,5")
    settings.MIA_ANSWER_MS = 10_000
    b.answer("YOUR TURN", "SEE")
    assert points(d.until("SCORE")) == {"A": 0, "B": 1, "C": 1, "D": 0}
    assert "ANNOUNCED;A;5,5" in d.lines
    assert not [line for line in d.lines if line.startswith(("YOUR TURN", "ROLLED"))]


def test_nobody_joins_and_the_numbers_go_on(program: Make, serve: Serve, settings: Any) -> None:
    settings.MIA_ANSWER_MS = 50
    a = program("A").known()
    serve()
    first = int(a.until("ROUND STARTING").split(";")[1])
    assert a.read() == "ROUND CANCELED;no players"
    assert int(a.until("ROUND STARTING").split(";")[1]) == first + 1
    assert not UdpRound.objects.exists()


def test_the_window_is_waited_out_where_that_is_set(
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


def test_a_stored_round_says_what_was_told(three: Three) -> None:
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
