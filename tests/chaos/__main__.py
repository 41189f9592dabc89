"""`make chaos`: kills, stops, faults and junk under load, with a table of results."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tests.chaos.campaign import Findings, campaign
from tests.chaos.faults import FAULTS, OF_HOSTS, UNNOTICED
from tests.chaos.world import World
from tests.kit.hosts import can_make_hosts

console = Console()
USUAL = [name for name in FAULTS if name not in (*UNNOTICED, *OF_HOSTS)]
"""Default faults. Attacks are a separate part (`--faults strangers`)."""
PACE = 0.25
"""Seconds a bot of `hosts` thinks. At full speed, a host would gain from the loss of the other."""


def main() -> None:
    """Run the campaign that the command line requests. Exit with 1 if anything was lost."""
    asked = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that all child processes are stopped
    clean = True
    for kind in asked.database:
        pace = {"bot_delay": PACE} if kind == "hosts" else {}
        world = World(kind, has_history="strangers" in (asked.faults or ()), **pace)
        try:
            findings = asyncio.run(_watched(world, asked))
        finally:
            world.close()
        _report(findings)
        sys.stdout.flush()
        clean = clean and findings.is_clean
    sys.exit(0 if clean else 1)


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="for each database (3)")
    parser.add_argument("--hours", type=float, help="the same in hours")
    parser.add_argument("--times", type=int, help="number of faults, instead of minutes")
    parser.add_argument("--tables", type=int, default=5, help="tables that are played at (5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices (1)")
    parser.add_argument("--faults", nargs="+", choices=FAULTS, help="default: the usual ones")
    kinds = ["sqlite", "postgres", "workers", *(["hosts"] if can_make_hosts() else [])]
    parser.add_argument("--database", nargs="+", choices=kinds, default=kinds)
    asked = parser.parse_args()
    asked.minutes = asked.hours * 60 if asked.hours else asked.minutes
    return asked


async def _watched(world: World, asked: Namespace) -> Findings:
    columns = (TextColumn(f"{world.kind:<9}"), BarColumn(), TextColumn("{task.description:<9}"))
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        total = float(asked.times or asked.minutes * 60)
        bar = progress.add_task("start", total=total)
        began = time.monotonic()
        done = 0

        def show(name: str) -> None:
            nonlocal done
            at = done if asked.times else time.monotonic() - began
            progress.update(bar, completed=at, description=name)
            done += 1

        findings = await campaign(world, _plan(asked, world.kind), asked.tables, asked.seed, show)
        progress.update(bar, completed=total, description="done")
    return findings


def _plan(asked: Namespace, kind: str) -> Iterator[str]:
    """Yield the faults in rotation, for the given minutes or number of times."""
    until = time.monotonic() + asked.minutes * 60
    faults = asked.faults or (OF_HOSTS if kind == "hosts" else USUAL)
    for at, name in enumerate(cycle(faults)):
        if at >= asked.times if asked.times else time.monotonic() >= until:
            return
        yield name


def _report(findings: Findings) -> None:
    table = Table(title=f"Chaos on {findings.kind}")
    for heading in ("fault", "times", "seconds: median", "longest", "least pace", "problems"):
        table.add_column(heading, justify="left" if heading == "fault" else "right")
    for name, tally in findings.faults.items():
        seconds = sorted(tally.seconds) or [0.0]
        figures = (f"{seconds[len(seconds) // 2]:.1f}", f"{seconds[-1]:.1f}")
        pace = f"{min(tally.paces):.0%}" if tally.paces else ""
        table.add_row(name, str(len(tally.seconds)), *figures, pace, str(len(tally.problems)))
    console.print(table)
    refused = ", ".join(f"{code} {times}" for code, times in sorted(findings.refused.items()))
    console.print(
        f"{findings.acknowledged} moves acknowledged, {findings.lost} of them lost; "
        f"{findings.matches} matches finished; {findings.connections} connections; "
        f"refused: {refused or 'nothing'}; {len(findings.tracebacks)} tracebacks."
    )
    for line, times in Counter(findings.tracebacks).most_common(5):
        console.print(f"  {times} x {line}", style="yellow", markup=False)
    _list([p for tally in findings.faults.values() for p in tally.problems] + findings.problems)


def _list(problems: Sequence[str]) -> None:
    for problem in problems:
        console.print(f"  {problem}", style="red", markup=False)


if __name__ == "__main__":
    main()
