"""Counters and timings for `/metrics`, without names, room codes or secrets.

Each process counts separately. Workers that share a port write files to one folder
(PROMETHEUS_MULTIPROC_DIR, set by `serve`). The files are added up when `/metrics` is requested.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.multiprocess import mark_process_dead

registry = CollectorRegistry()
of_process = CollectorRegistry()
"""CPU time, memory, open files and start of this process."""
ProcessCollector(registry=of_process)

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


def forget_dead_workers() -> None:
    """Remove the gauges of workers that have ended. Otherwise they would be counted forever."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    for file in Path(folder).glob("gauge_live*_*.db") if folder else ():
        pid = int(file.stem.rpartition("_")[2])
        if not _is_running(pid):
            with suppress(FileNotFoundError):  # another worker may clean up at the same time
                mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):  # or the pid is now another user's
        return False
    return True


def _counter(name: str, said: str, *labels: str) -> Counter:
    return Counter(f"parlour_{name}", said, labels, registry=registry)


def _gauge(name: str, said: str, *labels: str) -> Gauge:
    return Gauge(f"parlour_{name}", said, labels, registry=registry, multiprocess_mode="livesum")


def _histogram(
    name: str, said: str, buckets: tuple[float, ...] = QUICK, labels: tuple[str, ...] = ()
) -> Histogram:
    return Histogram(f"parlour_{name}", said, labels, registry=registry, buckets=buckets)


http_seconds = _histogram(
    "http_seconds", "From a request until its response is sent", labels=("status",)
)
connections = _gauge("connections", "Open sockets", "kind")
acts = _counter("acts", "Acts committed", "game", "kind", "by")
acts_of = cache(acts.labels)
refused_moves = _counter("refused_moves", "Moves refused", "game", "code")
refusals = _counter("refusals", "Commands refused, moves among them", "code")
command_seconds = _histogram("command_seconds", "From asking the writer to the answer")
shown_seconds = _histogram("shown_seconds", "From a commit until the last viewer was sent it")
group_size = _histogram("group_size", "Commands committed together", (1, 2, 4, 8, 16, 32, 64))
waiting = _gauge("writer_waiting", "Commands that wait for the writer")
hashing = _gauge("hashing_waiting", "Passwords that wait to be hashed")
lost_notifications = _counter("lost_notifications", "Notifications other processes did not get")
wake_seconds = _histogram("wake_lag_seconds", "How late a bot or a deadline was looked at")
storage_faults = _counter("storage_faults", "Failed reads and writes of the database", "what")
redis_away = _gauge("redis_away", "Whether Redis is used but cannot be reached")
leads = _gauge("leads", "Whether the process leads, and reports metrics from the database")
clock_skew = Gauge(
    "parlour_clock_skew_seconds",
    "How far the clock of this machine is ahead of the database's",
    registry=registry,
    multiprocess_mode="livemostrecent",
)
datagrams = _counter("datagrams", "Datagrams of programs", "reason")
seeks = _counter("seeks", "Requests for a quick match, and how they ended", "game", "what")
ladder_tables = _counter("ladder_tables", "Tables of the ladder, and their ends", "game", "what")
