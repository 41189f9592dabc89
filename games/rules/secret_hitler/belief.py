"""What a seat may conclude about the others: every possible dealing of the roles, weighed exactly.

The weights come from a simple model of how liberals, fascists and Hitler behave, and from what the
seat knows for certain. Everything is read from its view; whatever is said in the chat is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

from msgspec import UNSET

from games.rules.data import BySeat, Seat
from games.rules.secret_hitler.board import (
    DRAWN,
    HITLER_ZONE,
    LIBERAL_TILES,
    fascists_among,
)
from games.rules.secret_hitler.state import Session, View

LIBERAL, FASCIST, HITLER = 0, 1, 2
_SLIP = 0.03
"""How often somebody does what no plan explains: a finger slips, a clock runs out."""
_LOYALTY = 1.1
"""How much a ja for a government with a fascist in it speaks for a fascist voter."""
_LEANINGS = {surplus: _LOYALTY**surplus for surplus in range(-10, 11)}

Table = tuple[tuple[float, ...], ...]
"""Likelihoods by the president's class and by the chancellor's."""


@dataclass(frozen=True)
class World:
    """One dealing: the class of every seat, and the fascist party as bits."""

    classes: tuple[int, ...]
    party: int


class Belief:
    """Probabilities over the worlds that agree with what a seat knows."""

    def __init__(self, worlds: Sequence[World], weights: Sequence[float], n: int) -> None:
        total = sum(weights)
        self._worlds = tuple(
            (world, weight / total) for world, weight in zip(worlds, weights, strict=True)
        )
        self.fascist = tuple(
            sum(weight for world, weight in self._worlds if world.party >> seat & 1)
            for seat in range(n)
        )
        """By seat: how likely it belongs to the fascists, Hitler counted among them."""
        self.hitler = tuple(
            sum(weight for world, weight in self._worlds if world.classes[seat] == HITLER)
            for seat in range(n)
        )

    def clean(self, one: Seat, other: Seat) -> float:
        """How likely both are liberals."""
        both = 1 << one | 1 << other
        return sum(weight for world, weight in self._worlds if not world.party & both)

    def clean_on_average(self, among: Sequence[Seat]) -> float:
        """How likely two drawn at random from these seats are both liberals."""
        seats = sum(1 << seat for seat in among)
        n = len(among)
        pairs = 0.0
        for world, weight in self._worlds:
            liberals = n - (world.party & seats).bit_count()
            pairs += weight * liberals * (liberals - 1)
        return pairs / (n * (n - 1))


def believe(seat: Seat, view: View) -> Belief:
    """The belief of this seat, from its view alone."""
    worlds = _possible(seat, view)
    weights = [1.0] * len(worlds)
    liberal, fascist, tiles = _at_the_start(view)
    for session in view.history:
        if session.president is not None and session.chancellor is not None:
            pair = (session.president, session.chancellor)
            table = _likelihoods(seat, session, liberal, fascist, tiles)
            _weigh(weights, worlds, pair, table)
            _weigh_votes(weights, worlds, pair, _meant(session))
        liberal += session.enacted == "liberal"
        fascist += session.enacted == "fascist"
    return Belief(worlds, weights, len(view.players))


def _meant(session: Session) -> BySeat[bool]:
    """The ballots but those the clock cast, which say nothing of whose they are."""
    votes = session.votes or BySeat()
    return BySeat({at: ja for at, ja in votes.items() if at not in session.auto})


def _weigh(
    weights: list[float], worlds: Sequence[World], pair: tuple[Seat, Seat], table: Table
) -> None:
    if table:
        president, chancellor = pair
        for at, world in enumerate(worlds):
            weights[at] *= table[world.classes[president]][world.classes[chancellor]]


def _weigh_votes(
    weights: list[float], worlds: Sequence[World], pair: tuple[Seat, Seat], votes: BySeat[bool]
) -> None:
    """Fascists lean towards governments with one of theirs in it."""
    government = 1 << pair[0] | 1 << pair[1]
    ja = sum(1 << voter for voter, yes in votes.items() if yes) & ~government
    nein = sum(1 << voter for voter, yes in votes.items() if not yes) & ~government
    for at, world in enumerate(worlds):
        if world.party & government:
            surplus = (world.party & ja).bit_count() - (world.party & nein).bit_count()
            weights[at] *= _LEANINGS[surplus]


def _possible(seat: Seat, view: View) -> list[World]:
    """The worlds that agree with what is certain: own role, team, parties seen, who is no Hitler.

    Whoever was executed is not Hitler either, or the match would be over.
    """
    certain = {int(at): known.role for at, known in view.knows.items() if known.role}
    if view.role:
        certain[int(seat)] = view.role
    parties = {int(at): known.party for at, known in view.knows.items()}
    classes = {"liberal": LIBERAL, "fascist": FASCIST, "hitler": HITLER}
    must = [(at, classes[role]) for at, role in certain.items()]
    bad = sum(1 << at for at, party in parties.items() if party == "fascist")
    good = sum(1 << at for at, party in parties.items() if party == "liberal")
    cleared = {at for at, facts in enumerate(view.players) if facts.is_not_hitler}
    cleared |= {at for at, facts in enumerate(view.players) if not facts.alive}
    return [
        world
        for world in _dealings(len(view.players))
        if world.party & bad == bad
        and not world.party & good
        and world.classes.index(HITLER) not in cleared
        and all(world.classes[at] == of for at, of in must)
    ]


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
            worlds.append(World(tuple(classes), sum(1 << at for at in (hitler, *team))))
    return tuple(worlds)


def _at_the_start(view: View) -> tuple[int, int, int]:
    """Liberal and fascist policies on the board before the first election, and all the tiles."""
    before = view.fascist - sum(session.enacted == "fascist" for session in view.history)
    in_session = {"president_discard": 3, "chancellor_enact": 2, "veto_confirm": 2}
    hidden = view.deck_size + view.discard_size + in_session.get(view.phase, 0)
    return 0, before, hidden + view.liberal + view.fascist


def _likelihoods(seat: Seat, session: Session, liberal: int, fascist: int, tiles: int) -> Table:
    """How likely each pair of classes does what this government did, as far as the seat saw it.

    Empty where nothing can be concluded.
    """
    by_chance = {session.auto_by.discard, session.auto_by.enact} != {UNSET}
    if session.by != "government" or by_chance:
        return ()
    enacted = session.enacted == "liberal"
    malices = _malices(fascist)
    pool = (LIBERAL_TILES - liberal, tiles - LIBERAL_TILES - fascist)
    if session.passed_on is None:
        return _from_outside(pool, malices, enacted)
    good = sum(tile == "liberal" for tile in session.passed_on)
    if seat == session.president:
        return (tuple(_enacts(good, malice, enacted) for malice in malices),) * 3
    return tuple((_passes(pool, good, malice),) * 3 for malice in malices)


@lru_cache(maxsize=512)
def _from_outside(pool: tuple[int, int], malices: tuple[float, ...], enacted: bool) -> Table:
    return tuple(
        tuple(
            sum(
                _passes(pool, good, president) * _enacts(good, chancellor, enacted)
                for good in range(DRAWN)
            )
            for chancellor in malices
        )
        for president in malices
    )


def _malices(fascist: int) -> tuple[float, ...]:
    """How often each class throws a liberal policy away when it has the choice.

    Before two fascist policies stand a fascist hides half of the time; Hitler hides until three.
    """
    return _SLIP, 0.5 if fascist < 2 else 0.9, 0.15 if fascist < HITLER_ZONE else 0.9


def _passes(pool: tuple[int, int], good: int, malice: float) -> float:
    """The chance that a president of this malice passes on exactly `good` liberal policies."""
    chance = 0.0
    for drawn, share in enumerate(_draws(pool)):
        kept = min(drawn, 2)
        spoilt = max(drawn - 1, 0)
        if kept == spoilt:
            chance += share * (good == kept)
        else:
            chance += share * ((1 - malice) * (good == kept) + malice * (good == spoilt))
    return chance


def _enacts(good: int, malice: float, liberal: bool) -> float:
    """The chance that a chancellor given `good` liberal policies enacts a liberal one, or not."""
    chance = (0.0, 1 - malice, 1.0)[good]
    return chance if liberal else 1 - chance


@lru_cache(maxsize=128)
def _draws(pool: tuple[int, int]) -> tuple[float, ...]:
    """The chances of 0 to 3 liberal policies among three drawn from the tiles not enacted."""
    good, bad = pool
    ways = comb(good + bad, DRAWN)
    return tuple(comb(good, k) * comb(bad, DRAWN - k) / ways for k in range(DRAWN + 1))
