"""Pairing on the ladder, in simulated time: nobody is passed over for long."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple

import pytest

from games.rooms import pairing
from games.rooms.pairing import IDLE, Free, Group, Strength, next_group

STEP = timedelta(seconds=5)
"""Time between two looks of the leader."""
LOOKS = 120
WAITS = timedelta(seconds=30)
"""Longest time without a table."""
LONGEST = (WAITS - IDLE) // STEP - 1
"""Length of the longest match, in looks."""


class Moment(NamedTuple):
    """The versions that were free at a moment, and the table that was opened for some of them."""

    now: datetime
    free: list[Free]
    group: Group | None


def evening(seed: int, tables: int, count: int, games: list[str]) -> Iterator[Moment]:
    """Play matches between this number of versions, at no more than this number of tables."""
    luck, now, opened = Random(seed), datetime(2030, 1, 1, tzinfo=UTC), 0
    versions = {
        number: Free(
            user_id=number,
            owner_id=number,
            strengths={
                game: Strength(luck.gauss(25, 4), luck.uniform(1, 8))
                for game in luck.sample(games, luck.randint(1, len(games)))
            },
            idle_since=now,
        )
        for number in range(count)
    }
    running: list[tuple[datetime, Group]] = []
    for _look in range(LOOKS):
        for ends, group in [*running]:
            if ends <= now:
                running.remove((ends, group))
                for user_id in group.user_ids:
                    one = versions[user_id]
                    versions[user_id] = Free(user_id, user_id, one.strengths, now)
        group = Group("", ())
        while group is not None:
            playing = {user_id for _, group in running for user_id in group.user_ids}
            free = [one for one in versions.values() if one.user_id not in playing]
            group = next_group(free, opened, now, luck) if len(running) < tables else None
            yield Moment(now, free, group)
            if group is not None:
                opened += 1
                running.append((now + STEP * luck.randint(1, LONGEST), group))
        now += STEP


@pytest.mark.parametrize("tables", [1, 2, 3, 5])
def test_nobody_waits_longer_than_half_a_minute(tables: int) -> None:
    """A version waits for IDLE, then for the end of the running matches, then for the next look."""
    most = pairing.seats("mia") * (tables + 1) - 1  # those who wait fit at a table with a bot
    for seed in range(30):
        for now, free, _group in evening(seed, tables, Random(seed).randint(2, most), ["mia"]):
            for one in free:
                assert one.idle_since is not None
                assert now - one.idle_since <= WAITS, f"version {one.user_id}, seed {seed}"


@pytest.mark.parametrize("seed", range(20))
def test_nobody_who_has_waited_is_passed_over(seed: int) -> None:
    late = 0
    for now, free, group in evening(seed, 2, 16, ["mia", "coup", "cards"]):
        waited = {one.user_id for one in free if one.idle_since and one.idle_since <= now - IDLE}
        if group is None:
            continue
        here = {one.user_id for one in free if group.game in one.strengths}
        if here & waited - set(group.user_ids):
            assert set(group.user_ids) <= waited
            assert len(group.user_ids) + len(group.bots) == pairing.seats(group.game)
            late += 1
    assert late


def test_least_known_version_comes_first_if_nobody_has_waited() -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    for seed in range(50):
        luck = Random(seed)
        sigmas = luck.sample(range(1, 100), 9)
        free = [
            Free(number, number, {"mia": Strength(25, sigma)}, now - IDLE / 2)
            for number, sigma in enumerate(sigmas)
        ]
        group = next_group(free, 0, now, luck)
        assert group is not None
        assert sigmas[group.user_ids[0]] == max(sigmas)


def test_every_tenth_table_has_a_bot_in_a_seat_that_is_left() -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    for count, players, bots in ((2, 2, 1), (3, 3, 1), (9, 3, 1)):
        free = [Free(number, number, {"mia": Strength(25, 8)}, now) for number in range(count)]
        group = next_group(free, pairing.BOTS_EVERY - 1, now, Random(1))
        assert group is not None
        assert (len(group.user_ids), len(group.bots)) == (players, bots)
