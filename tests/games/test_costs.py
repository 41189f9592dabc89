"""The cost of a move in counts, which are the same on any machine and show regressions."""

from __future__ import annotations

from contextlib import AsyncExitStack
from statistics import median
from typing import Any

import pytest
from django.db import connection

from games import rooms
from games.models import Room
from games.registry import GAMES
from games.rooms.vote_records import vote_of
from games.rooms.votes import call_vote
from games.sockets import hub
from games.sockets.api_consumer import ApiConsumer
from games.sockets.pages import TableConsumer
from games.sockets.room_socket import RoomConsumer
from games.tables.loading import load
from tests.kit.acting import go_out
from tests.kit.client import Json, Program, started, together
from tests.kit.costs import VIEWERS, Audience, Statements, drawings, jobs, statements
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)

OPTIONS: dict[str, Json] = {
    "chamber": {"startLives": 4},
    "cards": {"pointsToWin": 3, "maxRounds": 6},
    "mia": {"lives": 2},
    "coup": {"startCoins": 6},
}
ROOMY: dict[str, Json] = {"mia": {"lives": 9}, "chamber": {"startLives": 6}}
MOVES = 60
PROGRAMS = [
    ("chamber", 4, 4400),
    ("secret_hitler", 3.2, 5700),
    ("cards", 2.6, 5100),
    ("mia", 3.3, 3400),
    ("coup", 3.8, 4700),
]
"""Maximum frames and characters per viewer and act."""
BY_CHANGES = [
    ("chamber", 1140),
    ("secret_hitler", 1100),
    ("cards", 850),
    ("mia", 400),
    ("coup", 1100),
]
"""Maximum characters per viewer and act for a client that is sent changes only."""
PAGES = [
    ("chamber", 17.5, 5400),
    ("secret_hitler", 15, 2520),
    ("cards", 16.5, 4000),
    ("mia", 9.7, 1600),
    ("coup", 20, 4900),
]
"""Maximum templates per act for all ten pages, including what newcomers are told, and maximum
characters per page."""
STILL = {f"generic/{name}.html.jinja" for name in ("people", "setup", "manual", "asking", "seats")}
"""Templates that no move renders again."""
LOADS = [("new", 3, 4), ("running", 5, 6), ("over", 4, 6)]
"""Maximum SQL statements to load a table for programs and for pages after a member has come.

The table has no match yet, a running one, or one that is over.
"""
JOINS = [("new", 11, 11, 5), ("running", 16, 16, 8), ("over", 11, 11, 5)]
"""Maximum SQL statements of a user who joins a table, leaves it, and joins again.

In this order: the first join, the second, and leaving.
"""
TO_BEGIN = 2
"""Number of acts that may read, because the table is still being loaded for the last to join."""

STORED = [["UPDATE", "games_match"], ["INSERT", "INTO"]]
"""Prefixes of the statements that store an act."""


