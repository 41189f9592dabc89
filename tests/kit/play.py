"""Random matches for tests, with every act recorded so that it can be replayed."""

from __future__ import annotations

import copy
import random
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from games.contract.choices import random_move
from games.contract.core import Change, Event, Move, Offer, Options, Told, all_seats
from games.contract.data import Data, Seat, Viewer, encode, pack
from games.contract.game import AnyGame
from games.contract.luck import Draw, Luck

LONGEST = 5000
IN_TURN = 4
"""Maximum seats of a kind checked at one moment of a large table. Others follow later."""

T = TypeVar("T")


class Act(Data, frozen=True):
    """An act of a match: a move, lapse, leave or join."""

    kind: str
    seat: Seat | None = None
    move: Any = None

    def __str__(self) -> str:
        who = "" if self.seat is None else f" of seat {self.seat}"
        return f"{self.kind}{who} {'' if self.move is None else pack(self.move)}".strip()


class Dice(Luck):
    """Fast random choices for laws, which need no verifiable randomness."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self.draws = []

    @cached_property
    def _random(self) -> random.Random:
        """Create the generator on first use: most laws draw nothing, and seeding is expensive."""
        return random.Random(self._seed)

    def _number(self, label: str, size: int) -> int:
        return self._random.randrange(size)

    def _permutation(self, label: str, size: int) -> tuple[int, ...]:
        places = list(range(size))
        self._random.shuffle(places)
        return tuple(places)


class Log:
    """History of a match, shared by all its moments. Each moment knows its own position."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.draws: list[tuple[Draw, ...]] = []
        self.told: list[Told] = []
        self.until: list[int] = []
        """Number of events sent after the setup and after each act."""
        self._heard: dict[Viewer, tuple[list[int], list[Event]]] = {}

    def keep(self, told: Sequence[Told], draws: tuple[Draw, ...]) -> None:
        self.told += told
        self.draws.append(draws)
        self.until.append(len(self.told))

    def copy(self, made: int) -> Log:
        """Return the log as it was after `made` acts."""
        log = Log()
        log.acts, log.draws = self.acts[:made], self.draws[: made + 1]
        log.until = self.until[: made + 1]
        log.told = self.told[: log.until[-1]]
        return log

    def heard(self, viewer: Viewer, until: int) -> tuple[Event, ...]:
        """Return what a viewer received among the first `until` events. Examine each event once."""
        places, events = self._heard.setdefault(viewer, ([], []))
        known = places[-1] if places else 0
        for place, told in enumerate(self.told[known:until], known + 1):
            if told.to is None or viewer in told.to:
                places.append(place)
                events.append(told.event)
        return tuple(events[: bisect_right(places, until)])


