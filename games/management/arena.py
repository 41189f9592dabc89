"""Plays many matches between bots without a database, to measure one bot against others."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from msgspec.structs import replace

from games.contract.choices import is_offered, random_move
from games.contract.core import Claim, ClaimMade, Event, Options, Outcome, State, Told, all_seats
from games.contract.data import Seat, pack, unpack
from games.contract.game import AnyGame
from games.contract.luck import Luck, bot_luck, claim_luck
from games.registry import GAMES

LONGEST = 20000
Z = 1.96
"""Standard deviations on either side of a 95 % interval."""


class CannotContinue(RuntimeError):
    """A match is not over, but nobody can move."""


@dataclass
class Tally:
    """Results of one bot over many matches. Times are in seconds."""

    matches: int = 0
    won: float = 0.0
    rounds: int = 0
    rounds_lost: int = 0
    acts: int = 0
    illegal: int = 0
    fallbacks: int = 0
    times: list[float] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        for name in ("matches", "won", "rounds", "rounds_lost", "acts", "illegal", "fallbacks"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.times += other.times

    @property
    def rate(self) -> float:
        """Share of matches won. A win shared by n players counts 1/n. A win of a side counts 1."""
        return self.won / self.matches if self.matches else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval of the rate."""
        if not self.matches:
            return 0.0, 1.0
        share = Z * Z / self.matches
        middle = (self.rate + share / 2) / (1 + share)
        spread = self.rate * (1 - self.rate) / self.matches + share / (4 * self.matches)
        half = Z * math.sqrt(spread) / (1 + share)
        return max(0.0, middle - half), min(1.0, middle + half)

    def time_at(self, share: float) -> float:
        """Return the `share` quantile of the times per move."""
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def play(
    game: AnyGame, options: Options, levels: Sequence[str], seed: int, me: Seat
) -> tuple[Outcome, Tally]:
    """Play a match between bots. `levels` has the level of each seat.

    Return its outcome, and the tally of the bot `me`.
    """
    key, tally, act = seed.to_bytes(32, "big"), Tally(matches=1), 1
    poll, seats = Luck(b"poll" + key, 1), all_seats(len(levels))
    change = game.rules.setup(len(levels), options, Luck(key, 1))
    heard: list[list[Event]] = [[] for _ in seats]
    _hear(heard, change.told)
    talk = Talk(game, levels, key)
    while (outcome := game.rules.outcome(change.state)) is None:
        state = change.state
        talk.go_on(state, heard)
        asked = game.rules.awaited(state) or tuple(
            seat for seat in seats if game.rules.offers(state, seat)
        )
        if not asked:
            raise CannotContinue(f"seed {seed}, act {act}: no seat has an offer, but nobody wins")
        seat = asked[poll.draw("who", len(asked))]
        offers, luck = game.rules.offers(state, seat), bot_luck(key, seat, act)
        if not offers:
            raise CannotContinue(f"seed {seed}, act {act}: seat {seat} is awaited without offers")
        view = game.rules.view(state, seat)
        begun = time.perf_counter()
        try:
            said = talk.heard_by(seat)
            move = game.bots.levels[levels[seat]](seat, view, offers, heard[seat], said, luck)
        except Exception:
            tally.fallbacks += seat == me
            move = random_move(game.rules.moves, offers, luck)
        if seat == me:
            tally.times.append(time.perf_counter() - begun)
        if not is_offered(offers, move):
            tally.illegal += seat == me
            move = random_move(game.rules.moves, offers, luck)
        act += 1
        change = game.rules.apply(state, seat, move, Luck(key, act))
        _hear(heard, change.told)
        if me not in game.rules.out(state):
            _count_rounds(tally, change.told, me)
        if act > LONGEST:
            raise CannotContinue(f"seed {seed} does not end")
    tally.acts = act
    together = 1 if game.rules.sides else max(1, len(outcome.winners))
    tally.won = (me in outcome.winners) / together
    return outcome, tally


