"""Play evenings: `python -m tests.sim SEED` repeats one, `make sim` plays for ten minutes."""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.sim import machine
from tests.sim.machine import real

if TYPE_CHECKING:
    from tests.sim.evening import Shape

SIZES = ("tables", "people", "until", "processes", "faults")

SMALL = {"tables": 1, "people": 2, "until": 20.0}
"""An evening that is small enough to be read."""
SEEDS = 200
"""Maximum evenings in which each planted fault must be found."""
OTHERS = 20
"""Number of other seeds tried in small evenings to find the same fault."""

Outcome = dict[str, Any]
"""The figures of an evening, which check failed, and what happened before."""


def main() -> int:
    """Play and print the results. Return 1 if a fault was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, help="evenings to play (default: many)")
    parser.add_argument("--minutes", type=float, default=10, help="how long to play many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--tables", type=int)
    parser.add_argument("--people", type=int)
    parser.add_argument("--until", type=float, help="seconds after which people leave")
    parser.add_argument("--processes", type=int)
    parser.add_argument("--faults", type=_kinds, help="kill,storage,notifications or none")
    parser.add_argument("--database", type=Path, help="a migrated SQLite database to copy")
    parser.add_argument("--planted", action="store_true", help="play planted.py")
    parser.add_argument("--kept", action="store_true", help="play seeds.txt")
    given = parser.parse_args()
    database = machine.begin(given.database)

    from accounts.likeness import looks_key
    from tests.sim.evening import Shape

    looks_key("")  # builds tables that each evening would otherwise build again
    gc.collect()
    gc.freeze()  # evenings run in copies of this process, which need not scan all modules
    if given.planted:
        return play_planted(_sizes(given), database)
    played = [parser.parse_args(line) for line in _kept()] if given.kept else [given]
    shapes = [Shape.drawn(seed, **_sizes(one)) for one in played for seed in one.seeds]
    if shapes:
        return play_each(shapes, database, given.jobs)
    return play_many(given.minutes * 60, _sizes(given), database, given.jobs)


def _sizes(given: argparse.Namespace) -> dict[str, Any]:
    """Return the given sizes. Sizes that are not given are drawn from the seed."""
    return {name: of for name in SIZES if (of := getattr(given, name)) is not None}


def _kinds(given: str) -> tuple[str, ...]:
    return () if given == "none" else tuple(given.split(","))


def _said(value: Any) -> str:
    """Return an option's value as it is written on the command line."""
    return (",".join(value) or "none") if isinstance(value, tuple) else str(value)


def _kept() -> list[list[str]]:
    """Return the arguments of each line of seeds.txt."""
    lines = Path(__file__).with_name("seeds.txt").read_text().splitlines()
    return [words for line in lines if (words := line.partition("#")[0].split())]


def play_each(shapes: list[Shape], database: Path, jobs: int) -> int:
    """Play these evenings. Print two lines for each, and then the packets never accepted."""
    from tests.sim.people import PACKETS

    failed, unused = 0, dict.fromkeys(one.__name__ for one in PACKETS)
    for shape, outcome in together(shapes, database, jobs):
        unused = {one: None for one in unused if one not in outcome["accepted"]}
        failed += bool(outcome["broken"])
        if outcome["broken"] and not shape.planted:
            report(shape, outcome)
            continue
        print(f"seed {shape.seed} {shape.planted}: {outcome['broken'] or 'good'}")
        print("   ", *(f"{name} {of}" for name, of in outcome["figures"].items()), flush=True)
    print("commands never accepted:", ", ".join(unused) or "none")
    return int(failed > 0)


def play_planted(sizes: dict[str, Any], database: Path) -> int:
    """Play small evenings with each planted fault until one of them finds it."""
    from tests.sim.evening import Shape
    from tests.sim.planted import FAULTS

    missed = 0
    for name, fault in FAULTS.items():
        about = SMALL | {"processes": 1, "faults": fault.faults, "planted": name} | sizes
        shapes = (Shape.drawn(seed, **about) for seed in range(1, SEEDS + 1))
        for shape, outcome in together(shapes, database, 1):
            if fault.found in outcome["broken"]:
                print(f"seed {shape.seed} {name}: {outcome['broken']}", flush=True)
                break
        else:
            missed += 1
            print(f"{name}: not found in {SEEDS} evenings", flush=True)
    return int(missed > 0)