class Playthrough:
    """A running match: `state` is its state, and `acts` are the acts that led to this state."""

    style = ""
    """How its acts are chosen."""

    newest: Playthrough | None = None
    """The last one started, so that a failing test can name it."""

    def __init__(self, game: AnyGame, n: int, options: Options, seed: int) -> None:
        self.game, self.options, self.seats_at_start = game, options, n
        self.seed = seed.to_bytes(32, "big")
        self.dice = Luck(b"who does what" + self.seed, 0)
        self.silent: tuple[Seat, ...] = ()
        self.made = 0
        self._log = Log()
        self._goes_on = True
        Playthrough.newest = self
        luck = Luck(self.seed, 1)
        self._keep(game.rules.setup(n, options, luck), luck)

    def _keep(self, change: Change[Any], luck: Luck) -> None:
        self.change, self.state = change, change.state
        self._log.keep(change.told, tuple(luck.draws))
        self._known: dict[Any, tuple[Any, Any]] = {}

    def once(self, what: Any, make: Callable[[], T]) -> T:
        """Return `make()` for this state, computed once and shared by all laws."""
        known = self._known.get(what)
        if known is None or known[0] is not self.state:
            known = self._known[what] = (self.state, make())
        made: T = known[1]
        return made

    def apart(self) -> Playthrough:
        """Return a copy of this moment that laws can use as often as they like while the match
        goes on.

        It has its own random choices, so the order of the laws makes no difference.
        """
        moment = copy.copy(self)
        moment._goes_on = False
        moment.dice = Dice(f"{self.seed.hex()} {self.made}")
        return moment

    @property
    def acts(self) -> tuple[Act, ...]:
        """The first `made` acts."""
        return tuple(self._log.acts[: self.made])

    @property
    def last(self) -> Act:
        """The act that led here."""
        return self._log.acts[self.made - 1]

    @property
    def draws(self) -> tuple[tuple[Draw, ...], ...]:
        """The random draws in the setup and in each act."""
        return tuple(self._log.draws[: self.made + 1])

    @property
    def told(self) -> tuple[Told, ...]:
        """All events sent so far."""
        return tuple(self._log.told[: self._log.until[self.made]])

    @property
    def seats(self) -> tuple[Seat, ...]:
        return all_seats(len(self.state.prompts))

    @property
    def over(self) -> bool:
        return self.game.rules.outcome(self.state) is not None

    def luck(self) -> Luck:
        """Return the random source of the next act."""
        return Luck(self.seed, self.made + 2)

    def do(self, act: Act) -> None:
        """Perform the act and check that its inputs are unchanged (law 7)."""
        before, asked = self.state, pack(act.move)
        was = _mark(before)
        luck = self.luck()
        change = done(self.game, before, act, luck)
        assert _mark(before) == was, f"{act} has modified its state in place"
        assert pack(act.move) == asked, f"{act} has modified its move in place"
        self.keep(act, change, luck)

    def keep(self, act: Act, change: Change[Any], luck: Luck) -> None:
        """Continue from the change an act has made."""
        if not self._goes_on:
            self._log, self._goes_on = self._log.copy(self.made), True
        self._log.acts.append(act)
        self.made += 1
        self._keep(change, luck)

    def asked(self) -> list[tuple[Seat, tuple[Offer, ...]]]:
        """Return the seats that can act, with their offers."""
        return self.once("asked", self._ask)

    def _ask(self) -> list[tuple[Seat, tuple[Offer, ...]]]:
        found = ((seat, self.game.rules.offers(self.state, seat)) for seat in self.seats)
        return [(seat, offers) for seat, offers in found if offers]

    def some_seats(self) -> tuple[Seat, ...]:
        """Return seats to check closely: some that are asked, and some of the others.

        At a small table, return all. At a large one the seats rotate, because most are asked the
        same question again at the next moment.
        """
        asked = {seat for seat, _ in self.asked()}
        others = [seat for seat in self.seats if seat not in asked]
        return (*_in_turn(sorted(asked), self.made), *_in_turn(others, self.made))

    def lapsed(self) -> Change[Any]:
        """Return the change that follows if time runs out now."""
        return self.once("lapsed", lambda: self.game.rules.lapse(self.state, self.luck()))

    def inside(self) -> tuple[Seat, ...]:
        out = self.game.rules.out(self.state)
        return tuple(seat for seat in self.seats if seat not in out)

    def some_act(self, leaving: int = 0, time: int = 0) -> Act:
        """Return a random act of a seat that is not silent. `leaving` and `time` are percentages of
        leaves and lapses."""
        chance = self.dice.draw("chance", 100)
        if chance < leaving and (inside := self.inside()):
            return Act("leave", self.dice.pick("leaver", inside))
        willing = [(seat, offers) for seat, offers in self.asked() if seat not in self.silent]
        if not willing or chance >= 100 - time:
            return Act("lapse")
        seat, offers = self.dice.pick("who", willing)
        return Act("move", seat, self.some_move(offers))

    def some_move(self, offers: tuple[Offer, ...]) -> Move:
        """Return a random move among these offers, occasionally a risky one."""
        if self.dice.draw("bold", 6) == 0:
            offers = tuple(msgspec.structs.replace(offer, risky=False) for offer in offers)
        return random_move(self.game.rules.moves, offers, self.dice)

    def heard(self, viewer: Viewer) -> tuple[Event, ...]:
        """Return all events that this viewer received, in order."""
        return self._log.heard(viewer, self._log.until[self.made])

    def __str__(self) -> str:
        seed = int.from_bytes(self.seed, "big")
        lines = [f"{self.game.slug}, {self.seats_at_start} seats, seed {seed}, {self.options}"]
        lines[0] += f", {self.style}" if self.style else ""
        lines[0] += "" if self.made else ", at its setup"
        last = list(enumerate(self.acts, 2))[-5:]
        lines += [f"  act {number}: {act}" for number, act in last]
        return "\n".join(lines)


def _in_turn(seats: Sequence[Seat], moment: int) -> Sequence[Seat]:
    """Return IN_TURN of these seats, covering all of them over successive moments."""
    if len(seats) <= IN_TURN:
        return seats
    begin = moment * IN_TURN % len(seats)
    return (*seats, *seats)[begin : begin + IN_TURN]


def _mark(state: Any) -> int | bytes:
    """Return a fingerprint that differs after an in-place change. Hashing is faster than JSON."""
    try:
        return hash(state)
    except TypeError:  # contains something mutable
        return encode(state)


def done(game: AnyGame, state: Any, act: Act, luck: Luck) -> Change[Any]:
    """Return the change that an act makes to a state.

    Raise Ignored or Refused if the rules do not accept the move.
    """
    match act.kind:
        case "move":
            return game.rules.apply(state, act.seat, act.move, luck)  # type: ignore[arg-type]
        case "leave":
            assert act.seat is not None
            return game.rules.leave(state, act.seat, luck)
        case "lapse":
            return game.rules.lapse(state, luck)
        case "join":
            change = game.rules.join(state, luck)
            assert change is not None
            return change
    raise AssertionError(act.kind)


def match(
    game: AnyGame,
    n: int,
    options: Options,
    seed: int,
    choose: Callable[[Playthrough], Act] = Playthrough.some_act,
    silent: tuple[Seat, ...] = (),
) -> Iterator[Playthrough]:
    """Yield every moment of a match, including the last. `choose` picks the next act."""
    playthrough = Playthrough(game, n, options, seed)
    playthrough.silent, playthrough.style = silent, choose.__name__
    for _ in range(LONGEST):
        yield playthrough
        if playthrough.over:
            return
        playthrough.do(choose(playthrough))
    raise AssertionError(f"the match has not ended after {LONGEST} acts")


def troubled(playthrough: Playthrough) -> Act:
    """Choose an act at a table where some leave, some join late, and time sometimes runs out."""
    free = len(playthrough.seats) < playthrough.game.seats[1]
    if (
        free
        and playthrough.made % 11 == 5
        and playthrough.game.rules.join(playthrough.state, playthrough.luck()) is not None
    ):
        return Act("join")
    return playthrough.some_act(leaving=4, time=15)


@contextmanager
def named_in_failures() -> Iterator[None]:
    """Add the description of the match to any failure inside the block."""
    Playthrough.newest = None
    try:
        yield
    except Exception as broken:
        if Playthrough.newest is not None:
            broken.add_note(f"in {Playthrough.newest}")
        raise
