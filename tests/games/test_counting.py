"""Finished matches get their number once, in order, whenever the process is killed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F

from accounts.models import User
from games.contract.core import Refused
from games.engine import long_jobs
from games.engine.snapshots import MatchSnapshot
from games.engine.writer import command
from games.history import account_merge, counting, erasure, staff
from games.models import Counter, Match, Player, Room
from tests.kit.acting import ticking
from tests.kit.costs import statements
from tests.kit.counted import MOST_STATEMENTS, count_here, killed_at, played, table
from tests.kit.factories import AccountFactory, PersonFactory, start_match
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def numbers() -> dict[int, int | None]:
    return dict(Match.objects.values_list("pk", "no"))


def rename(person: User) -> None:
    """Take a name away, as moderators do."""
    command(staff.take_name)(person.pk, "rude").result()
    long_jobs.work(person.pk)


def stored(match: Match) -> list[Any]:
    """Return all rows that counting writes, without the time."""
    return [
        list(Match.objects.filter(pk=match.pk).values_list("no", flat=True)),
        list(Player.objects.filter(match=match).order_by("seat").values_list("seat", "no")),
        list(Counter.objects.order_by("pk").values_list("name", "value")),
    ]


def test_matches_are_numbered_in_the_order_of_their_ends() -> None:
    late, early = played(), played()
    Match.objects.filter(pk=late.pk).update(ended_at=F("ended_at") + timedelta(hours=1))
    running = start_match(table())
    assert counting.run() == 2
    assert numbers() == {early.pk: 1, late.pk: 2, running.pk: None}
    for match in (early, late):
        assert {p.no for p in match.players.all()} == {numbers()[match.pk]}
    assert counting.run() == 0
    match = played()
    counting.run()
    assert numbers()[match.pk] == 3


def test_rounds_of_tables_with_their_own_history_are_left_out() -> None:
    match = played()
    Room.objects.filter(pk=match.room_id).update(udp_round=1)
    assert counting.run() == 0
    assert numbers()[match.pk] == -match.pk
    assert not counting.uncounted().exists()
    assert not Counter.objects.exists()


def test_count_that_is_killed_at_any_statement_writes_the_same_rows_when_it_is_repeated() -> None:
    played()
    counting.run()

    def write() -> None:
        Counter.objects.create(name="part")

    match, before = played(), None
    kills = 0
    while Match.objects.filter(pk=match.pk, no=None).exists():
        before = before or stored(match)
        assert stored(match) == before, "a killed count left something behind"
        kills += 1
        with killed_at(kills):
            count_here(match, write)
    assert stored(match) == [[2], [(0, 2), (1, 2)], [("matches", 2), ("part", 0)]]
    assert 4 < kills <= MOST_STATEMENTS


def test_second_leader_finds_no_row() -> None:
    match = played()
    written: list[int] = []
    assert count_here(match, lambda: written.append(1)) == 1
    assert count_here(match, lambda: written.append(2)) is None
    assert written == [1]
    assert Counter.objects.get().value == 1


@pytest.mark.parametrize("how", ["erasure", "merge", "rename"])
def test_changed_match_comes_again_with_a_higher_number(how: str, monkeypatch: Any) -> None:
    seen: list[int] = []

    def part(match: MatchSnapshot) -> counting.Write:
        return lambda: seen.append(match.row.pk)

    monkeypatch.setattr(counting, "PARTS", (part,))
    ann = PersonFactory() if how == "merge" else AccountFactory(name="Ann")
    match, other = played(ann, PersonFactory()), played()
    counting.run()
    once = Match.objects.get(pk=match.pk)
    if how == "erasure":
        erasure.erase(ann.pk)
    elif how == "merge":
        guest, account = ann.pk, AccountFactory()
        account_merge.on_return(None, ann, account)
        assert not User.objects.filter(pk=guest).exists()
    else:
        rename(ann)
    counting.run()
    again = Match.objects.get(pk=match.pk)
    assert again.revision > once.revision
    assert (once.no, again.no) == (1, 3)
    assert again.counted_at == once.counted_at
    assert {p.no for p in again.players.all()} == {3}
    assert seen == [match.pk, other.pk], "counted twice"


def test_match_that_cannot_be_read_gets_its_number_alone(monkeypatch: Any) -> None:
    seen: list[int] = []

    def part(match: MatchSnapshot) -> counting.Write:
        return lambda: seen.append(match.row.pk)

    monkeypatch.setattr(counting, "PARTS", (part,))
    damaged, whole = played(), played()
    Match.objects.filter(pk=damaged.pk).update(state="nonsense", revision=9)
    assert counting.run() == 2
    assert numbers() == {damaged.pk: 1, whole.pk: 2}
    assert seen == [whole.pk]


def test_busy_writer_is_left_alone(monkeypatch: Any) -> None:
    match = played()

    def busy(*_: Any) -> None:
        raise Refused("busy")

    with monkeypatch.context() as patched:
        patched.setattr(counting, "_count", busy)
        assert counting.run() == 0
    assert counting.run() == 1
    assert numbers() == {match.pk: 1}


def test_clock_counts_matches() -> None:
    match = played()
    with ticking():
        wait_for(lambda: numbers()[match.pk] == 1)


def test_match_costs_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played()
    with statements(monkeypatch) as made:
        count_here(match)
    assert len(made) <= MOST_STATEMENTS, made
