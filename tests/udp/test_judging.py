"""The conformance kit never reports a slow network or server as a difference."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.mia.bench import Endpoint, Heard
from conformance.mia.book import Book
from conformance.mia.kit import Kit
from conformance.mia.plans import Plan
from conformance.mia.referee import Referee
from conformance.mia.rounds import Sent
from conformance.mia.scenes_time import waited
from tests.kit.served import free_udp_port

SERVER = ("192.0.2.1", 9000)
PACE = 0.25


class Told:
    """A referee that is fed line by line. Each line takes a hundredth of a second."""

    def __init__(self, *names: str) -> None:
        self.book, self.now, self.tokens = Book(), 100.0, 0
        self.referee = Referee(self.book, "seed", SERVER, PACE)
        self.referee.plan = Plan()
        unused: Any = None
        self.ours = [Endpoint(unused, SERVER, "", claims=name) for name in names]
        self.ignored = dict.fromkeys(self.ours, 0)
        for one in self.ours:
            self.say(one, "REGISTERED")

    def say(self, by: Endpoint, line: str) -> Any:
        self.now += 0.01
        return self.referee.hear(Heard(self.now, by, line.encode(), SERVER))

    def tell(self, *lines: str) -> None:
        """Send this line to everybody."""
        for line in lines:
            for one in self.ours:
                self.say(one, line)

    def round(
        self, number: int, joins: dict[Endpoint, float], anew: Endpoint | None = None
    ) -> None:
        """Play a round that only the first joins in time. The others answer `joins` seconds later.

        `anew` registers again while it runs.
        """
        for one in self.ours:
            self.tokens += 1
            if self.ignored[one] >= 3:
                continue  # the server got none of their answers and stops inviting them
            self.ignored[one] += one is not self.ours[0]
            prompt = self.say(one, f"ROUND STARTING;{number};token-{self.tokens:04}")
            if one in joins:
                at = self.now + joins[one]
                prompt.sent.append(Sent(at, one, f"JOIN;token-{self.tokens:04}"))
                self.referee.token_sent(one, at)
        if anew is not None:
            self.say(anew, "REGISTERED")
            self.ignored[anew] = 1
        first, *others = (one.name for one in self.ours)
        self.now += PACE
        self.tell(f"ROUND STARTED;{first}", "ROUND CANCELED;only one player")
        points = ",".join(f"{name}:0" for name in others)
        self.tell(f"SCORE;{first}:{number},{points}")


def test_program_that_always_answers_too_late_need_not_be_invited() -> None:
    """If a stalled machine delays three answers, the server may count them as missing."""
    table = Told("ann", "bob")
    ann, bob = table.ours
    for number in range(1, 6):
        table.round(number, {ann: 0.0, bob: 2.0})
    assert bob.invited == 3
    assert not table.book.found, dict(table.book.found)


def test_program_registering_during_a_round_may_miss_its_invitation() -> None:
    """The server counts that invitation at the end of the round, after the registration."""
    table = Told("ann", "bob")
    ann, bob = table.ours
    table.round(1, {ann: 0.0})
    table.round(2, {ann: 0.0}, anew=bob)
    for number in (3, 4, 5, 6):
        table.round(number, {ann: 0.0})
    assert bob.invited == 4
    assert not table.book.found, dict(table.book.found)


def test_program_that_answers_must_be_invited() -> None:
    table = Told("ann", "bob")
    ann, bob = table.ours
    table.round(1, {ann: 0.0, bob: 0.0})
    table.ours.remove(bob)
    for number in (2, 3):
        table.round(number, {ann: 0.0})
    assert table.book.found["8-invited"] == ["expected ROUND STARTING to bob; came nothing"]


def test_round_is_followed_even_if_only_other_programs_play() -> None:
    table = Told("ann", "bob")
    for number in (1, 2, 3):
        for one in table.ours:
            table.tokens += 1
            table.say(one, f"ROUND STARTING;{number};token-{table.tokens:04}")
        table.tell("ROUND CANCELED;no players")
    table.tell("ROUND STARTED;eve,joe", "PLAYER LOST;eve;DID_NOT_TAKE_TURN")
    table.tell("SCORE;ann:0,bob:0,eve:0,joe:1")
    table.tell("ROUND CANCELED;no players")
    assert not table.book.found, dict(table.book.found)


def test_single_late_answer_that_counts_is_not_yet_a_difference() -> None:
    table = Told("ann", "bob")
    table.round(1, {table.ours[0]: 2.0})
    round_ = table.referee.now
    assert round_ is not None
    assert round_.overdue == ["ann in the round"]
    assert not table.book.found, dict(table.book.found)


@pytest.mark.parametrize(("delay", "verdict"), [(0.01, "differs"), (0.9, "could not be provoked")])
def test_slow_answers_are_a_difference_only_if_others_are_fast(delay: float, verdict: str) -> None:
    kit = Kit("127.0.0.1", free_udp_port(), "seed", PACE)
    kit.referee.judge.delays.extend([delay] * 10)
    waited(kit, "24-time", [1.2, 1.3, 1.4], "an answer")
    kit.bench.close()
    assert kit.book.verdict("24-time") == verdict
    assert (verdict == "differs") == ("24-time" not in kit.book.missed)


def test_single_short_wait_is_tolerated_but_repeated_ones_are_not() -> None:
    kit = Kit("127.0.0.1", free_udp_port(), "seed", PACE)
    waited(kit, "24-time", [0.01, PACE, PACE], "an answer")
    assert kit.book.verdict("24-time") == "ok"
    waited(kit, "24-time", [0.01, 0.01, PACE], "an answer")
    assert kit.book.verdict("24-time") == "differs"
    kit.bench.close()


def test_prompt_before_a_rename_belongs_to_the_old_name() -> None:
    table = Told("ann", "bob")
    ann, bob = table.ours
    for one in table.ours:
        prompt = table.say(one, f"ROUND STARTING;1;token-{one.name}")
        prompt.sent.append(Sent(table.now, one, f"JOIN;token-{one.name}"))
    table.tell("ROUND STARTED;ann,bob")
    table.say(ann, "YOUR TURN;token-turn")
    ann.claims = "anna"
    table.say(ann, "REGISTERED")
    table.say(bob, "PLAYER ROLLS;ann")
    assert not table.book.found, dict(table.book.found)
