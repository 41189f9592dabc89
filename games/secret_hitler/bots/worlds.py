"""All role assignments that are consistent with what a seat knows for certain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from games.contract.data import Seat
from games.secret_hitler.bots.policy import FASCIST, HITLER, LIBERAL
from games.secret_hitler.rules.board import fascists_among
from games.secret_hitler.rules.state import View


@dataclass(frozen=True)
class World:
    """One assignment: the role of every seat, the fascist party as a bit set, and Hitler's seat."""

    classes: tuple[int, ...]
    party: int
    hitler: int


@dataclass(frozen=True)
class Certain:
    """A seat's certain knowledge: who is liberal, who is fascist, and who cannot be Hitler.

    `liberals` and `fascists` are bit sets of seats. `cleared` are the seats that are not Hitler.
    """

    seats: int
    liberals: int
    fascists: int
    cleared: int


def certain_of(seat: Seat, view: View) -> Certain:
    """Return what an innocent player in this seat knows: its own party, and those in its view.

    Executed players are not Hitler, or the match would be over.
    """
    parties = {int(at): known.party for at, known in view.knows.items()}
    parties[int(seat)] = "liberal"
    facts = list(enumerate(view.players))
    return Certain(
        seats=len(facts),
        liberals=sum(1 << at for at, party in parties.items() if party == "liberal"),
        fascists=sum(1 << at for at, party in parties.items() if party == "fascist"),
        cleared=sum(1 << at for at, fact in facts if fact.is_not_hitler or not fact.alive),
    )


@lru_cache(maxsize=256)
def possible(certain: Certain) -> tuple[World, ...]:
    """Return the assignments that are consistent with `certain`."""
    return tuple(
        world
        for world in _dealings(certain.seats)
        if world.party & certain.fascists == certain.fascists
        and not world.party & certain.liberals
        and not certain.cleared >> world.hitler & 1
    )


@lru_cache(maxsize=8)
def _dealings(n: int) -> tuple[World, ...]:
    worlds = []
    for hitler in range(n):
        others = [at for at in range(n) if at != hitler]
        for team in combinations(others, fascists_among(n)):
            classes = [LIBERAL] * n
            classes[hitler] = HITLER
            for at in team:
                classes[at] = FASCIST
            party = sum(1 << at for at in (hitler, *team))
            worlds.append(World(tuple(classes), party, hitler))
    return tuple(worlds)
