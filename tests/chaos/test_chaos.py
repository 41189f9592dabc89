"""A short campaign on each kind of database: nothing acknowledged is lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chaos.campaign import campaign
from tests.chaos.world import World

pytestmark = pytest.mark.slow

PLANS = {
    "sqlite": ("kill", "stop", "junk"),
    "workers": ("kill", "worker", "renew", "database", "vanish", "stop", "redis", "junk"),
}
BOT_DELAY = 0.25
"""Delay for about ten moves a second per table, which keeps a server busy but leaves room for
others. `make chaos` plays at full speed."""


@pytest.fixture(params=PLANS)
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    made = World(request.param, BOT_DELAY)
    yield made
    made.close()


async def test_nothing_acknowledged_is_lost_and_no_table_stalls(world: World) -> None:
    findings = await campaign(world, iter(PLANS[world.kind]), tables=3, seed=1)
    assert findings.is_clean, findings
    assert findings.acknowledged > 20
    assert set(findings.faults) == set(PLANS[world.kind])
