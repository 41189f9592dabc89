"""Long bot searches run in a separate process, for a limited time, and delay nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from games import rooms
from games.contract.luck import Luck
from games.coup.rules.state import CoupOptions
from games.models import Act, Match
from games.registry import GAMES
from games.runtime import searches
from games.runtime.searches import Question, Searches, Task, decide
from tests.kit.acting import change_rules
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for

COUP = GAMES["coup"]


def task(level: str = "hard") -> Task:
    """The first decision of a match of two."""
    state = COUP.rules.setup(2, CoupOptions(), Luck(b"search", 1)).state
    view, offers = COUP.rules.view(state, state.at), COUP.rules.offers(state, state.at)
    return Task("coup", level, state.at, view, offers, (), (), b"seed", 0)


@pytest.fixture
def question() -> Question:
    return 1, task().seat, 0


class Hand:
    """A fake clock."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_search_in_another_process_finds_the_same_move(question: Question) -> None:
    rang = threading.Event()
    found = Searches(rang.set, Hand())
    try:
        found.begin(question, task(), held=0.0)
        found.begin(question, task(), held=0.0)
        assert rang.wait(30)
        assert found.is_done(question)
        assert found.take(question) == decide(task())
        assert not found.has(question)
    finally:
        found.stop()


def test_search_result_is_held_and_its_match_counts_as_busy(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand, found = in_threads(monkeypatch, lambda task: "moved")
    found.begin(question, task(), held=1.0)
    wait_for(lambda: found.soonest() == pytest.approx(1.0))
    assert found.busy() == [1]
    hand.now += 1.0
    assert found.busy() == []
    assert found.take(question) == "moved"


def test_failed_or_slow_search_finds_nothing(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    hand, found = in_threads(monkeypatch, lambda task: over.wait(30))
    found.begin(question, task(), held=0.0)
    assert found.busy() == [1]
    hand.now += searches.LONGEST
    assert found.busy() == []
    assert found.take(question) is None
    over.set()
    hand, found = in_threads(monkeypatch, fails)
    found.begin(question, task(), held=0.0)
    wait_for(lambda: found.is_done(question))
    assert found.take(question) is None


def test_dead_search_process_is_replaced(
    question: Question,
) -> None:
    rang = threading.Event()
    found = Searches(rang.set, Hand())
    try:
        found.begin(question, task("normal"), held=0.0)
        assert rang.wait(30)
        found.take(question)
        before = found._pool
        assert before is not None
        (child,) = before._processes
        os.kill(child, signal.SIGTERM)  # as when the whole service is stopped
        assert before.submit(int).result(30) == 0
        os.kill(child, signal.SIGKILL)
        wait_for(lambda: bool(before._broken))
        rang.clear()
        found.begin(question, task("normal"), held=0.0)
        assert rang.wait(30)
        assert found.take(question) is not None
    finally:
        found.stop()


def test_nothing_is_found_if_no_process_can_be_started(
    question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Searches(lambda: None, Hand())

    def none() -> None:
        raise OSError("no memory")

    monkeypatch.setattr(found, "_processes", none)
    found.begin(question, task(), held=0.0)
    assert found.is_done(question)
    assert found.take(question) is None


def test_search_process_exits_when_its_parent_dies() -> None:
    script = (
        "import sys, time\n"
        "from games.runtime.searches import Searches\n"
        "if __name__ == '__main__':\n"
        "    pool = Searches(print, time.monotonic)._processes()\n"
        "    pool.submit(int).result()\n"
        "    print(*pool._processes, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    pipe = subprocess.PIPE
    parent = subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, text=True)
    assert parent.stdin is not None
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdin.close()
    parent.stdout.close()
    wait_for(lambda: not alive(child))


@pytest.mark.django_db(transaction=True)
def test_clock_keeps_running_during_a_search(clock: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another match ends during the search. Then the search finishes and its move is made."""
    over, pool = threading.Event(), ThreadPoolExecutor(1)
    asked: list[Task] = []

    def search(task: Task) -> Any:
        asked.append(task)
        over.wait(30)
        return decide(task)

    monkeypatch.setattr(searches, "decide", search)
    monkeypatch.setattr(Searches, "_processes", lambda self: pool)
    change_rules(monkeypatch, "coup", searching={"random": lambda view: True})
    slow = bots_only("coup")
    wait_for(lambda: bool(asked))
    quick = bots_only("mia", lives=1)
    wait_for(lambda: Match.objects.get(pk=quick.pk).ended_at is not None)
    assert len(asked) == 1
    assert Match.objects.get(pk=slow.pk).ended_at is None
    over.set()
    wait_for(lambda: Act.objects.filter(match=slow, kind=Act.Kind.MOVE).exists())
    wait_for(lambda: len(asked) > 1)


def bots_only(slug: str, **options: object) -> Match:
    """A match of bots whose host has started it and left."""
    host = PersonFactory()
    room = open_table(host, game=slug, bots=2, onLeave="substitute", **options)
    match = start_match(room)
    rooms.leave(room.pk, host.pk).result()
    return match


def in_threads(
    monkeypatch: pytest.MonkeyPatch, decides: Callable[[Task], Any]
) -> tuple[Hand, Searches]:
    """Run searches in a thread, using this function."""
    hand, pool = Hand(), ThreadPoolExecutor(1)
    monkeypatch.setattr(searches, "decide", decides)
    monkeypatch.setattr(Searches, "_processes", lambda self: pool)
    return hand, Searches(lambda: None, hand)


def fails(task: Task) -> Any:
    raise ZeroDivisionError


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
