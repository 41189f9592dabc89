"""`python -m bench [udp] [json] [pages] [--seconds 10]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench import rooms, udp_rounds
from bench.house import House

PARTS = {"udp": udp_rounds.measure, "json": rooms.json, "pages": rooms.pages}


def main() -> int:
    """Each part on a server and a database of its own."""
    parser = argparse.ArgumentParser(prog="bench", description="Measures a served Parlour.")
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), default=[])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    for name in given.parts or PARTS:
        with tempfile.TemporaryDirectory() as folder, House(Path(folder)) as house:
            asyncio.run(PARTS[name](house, given.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
