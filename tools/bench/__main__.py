"""`python -m tools.bench [json] [pages] [length] [connecting] [udp] [workers] [--seconds 10]
[--tables 1 20 200] [--databases SQLite PostgreSQL]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tools.bench import connecting, length, rooms, udp_rounds
from tools.bench.house import House
from tools.bench.plan import Plan

PARTS = {
    "json": rooms.json,
    "pages": rooms.pages,
    "length": length.measure,
    "connecting": connecting.measure,
    "udp": udp_rounds.measure,
    "workers": rooms.workers,
}
DATABASES = ("SQLite", "PostgreSQL")


def main() -> int:
    """Run each part on a new server and database."""
    parser = argparse.ArgumentParser(prog="bench", description="Measures a served Parlour.")
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), default=[])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 20, 200], help="at a time")
    parser.add_argument("--databases", nargs="*", choices=DATABASES, default=DATABASES)
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    plan = Plan(given.seconds, tuple(given.tables))
    for name in given.parts or PARTS:
        for database in given.databases:
            for workers in (1, 2) if name == "workers" and database == "PostgreSQL" else (1,):
                if name != "workers" or database == "PostgreSQL":
                    _measure(name, database, workers, plan)
    return 0


def _measure(name: str, database: str, workers: int, plan: Plan) -> None:
    on_postgresql = database == "PostgreSQL"
    with (
        tempfile.TemporaryDirectory() as folder,
        House(Path(folder), on_postgresql, workers) as house,
    ):
        asyncio.run(PARTS[name](house, plan))


if __name__ == "__main__":
    sys.exit(main())