def play_many(seconds: float, sizes: dict[str, Any], database: Path, jobs: int) -> int:
    """Play evenings until a fault is found or the time is over."""
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
            print(f"\nseed {shape.seed}: {outcome['broken']}\nLooking for a smaller evening ...")
            report(*shrunk(shape, outcome, database))
            return 1
        clean, acts = clean + 1, acts + outcome["figures"]["acts"]
        if sys.stdout.isatty() or clean % 50 == 0:
            minutes = (real.monotonic() - began) / 60
            said = f"{clean} evenings, {acts} acts, {clean / minutes:.0f} a minute"
            print(f"\r{said}", end="", flush=True)
    print(f"\n{clean} evenings, {acts} acts: nothing found")
    return 0


def shrunk(
    shape: Shape, outcome: Outcome, database: Path, seconds: float = 60
) -> tuple[Shape, Outcome]:
    """Return the smallest evening found in this time in which the same check fails."""
    ends_at = real.monotonic() + seconds
    smaller = iter(_smaller(shape, outcome))
    while real.monotonic() < ends_at and (change := next(smaller, None)) is not None:
        ((candidate, found),) = together([replace(shape, **change)], database, 1)
        if found["check"] == outcome["check"]:
            shape, outcome = candidate, found
            smaller = iter(_smaller(shape, outcome))
    return shape, outcome


def _smaller(shape: Shape, outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield changes that make an evening simpler, the most helpful ones first.

    A fault of many people is often found by two in another evening.
    """
    if shape.people > SMALL["people"] or shape.until > SMALL["until"]:
        yield from (SMALL | {"seed": shape.seed + more} for more in range(OTHERS))
    for name, least in (("tables", 1), ("people", 1), ("processes", 1)):
        of = getattr(shape, name)
        yield from (
            {name: fewer} for fewer in dict.fromkeys((least, of // 2, of - 1)) if 0 < fewer < of
        )
    less = (tuple(kind for kind in shape.faults if kind != one) for one in shape.faults)
    yield from ({"faults": fewer} for fewer in dict.fromkeys(((), *less)) if fewer != shape.faults)
    for until in (outcome["at"], round(shape.until / 2, 1), shape.until - 1):
        if 0 < until < shape.until:
            yield {"until": until}


def report(shape: Shape, outcome: Outcome) -> None:
    """Print what failed, what happened before, and the command that repeats it."""
    options = (f"--{name} {_said(getattr(shape, name))}" for name in SIZES)
    print(f"seed {shape.seed}: {outcome['broken']}", *outcome["story"], sep="\n  ")
    print(".venv/bin/python -m tests.sim", shape.seed, *options, flush=True)


def together(shapes: Iterable[Shape], database: Path, jobs: int) -> Iterator[tuple[Shape, Outcome]]:
    """Play evenings in child processes, some of them in parallel, and yield their results."""
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
        said = f"the evening ended with status {status}"
        ended: Outcome = {"figures": {}, "broken": said, "check": said, "at": 0.0}
        ended |= {"accepted": [], "story": []}
        yield shape, json.loads(text) if text else ended


def _child(shape: Shape, database: Path) -> tuple[int, int]:
    """Start an evening. Return its process id and the pipe for its result."""
    result, end = os.pipe()
    if pid := os.fork():
        os.close(end)
        return pid, result
    os.close(result)
    gc.disable()  # evenings are short, and end with their process
    try:
        with open(end, "w") as pipe:
            json.dump(_played(shape, database), pipe)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)  # the parent deletes the folder of the databases


def _played(shape: Shape, database: Path) -> Outcome:
    from tests.sim.checks import Broken
    from tests.sim.evening import Evening

    evening = Evening(shape, database)
    broken = check = ""
    try:
        evening.play()
    except Broken as error:
        broken, check = str(error), error.check
    except Exception as error:
        broken, check = traceback.format_exc(), repr(error)
    outcome = {
        "figures": evening.figures(),
        "broken": broken[:4000],
        "check": check,
        "at": evening.figures()["seconds"],
        "accepted": sorted(evening.accepted),
        "story": evening.story[-20:],
    }
    evening.clear()
    return outcome


if __name__ == "__main__":
    sys.exit(main())
