"""Assign tests to workers so that waiting tests and computing tests run side by side.

Half of the workers start with files whose tests wait for browsers, servers and programs. The other
half start with computation at low priority (`nice(2)`), so that they use only spare processor time
and delay nothing time-critical. If a worker has no files of its kind left, it helps the others.
"""

from __future__ import annotations

import os
from typing import Any

from xdist.scheduler import LoadFileScheduling

WAITING = (
    *("tests/chaos/", "tests/browser/", "tests/udp/", "tests/programs/"),
    *("tests/wire/test_wire_check", "tests/wire/test_transport"),
    *("tests/test_prepare", "tests/test_on_postgres"),
)
"""Path prefixes of files whose tests mostly wait."""
LONGEST = (
    *("test_on_postgres", "test_simulation", "test_laws", "test_page_access", "test_film"),
    *("test_whole_matches", "test_wire_access", "test_costs", "test_long_jobs", "test_house"),
    *("test_ways_to_read", "test_arena", "test_chaos", "test_stage_cards", "test_beats"),
    *("test_isolation", "test_storage_away", "test_five_games", "test_add_game", "test_floods"),
    *("test_stage_secret_hitler", "test_without_a_game", "test_wire_check", "test_layout_shift"),
)
"""The slowest files. They start first, so that none of them runs alone at the end."""
NICENESS = 10


def number_of_workers() -> int:
    """Return two per processor: one that waits and one that computes."""
    return 2 * max(2, len(os.sched_getaffinity(0)))


def be_nice() -> None:
    """Lower the priority of a computing worker."""
    if not _waits(os.environ["PYTEST_XDIST_WORKER"]):
        os.nice(NICENESS)


class Scheduling(LoadFileScheduling):
    """Give each worker whole files, and files of its own kind first."""

    def _assign_work_unit(self, node: Any) -> None:
        waits = _waits(node.gateway.id)
        first = min(self.workqueue, key=lambda file: (_is_waiting(file) != waits, _rank(file)))
        self.workqueue.move_to_end(first, last=False)
        super()._assign_work_unit(node)


def _waits(worker: str) -> bool:
    return int(worker.removeprefix("gw")) % 2 == 0


def _is_waiting(file: str) -> bool:
    return file.startswith(WAITING)


def _rank(file: str) -> int:
    name = file.rpartition("/")[2].removesuffix(".py")
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)
