"""`python -m tools.bench [json] [pages] [league] [--seconds 10] [--tables 1 20 200]
[--viewers 10] [--rate 100] [--databases SQLite PostgreSQL]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tools.bench import rooms
from tools.bench.server import BenchServer
from tools.bench.tables import VIEWERS, Page, Program

PARTS = {"json": Program, "pages": Page}
LEAGUE = "league"
DATABASES = ("SQLite", "PostgreSQL")


def main() -> int:
    """Run each part on a new server and database."""
    parser = argparse.ArgumentParser(prog="bench", description="Measures a served Parlour.")
    parser.add_argument("parts", nargs="*", metavar="|".join((*PARTS, LEAGUE)), default=[])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 20, 200], help="at a time")
    parser.add_argument("--viewers", type=int, default=VIEWERS, help="at each table")
    parser.add_argument(
        "--rate", type=float, help="moves a second at all tables together; as many as possible"
    )
    parser.add_argument("--databases", nargs="*", choices=DATABASES, default=DATABASES)
    given = parser.parse_args()
    if unknown := set(given.parts) - {*PARTS, LEAGUE}:
        parser.error(
            f"there is no part {', '.join(unknown)}; there are {', '.join((*PARTS, LEAGUE))}"
        )
    for name in given.parts or (*PARTS, LEAGUE):
        for database in given.databases:
            with (
                tempfile.TemporaryDirectory() as folder,
                BenchServer(Path(folder), database == "PostgreSQL") as server,
            ):
                if name == LEAGUE:
                    print(server.database)
                    script = "from tools.bench import league; league.run()"
                    print(server.served.manage("shell", "--no-imports", "-c", script), flush=True)
                    continue
                many = (given.tables, given.viewers, given.rate, given.seconds)
                asyncio.run(rooms.measure(server, name, PARTS[name], *many))
    return 0


if __name__ == "__main__":
    sys.exit(main())
