"""Play evenings: `python -m tests.sim SEED` repeats one, `make sim` plays for ten minutes."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.sim import machine
from tests.sim.machine import real

if TYPE_CHECKING:
    from tests.sim.evening import Shape

Outcome = dict[str, Any]
"""The result of an evening: its figures, and the faults that were found."""


def main() -> int:
    """Play and print the results. Return 1 if a fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, help="evenings to play (default: many)")
    parser.add_argument("--minutes", type=float, default=10, help="how long to play many")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="how many to play at a time"
    )
    parser.add_argument("--tables", type=int)
    parser.add_argument("--people", type=int)
    parser.add_argument("--until", type=float, help="seconds after which people leave")
    parser.add_argument(
        "--planted", action="store_true", help="plant each fault of tests/sim/planted.py"
    )
    given = vars(parser.parse_args())
    database = machine.begin()

    from tests.sim.evening import Shape
    from tests.sim.planted import FAULTS

    gc.collect()
    gc.freeze()  # evenings run in copies of this process, which need not scan all modules
    sizes = {name: given[name] for name in ("tables", "people", "until") if given[name]}
    if given["planted"]:
        planted = FAULTS.items()
        return play_each(
            [Shape.drawn(fault.seed, **sizes, planted=name) for name, fault in planted],
            database,
            given["jobs"],
        )
    if given["seeds"]:
        return play_each(
            [Shape.drawn(seed, **sizes) for seed in given["seeds"]], database, given["jobs"]
        )
    return play_many(given["minutes"] * 60, sizes, database, given["jobs"])


def play_each(shapes: list[Shape], database: Path, jobs: int) -> int:
    """Play these evenings, and print two lines for each."""
    failed = 0
    for shape, outcome in together(shapes, database, jobs):
        failed += bool(outcome["broken"])
        print(f"seed {shape.seed} {shape.planted}: {outcome['broken'] or 'good'}")
        print("   ", *(f"{name} {of}" for name, of in outcome["figures"].items()), flush=True)
    return int(failed > 0)


def play_many(seconds: float, sizes: dict[str, Any], database: Path, jobs: int) -> int:
    """Play evenings until something is found or the time is over."""
    from tests.sim.evening import Shape

    began, first = real.monotonic(), int(real.time())
    clean = acts = 0

    def shapes() -> Iterator[Shape]:
        seed = first
        while real.monotonic() - began < seconds:
            yield Shape.drawn(seed, **sizes)
            seed += 1

    for shape, outcome in together(shapes(), database, jobs):
        if outcome["broken"]:
            options = [f"--{name} {of}" for name, of in sizes.items()]
            print(f"\nseed {shape.seed}: {outcome['broken']}")
            print("Play it again:", *(".venv/bin/python -m tests.sim", shape.seed, *options))
            return 1
        clean, acts = clean + 1, acts + outcome["figures"]["acts"]
        if sys.stdout.isatty() or clean % 50 == 0:
            minutes = (real.monotonic() - began) / 60
            said = f"{clean} evenings, {acts} acts, {clean / minutes:.0f} a minute"
            print(f"\r{said}", end="", flush=True)
    print(f"\n{clean} evenings, {acts} acts: nothing found")
    return 0


def together(shapes: Iterable[Shape], database: Path, jobs: int) -> Iterator[tuple[Shape, Outcome]]:
    """Play evenings in child processes, some at a time, and yield what came of them."""
    running: dict[int, tuple[Shape, int]] = {}
    waiting = iter(shapes)
    while True:
        while len(running) < jobs and (shape := next(waiting, None)) is not None:
            pid, result = _child(shape, database)
            running[pid] = shape, result
        if not running:
            return
        # Results are shorter than a pipe holds, so a child ends before its result is read.
        pid, status = os.wait()
        shape, result = running.pop(pid)
        with open(result) as pipe:
            text = pipe.read()
        ended = {"figures": {}, "broken": f"the evening ended with status {status}"}
        yield shape, json.loads(text) if text else ended


def _child(shape: Shape, database: Path) -> tuple[int, int]:
    """Start an evening. Return its process id and the pipe for its result."""
    result, end = os.pipe()
    if pid := os.fork():
        os.close(end)
        return pid, result
    os.close(result)
    with open(end, "w") as pipe:
        json.dump(_played(shape, database), pipe)
    os._exit(0)


def _played(shape: Shape, database: Path) -> Outcome:
    from tests.sim.checks import Broken
    from tests.sim.evening import Evening

    evening = Evening(shape, database)
    broken = ""
    try:
        evening.play()
    except Broken as error:
        broken = str(error)
    except Exception:
        broken = traceback.format_exc()
    outcome = {"figures": evening.figures(), "broken": broken[:8000]}
    evening.clear()
    return outcome


if __name__ == "__main__":
    sys.exit(main())
