"""Beliefs of a seat about the others: an exact distribution over all assignments of roles.

The weights combine what each role would do and say (`likelihood`) with what the seat knows for
certain. The weights are a pure function of the history and the claims, so they can be cached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from msgspec import UNSET

from games.contract.data import Seat
from games.secret_hitler.bots.likelihood import GovernmentFacts, of_government, of_investigation
from games.secret_hitler.bots.policy import Policy
from games.secret_hitler.bots.worlds import Certain, World, certain_of, possible
from games.secret_hitler.rules.board import LIBERAL_TILES
from games.secret_hitler.rules.spoken import Spoken, liberals_in
from games.secret_hitler.rules.state import Session, View

_FOR_OWN = {True: (0.95, 0.05), False: (0.12, 0.88)}
"""Rates at which fascists vote ja and nein, depending on whether a teammate is in the
government.
"""


class Belief:
    """A probability distribution over the worlds that are consistent with a seat's knowledge."""

    def __init__(self, worlds: Sequence[World], weights: Sequence[float], n: int) -> None:
        total = sum(weights)
        if not total:  # nothing fits the story, so use a uniform distribution
            weights, total = [1.0] * len(worlds), len(worlds)
        self._worlds = tuple(
            (world.party, weight / total) for world, weight in zip(worlds, weights, strict=True)
        )
        self._classes = tuple(world.classes for world in worlds)
        self.fascist = tuple(
            sum(weight for party, weight in self._worlds if party >> seat & 1) for seat in range(n)
        )
        """For each seat, the probability of belonging to the fascist party. Hitler is included."""
        hitler = [0.0] * n
        for world, weight in zip(worlds, weights, strict=True):
            hitler[world.hitler] += weight / total
        self.hitler = tuple(hitler)

    def clean(self, one: Seat, other: Seat) -> float:
        """Return the probability that both of these seats are liberals."""
        both = 1 << one | 1 << other
        return sum(weight for party, weight in self._worlds if not party & both)

    def classes(self, one: Seat, other: Seat) -> Mapping[tuple[int, int], float]:
        """Return the joint probabilities of the roles of these two seats."""
        found = defaultdict[tuple[int, int], float](float)
        for classes, (_party, weight) in zip(self._classes, self._worlds, strict=True):
            found[classes[one], classes[other]] += weight
        return found

    def clean_on_average(self, among: Sequence[Seat]) -> float:
        """Return the probability that two of these seats, drawn at random, are both liberals."""
        seats = sum(1 << seat for seat in among)
        n = len(among)
        pairs = 0.0
        for party, weight in self._worlds:
            liberals = n - (party & seats).bit_count()
            pairs += weight * liberals * (liberals - 1)
        return pairs / (n * (n - 1))


@dataclass(frozen=True)
class Evidence:
    """The facts from which a belief is computed."""

    seat: Seat
    certain: Certain
    policy: Policy
    history: tuple[Session, ...]
    spoken: tuple[tuple[tuple[str, int], tuple[str, ...]], ...]
    fascist: int
    """Fascist policies on the board before the first election."""
    tiles: int


def believe(seat: Seat, view: View, spoken: Spoken, policy: Policy) -> Belief:
    """Return the belief that an innocent player in this seat would have. Results are cached."""
    return remembered(evidence(seat, view, spoken, policy))


def evidence(seat: Seat, view: View, spoken: Spoken, policy: Policy) -> Evidence:
    """Collect the evidence available to an innocent player in this seat."""
    before = view.fascist - sum(session.enacted == "fascist" for session in view.history)
    in_session = {"president_discard": 3, "chancellor_enact": 2, "veto_confirm": 2}
    hidden = view.deck_size + view.discard_size + in_session.get(view.phase, 0)
    return Evidence(
        seat,
        certain_of(seat, view),
        policy,
        view.history,
        tuple(sorted(spoken.items())),
        before,
        hidden + view.liberal + view.fascist,
    )


def weighed(found: Evidence) -> Belief:
    """Compute the belief that follows from the evidence."""
    worlds = possible(found.certain)
    weights = [1.0] * len(worlds)
    for table, peeker, (president, chancellor) in _governments(found):
        for at, world in enumerate(worlds):
            of = world.classes
            weights[at] *= table[of[peeker]][of[president]][of[chancellor]]
    _weigh_investigations(weights, worlds, found)
    if found.policy.leak:
        _weigh_votes(weights, worlds, found)
    return Belief(worlds, weights, found.certain.seats)