class Talk:
    """The claims that bots make at a table.

    Each claim is made once, while it is open, in the order of `Claim.order`.
    """

    def __init__(self, game: AnyGame, levels: Sequence[str], key: bytes) -> None:
        self.made: list[tuple[ClaimMade, tuple[int, ...]]] = []
        """Every claim, with the number of events each seat had been told by then."""
        self._game, self._levels, self._key = game, levels, key
        self._decided: set[tuple[Seat, str, int]] = set()

    def heard_by(self, seat: Seat) -> list[ClaimMade]:
        """Return the claims, each with the number of events that this seat was told before it."""
        return [replace(claim, after=told[seat]) for claim, told in self.made]

    def go_on(self, state: State, heard: Sequence[Sequence[Event]]) -> None:
        """Let every bot with an open claim make it or stay silent."""
        claims, talks = self._game.rules.claims, self._game.bots.talks
        if claims is None or not talks:
            return
        seats = [seat for seat in all_seats(len(heard)) if self._levels[seat] in talks]
        found = [(claim, seat) for seat in seats for claim in claims.open(state, seat)]
        for claim, seat in sorted(found, key=lambda one: one[0].order):
            if (key := (seat, claim.kind, claim.about)) not in self._decided:
                self._decided.add(key)
                self._ask(state, seat, claim, heard)

    def _ask(
        self, state: State, seat: Seat, claim: Claim, heard: Sequence[Sequence[Event]]
    ) -> None:
        say = self._game.bots.talks[self._levels[seat]]
        luck = claim_luck(self._key, seat, claim.kind, claim.about)
        view = self._game.rules.view(state, seat)
        said = say(seat, view, (claim,), heard[seat], self.heard_by(seat), luck)
        if said is not None and said.kind == claim.kind and claim.allows(said.values):
            made = ClaimMade(seat, claim.kind, claim.about, said.values, 0)
            self.made.append((made, tuple(len(told) for told in heard)))


def compare(
    slug: str,
    options: Options,
    seats: int,
    level: str,
    others: str,
    matches: int,
    seed: int = 0,
    workers: int = 2,
    step: Callable[[int], None] = lambda count: None,
    side: str = "",
) -> Tally:
    """Measure a bot of `level` among bots of the level `others`.

    Seats rotate, and all levels get the same deals.

    With `side`, every bot on that side has this level, and all others have `others`.
    """
    total = Tally()
    chunks = list(_chunks(range(seed, seed + matches), 20))
    jobs = [(slug, pack(options), seats, level, others, side, chunk) for chunk in chunks]
    if workers < 2:
        for job in jobs:
            total.add(_some(*job))
            step(len(job[-1]))
        return total
    # Do not fork, because the progress bar is a thread, and the child might inherit a held lock.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for done, chunk in zip(pool.map(_some, *zip(*jobs, strict=True)), chunks, strict=True):
            total.add(done)
            step(len(chunk))
    return total


def _some(
    slug: str,
    options: dict[str, object],
    seats: int,
    level: str,
    others: str,
    side: str,
    seeds: Sequence[int],
) -> Tally:
    game, total = GAMES[slug], Tally()
    read: Options = unpack(options, game.rules.options)
    for seed in seeds:
        mine = _side(game, read, seats, seed, side) if side else (Seat(seed % seats),)
        levels = [level if seat in mine else others for seat in all_seats(seats)]
        total.add(play(game, read, levels, seed, mine[seed % len(mine)])[1])
    return total


def _side(game: AnyGame, options: Options, seats: int, seed: int, side: str) -> tuple[Seat, ...]:
    """Return the seats that are on this side in the deal with this seed."""
    assert game.rules.sides is not None
    state = game.rules.setup(seats, options, Luck(seed.to_bytes(32, "big"), 1)).state
    return tuple(Seat(at) for at, on in enumerate(game.rules.sides(state)) if on == side)


def _hear(heard: Sequence[list[Event]], told: Sequence[Told]) -> None:
    for one in told:
        for seat in all_seats(len(heard)) if one.to is None else one.to:
            heard[seat].append(one.event)


def _count_rounds(tally: Tally, told: Sequence[Told], me: Seat) -> None:
    """Count rounds and losses, if the game has an event for the loser of a round."""
    for one in told:
        if type(one.event).__name__ == "PlayerLost":
            tally.rounds += 1
            tally.rounds_lost += me in getattr(one.event, "usernames", ())


def _chunks(of: range, size: int) -> Iterator[range]:
    for at in range(0, len(of), size):
        yield of[at : at + size]
