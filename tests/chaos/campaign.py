"""Inject faults into a running world while programs play, then report what was lost."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.chaos.faults import FAULTS, LASTS, OF_HOSTS, UNNOTICED
from tests.chaos.load import Account, Load
from tests.chaos.world import World

GOES_ON_WITHIN = 60.0
SLOW = 1.0
"""Maximum seconds an answer may take during faults that should go unnoticed."""


LEAST_PACE = 0.9
"""Minimum pace of the tables at the healthy host during a fault of the other, as a ratio."""


@dataclass
class Tally:
    """The number of times a fault happened, and the seconds it returned."""

    seconds: list[float] = field(default_factory=list)
    paces: list[float] = field(default_factory=list)
    """Pace of the healthy host's tables during the fault, divided by that before it."""
    problems: list[str] = field(default_factory=list)


@dataclass
class Findings:
    """Findings of a campaign."""

    kind: str
    faults: dict[str, Tally]
    acknowledged: int = 0
    lost: int = 0
    matches: int = 0
    connections: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    tracebacks: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost and no table got stuck."""
        return not (self.lost or self.problems or any(t.problems for t in self.faults.values()))


async def campaign(
    world: World,
    plan: Iterator[str],
    tables: int,
    seed: int,
    progress: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Start the world, play, and inject the faults of the plan one after the other."""
    dice = random.Random(seed)
    findings = Findings(world.kind, {})
    await asyncio.to_thread(world.start)
    async with Load(world.urls, tables, seed) as load:
        findings.problems += _standing(await load.everybody_goes_on(GOES_ON_WITHIN), "the start")
        for name in plan:
            progress(name)
            await _one(world, load, name, dice, findings.faults.setdefault(name, Tally()))
        account = load.account
    findings.acknowledged = len(account.acknowledged)
    findings.lost = len(world.lost(account.acknowledged))
    findings.matches = len(account.finished)
    findings.connections, findings.refused = account.connections, account.refused
    findings.problems += account.violations[:5] + world.log_problems() + world.unfair()
    findings.tracebacks = world.tracebacks()
    return findings


async def _one(world: World, load: Load, name: str, dice: random.Random, tally: Tally) -> None:
    await asyncio.sleep(dice.uniform(0.2, 1.5))
    busy, load.account.slowest = load.account.refused.get("busy", 0), 0.0
    try:
        if world.networks and name in OF_HOSTS:
            before = await _pace(world, load, asyncio.sleep(LASTS))
            during = await _pace(world, load, _inject(world, name, dice, tally))
            after = await _pace(world, load, asyncio.sleep(LASTS))
            tally.paces.append(during / ((before + after) / 2))
            assert tally.paces[-1] >= LEAST_PACE, f"healthy tables kept {tally.paces[-1]:.0%}"
        else:
            await _inject(world, name, dice, tally)
    except AssertionError as problem:
        tally.problems.append(str(problem))
        await asyncio.to_thread(_revive, world)
    if name in UNNOTICED:
        tally.problems += noticed(load.account, busy, name)
    tally.problems += _standing(await load.everybody_goes_on(GOES_ON_WITHIN), name)
    if lost := world.lost(load.account.acknowledged):
        tally.problems.append(f"lost after {name}: {sorted(lost, key=str)[:3]}")


async def _inject(world: World, name: str, dice: random.Random, tally: Tally) -> None:
    tally.seconds.append(await FAULTS[name](world, dice))


async def _pace(world: World, load: Load, during: Awaitable[object]) -> float:
    """Return the acts a second of the tables at the first host while something happens."""
    codes = [table.code for table in load.tables[:: len(world.urls)]]
    began, before = time.monotonic(), world.acts(codes)
    await during
    return (world.acts(codes) - before) / (time.monotonic() - began)


def noticed(account: Account, busy: int, name: str) -> list[str]:
    """Return the side effects of a fault: moves refused as `busy`, and slow answers."""
    problems = []
    if more := account.refused.get("busy", 0) - busy:
        problems.append(f"{more} moves of others were refused during {name}")
    if account.slowest > SLOW:
        problems.append(f"a move of somebody else took {account.slowest:.1f} s during {name}")
    return problems


def _revive(world: World) -> None:
    for server in world.servers:
        if server.process is None:
            server.start()


def _standing(tables: Sequence[str], after: str) -> list[str]:
    return [f"{table} stands still after {after}" for table in tables]