remembered = lru_cache(maxsize=512)(weighed)
"""Cached version of `weighed`."""


def _governments(
    found: Evidence,
) -> Iterator[tuple[tuple[tuple[tuple[float, ...], ...], ...], Seat, tuple[Seat, Seat]]]:
    """Yield each government's likelihoods, the last seat to peek before it, and its members."""
    spoken, liberal, fascist = dict(found.spoken), 0, found.fascist
    peeker, peek, on_top = found.seat, None, None
    for about, session in enumerate(found.history):
        president, chancellor = session.president, session.chancellor
        by_chance = {session.auto_by.discard, session.auto_by.enact} != {UNSET}
        decided = session.by == "government" and not by_chance
        if decided and president is not None and chancellor is not None:
            pool = (LIBERAL_TILES - liberal, found.tiles - LIBERAL_TILES - fascist)
            enacted = session.enacted == "liberal"
            facts = GovernmentFacts(pool, liberal, fascist, enacted, drawn=on_top, peek=peek)
            facts = _seen(facts, session, about, found.seat, spoken)
            yield of_government(facts, found.policy), peeker, (president, chancellor)
        liberal += session.enacted == "liberal"
        fascist += session.enacted == "fascist"
        if session.passed or session.by == "chaos":
            peeker, peek, on_top = found.seat, None, None
        if session.power == "peek" and isinstance(session.result, tuple):
            on_top = liberals_in(session.result)
        elif session.power == "peek" and president is not None and ("peeked", about) in spoken:
            peeker, peek = president, liberals_in(spoken["peeked", about])


def _seen(
    facts: GovernmentFacts, session: Session, about: int, seat: Seat, spoken: Spoken
) -> GovernmentFacts:
    """Add to the facts about a government what this seat knows and has heard about it."""
    if seat == session.president and session.drawn is not None:
        facts = replace(facts, drawn=liberals_in(session.drawn), peek=None)
    elif ("drawn", about) in spoken:
        facts = replace(facts, says_drew=liberals_in(spoken["drawn", about]))
    if session.passed_on is not None:
        facts = replace(facts, passed=liberals_in(session.passed_on))
    if seat != session.chancellor and ("received", about) in spoken:
        facts = replace(facts, says_got=liberals_in(spoken["received", about]))
    return facts


def _weigh_investigations(weights: list[float], worlds: Sequence[World], found: Evidence) -> None:
    """Weigh the worlds by what others have claimed about the parties of investigated players."""
    for (kind, about), values in found.spoken:
        session = found.history[about]
        by, target = session.president, session.target
        if kind != "investigated" or by is None or target is None or by == found.seat:
            continue
        claimed = values[0] == "fascist"
        for at, world in enumerate(worlds):
            guilty = bool(world.party >> target & 1)
            weights[at] *= of_investigation(guilty, claimed, world.classes[by], found.policy)


def _weigh_votes(weights: list[float], worlds: Sequence[World], found: Evidence) -> None:
    """Give more weight to worlds in which fascists voted for their own team.

    `leak` scales the effect.
    """
    leak = found.policy.leak
    ratios = [1.0] * len(worlds)
    for session in found.history:
        if session.president is None or session.chancellor is None or not session.votes:
            continue
        government = 1 << session.president | 1 << session.chancellor
        votes = {at: ja for at, ja in session.votes.items() if at not in session.auto}
        share = (sum(votes.values()) + 1) / (len(votes) + 2)
        outside = [(1 << at, ja) for at, ja in votes.items() if not government >> at & 1]
        for own, (ja_rate, nein_rate) in _FOR_OWN.items():
            odd_ja, odd_nein = ja_rate / share, nein_rate / (1 - share)
            odds = [(bit, odd_ja if ja else odd_nein) for bit, ja in outside]
            for at, world in enumerate(worlds):
                if bool(world.party & government) is own:
                    for bit, odd in odds:
                        if world.party & bit:
                            ratios[at] *= odd
    for at, ratio in enumerate(ratios):
        weights[at] *= 1 - leak + leak * ratio