@pytest.fixture(autouse=True)
async def _undisturbed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove rate limits and periodic tasks, so that only moves cost anything."""
    settings.WS_BURST = 0
    monkeypatch.setattr(hub, "POLL", 1000.0)
    monkeypatch.setattr(hub, "PRESENCE_EVERY", 1000.0)


@pytest.mark.parametrize("slug", [slug for slug, *_ in PAGES])
async def test_ordinary_move_writes_two_rows_and_reads_nothing(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        seats = GAMES[slug].seats[0]
        programs = [await stack.enter_async_context(Program(seed=at)) for at in range(seats)]
        watcher = await stack.enter_async_context(Program())
        await started(*programs, game=slug, options=OPTIONS.get(slug, {}))
        await watcher.join(programs[0].data["gameId"], "watcher", spectate=True)
        await watcher.had("GameDataSync")  # the table has been loaded
        with jobs(monkeypatch) as found:
            await together(*(program.play() for program in programs))
        await hub.close_hub()
    acts = [job for job in found if any("INTO games_act" in sql for sql in job)][TO_BEGIN:-1]
    assert acts
    reading = [act for act in acts if any(sql.startswith("SELECT") for sql in act)]
    assert reading == []
    writing = [[sql.split()[:2] for sql in act if "games_" in sql] for act in acts]
    ordinary = [act for act in writing if ["UPDATE", "games_player"] not in act]
    for act in ordinary:
        assert act == STORED
    assert len(ordinary) > len(acts) / 2


@pytest.mark.parametrize(("slug", "frames", "size"), PROGRAMS)
def test_programs_receive_one_sync_per_act(slug: str, frames: float, size: float) -> None:
    table, acts, many, sent = Audience(slug, ApiConsumer, **ROOMY.get(slug, {})), 0, 0, 0
    while acts < MOVES and table.move() and table.show():  # until the match is over
        syncs = ['"GameDataSync"' in frame for frame in table.frames[many:]]
        assert sum(syncs) == VIEWERS
        acts, many, sent = acts + 1, len(table.frames), sum(map(len, table.frames))
    assert acts > MOVES / 3
    assert many / acts / VIEWERS <= frames
    assert sent / acts / VIEWERS <= size


@pytest.mark.parametrize(("slug", "size"), BY_CHANGES)
def test_incremental_syncs_are_equivalent_and_smaller(slug: str, size: int) -> None:
    table, acts, sent = Audience(slug, ApiConsumer, **ROOMY.get(slug, {})), 0, 0
    for socket in table.sockets:
        socket.client.syncs = "changes"
    before = table.shown
    while acts < MOVES and table.move() and table.show():
        for person in (table.people[0], table.people[acts % VIEWERS]):
            packets(before, table.shown, person.pk)  # fails if the two encodings differ
        before, acts, sent = table.shown, acts + 1, sum(map(len, table.frames))
        assert not any('"GameDataSync"' in frame for frame in table.frames)
    assert acts > MOVES / 3
    assert sent / acts / VIEWERS <= size


@pytest.mark.parametrize(("slug", "drawn", "size"), PAGES)
def test_only_changed_regions_are_rendered(
    slug: str, drawn: float, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, acts, made, sent = Audience(slug, TableConsumer, **ROOMY.get(slug, {})), 0, 0, 0
    with drawings(monkeypatch) as names:
        while acts < MOVES and table.move() and table.show():  # until the match is over
            acts, made, sent = acts + 1, len(names), sum(map(len, table.frames))
    assert acts > MOVES / 3
    assert not STILL.intersection(names[:made])
    assert made / acts <= drawn
    assert sent / acts / VIEWERS <= size


@pytest.mark.parametrize("kind", [ApiConsumer, TableConsumer])
def test_cost_of_a_move_does_not_grow_with_the_match(
    kind: type[RoomConsumer], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, cost = Audience("mia", kind, lives=9), {}
    for acts in (50, 2000):
        table.lengthen(acts)
        table.frames.clear()
        with statements(monkeypatch) as found:
            for _ in range(24):  # long enough to lose a life in both
                assert table.move()
                assert table.show()
        # The median ignores the hub's query every two seconds.
        cost[acts] = (median(map(len, acts_of(found))), sum(map(len, table.frames)))
    (statements_then, size_then), (statements_now, size_now) = cost[50], cost[2000]
    assert statements_now <= statements_then
    assert size_now <= size_then * 1.2


def acts_of(found: Statements) -> list[list[str]]:
    """Return the statements of each transaction that stored an act."""
    transactions: list[list[str]] = [[]]
    for sql in found:
        if sql.startswith("BEGIN"):
            transactions.append([])
        transactions[-1].append(sql)
    return [one for one in transactions if any("INTO games_act" in sql for sql in one)]


def table_with(match: str) -> Room:
    """Open a table whose match is running or over, or that is new."""
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, pace="none", lives=1)
    if match != "new":
        begun = start_match(room)
        if match == "over":
            go_out(begun, ann)
    return room


@pytest.mark.parametrize(("match", "programs", "pages"), LOADS)
def test_changed_table_is_loaded_with_few_statements(
    match: str, programs: int, pages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, others = table_with(match), [PersonFactory() for _ in range(2)]
    for person, for_pages, most in zip(others, (False, True), (programs, pages), strict=True):
        before = load(room.pk, for_pages=for_pages)
        rooms.join(room.code, person.pk, str(person)).result()
        with statements(monkeypatch) as found:
            table = load(room.pk, before, for_pages=for_pages)
        assert len(found) <= most, "\n".join(found)
        assert table.member(person.pk) is not None


@pytest.mark.parametrize(("match", "first", "again", "leaving"), JOINS)
def test_members_come_and_leave_with_few_statements(
    match: str, first: int, again: int, leaving: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, cleo = table_with(match), PersonFactory()
    for most, command in (
        (first, lambda: rooms.join(room.code, cleo.pk, str(cleo))),
        (leaving, lambda: rooms.leave(room.pk, cleo.pk)),
        (again, lambda: rooms.join(room.code, cleo.pk, str(cleo))),
    ):
        with jobs(monkeypatch) as found:
            command().result()
        (job,) = found[1:]
        assert len(job) <= most, "\n".join(job)


@pytest.mark.parametrize(("match", "most"), [("new", 4), ("running", 8), ("over", 4)])
def test_disconnected_member_is_shown_with_few_statements(
    match: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = table_with(match)
    with jobs(monkeypatch) as found:
        rooms.gone_away([room.members.latest("pk").pk]).result()
    (job,) = found[1:]
    assert len(job) <= most, "\n".join(job)


def test_vote_is_recounted_with_two_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [PersonFactory() for _ in range(4)]
    room = open_table(*people)
    call_vote(room.pk, people[0].pk, "game", game="coup").result()
    with jobs(monkeypatch) as found:
        rooms.leave(room.pk, people[3].pk).result()
    (job,) = found[1:]
    *_, leaving = JOINS[0]
    assert len(job) <= leaving + 2, "\n".join(job)
    room.refresh_from_db()
    vote = vote_of(room)
    assert vote is not None
    assert len(vote.absent) == 1


def test_acts_have_only_the_required_indexes() -> None:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "games_act").values()
    indexed = {tuple(one["columns"]) for one in found if one["index"] or one["unique"]}
    assert indexed - {("id",)} == {("match_id", "number"), ("match_id", "seat", "prompt")}
