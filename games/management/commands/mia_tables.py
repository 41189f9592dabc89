"""Prints how much the strategy tables of Mia's `hard` bot lose to an exact best response."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.mia.bots.responses import Rules, Strategy, exploitability
from games.mia.bots.tables import MOST, Table, kept, reply, rules_key, solved

SIZES = range(2, MOST + 1)


class Command(BaseCommand):
    help = "Prints the exploitability of each table of the Mia bot `hard`."
    requires_system_checks = []

    def handle(self, *args: Any, **given: Any) -> None:
        self.stdout.write("Equilibria: rounds out of 1000 that a best response gains")
        self.stdout.write(f"{'players':<20}" + "".join(f"{n:>6}" for n in SIZES))
        for little in (False, True):
            for must_raise in (True, False):
                for costs in (1, 2):
                    rules = [Rules(n, little, must_raise, costs) for n in SIZES]
                    name = rules_key(little, must_raise, 2).removesuffix("/2")
                    name += " Mia 2" if costs == 2 else ""
                    lost = "".join(f"{1000 * lost_to_best(one):6.1f}" for one in rules)
                    self.stdout.write(f"{name:<20}{lost}")
        self.stdout.write("\nReplies for two (announces/answers): share of the rounds lost")
        self.stdout.write(f"{'':<20}  against it  the equilibrium  at most")
        for name, worth in kept().worth.items():
            if name in kept().tables:
                most = 0.5 + exploitability(strategy(reply(name)), Rules(2))
                plain = kept().worth["solved/solved"][name]
                self.stdout.write(f"{name:<20}{worth[name]:12.3f}{plain:17.3f}{most:9.3f}")


def lost_to_best(rules: Rules) -> float:
    """Return how much the equilibrium under these rules loses per round to a best response."""
    return exploitability(strategy(solved(rules.little, rules.must_raise, rules.n)), rules)


def strategy(table: Table) -> Strategy:
    return Strategy(table.says, table.sees)
