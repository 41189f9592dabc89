"""Statistics: the share of live shells at the start of Chamber rounds among bots.

`python -m games.chamber.tests.chambers` prints the table in docs/opponents.md. `--matches` and
`--seats` set the number of matches and bots.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from statistics import median

from games.chamber.rules.state import (
    Options,
    PassRebalance,
    Rounds,
    UseRebalancerItem,
)
from games.chamber.tests.tables import match

Added = Counter[str]


def chambers(n: int, matches: int, level: str, options: Options, added: Added) -> Iterator[Rounds]:
    """Yield the shells at the start of each round. Count the added shells in `added`."""
    for seed in range(matches):
        number = 0
        for made in match(n, seed, [level] * n, options):
            match made.move:
                case UseRebalancerItem(ammo_type=kind):
                    added[kind] += 1
                case PassRebalance():
                    added["nothing"] += 1
            if made.state.phase == "turn" and made.state.round != number:
                number = made.state.round
                yield made.state.loaded


def shares_at_first(
    n: int, matches: int, level: str, options: Options, added: Added
) -> list[float]:
    """Return the share of live shells at the start of each round."""
    found = chambers(n, matches, level, options, added)
    return [rounds.live / (rounds.live + rounds.blank) for rounds in found]


def outside(shares: list[float]) -> float:
    """Return the share of rounds that began with less than 25 % or more than 75 % live shells."""
    return sum(not 0.25 <= share <= 0.75 for share in shares) / len(shares)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--matches", type=int, default=200)
    asked.add_argument("--seats", type=int, default=4)
    given = asked.parse_args()
    print(
        "level, cap | outside 25-75 % | median | more live than blank | live, blank, nothing added"
    )
    for level in ("random", "easy", "normal"):
        for cap in (0, 75):
            added: Added = Counter()
            shares = shares_at_first(
                given.seats, given.matches, level, Options(rebalance_cap=cap), added
            )
            kinds = ", ".join(
                f"{added[kind] / added.total():.2f}" for kind in ("live", "blank", "nothing")
            )
            more = sum(share > 0.5 for share in shares) / len(shares)
            print(
                f"{level}, {cap} | {outside(shares):.3f} | {median(shares):.2f} | {more:.2f} |"
                f" {kinds} (n = {len(shares)} rounds)"
            )


if __name__ == "__main__":
    main()
