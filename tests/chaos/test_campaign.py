"""The campaign finds planted losses: its checks can fail."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.chaos.campaign import Findings, Tally, noticed
from tests.chaos.load import SETTINGS, Account, Acknowledged, PlayedTable, Program
from tests.chaos.world import World


@pytest.fixture
def world() -> Iterator[World]:
    """A world whose servers do not run, with a log of three acts."""
    made = World("sqlite")
    with closing(sqlite3.connect(made.sqlite_file)) as database:
        database.executescript("""
            CREATE TABLE games_match (id, version, ended_at, broken);
            CREATE TABLE games_player (match_id, seat, name);
            CREATE TABLE games_act (id, match_id, number, seat, prompt, kind);
            INSERT INTO games_match VALUES (1, 3, NULL, 0);
            INSERT INTO games_player VALUES (1, 0, 'ann');
            INSERT INTO games_act VALUES (1, 1, 1, NULL, NULL, 'setup');
            INSERT INTO games_act VALUES (2, 1, 2, 0, 5, 'move');
            INSERT INTO games_act VALUES (3, 1, 3, 0, 6, 'move');""")
    yield made
    made.close()


def test_a_move_that_is_in_the_log_is_not_lost(world: World) -> None:
    assert not world.lost([Acknowledged(1, 2, 5, "ann"), Acknowledged(1, 3, 6, "ann")])
    assert not world.log_problems()


@pytest.mark.parametrize(
    "other",
    [Acknowledged(1, 4, 7, "ann"), Acknowledged(1, 3, 6, "bob"), Acknowledged(2, 2, 5, "ann")],
)
def test_a_move_that_is_not_in_the_log_is_lost(world: World, other: Acknowledged) -> None:
    assert world.lost([other]) == {other}


@pytest.mark.parametrize(
    "damage", ["DELETE FROM games_act WHERE id = 2", "UPDATE games_match SET broken = 1"]
)
def test_a_log_with_gaps_and_a_match_given_up_are_problems(world: World, damage: str) -> None:
    with closing(sqlite3.connect(world.sqlite_file)) as database:
        database.executescript(damage)
    assert world.log_problems()


async def test_a_program_notices_when_versions_fall() -> None:
    account = Account()
    program = Program(PlayedTable(SETTINGS[0], 1, account, str), 0)
    for version in (4, 5, 3):
        program._check_order({"type": "GameDataSync", "data": {"matchId": 1, "version": version}})
    assert len(account.violations) == 1


def test_a_refused_or_slow_move_of_others_is_noticed() -> None:
    assert not noticed(Account(refused={"busy": 2}, slowest=0.9), 2, "strangers")
    assert len(noticed(Account(refused={"busy": 3}, slowest=1.1), 2, "strangers")) == 2


def test_findings_are_clean_only_without_problems() -> None:
    assert Findings("sqlite", {"kill": Tally([1.0])}).is_clean
    assert not Findings("sqlite", {}, lost=1).is_clean
    assert not Findings("sqlite", {"kill": Tally(problems=["it stands still"])}).is_clean
    assert not Findings("sqlite", {}, problems=["match 1 was given up"]).is_clean
