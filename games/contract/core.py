"""Data types that all games share with the platform.

A game is a record of pure functions (`Game`). It never sees a user, a clock, a socket or Django.
Everything it takes and returns is frozen data that survives a round trip through JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.contract.data import BySeat, Data, Seat, Viewer
from games.contract.reasons import Reason
from games.contract.words import Fact

if TYPE_CHECKING:
    from games.contract.luck import BotLuck


OnLeave = Literal["leave", "substitute"]


class Options(Data, frozen=True, kw_only=True):
    """Options that every game has (docs/rules/conventions.md C5, C6, C9, C10)."""

    # Each game narrows `on_leave` to what it supports: `on_leave: OnLeave = "leave"`.
    pace: Literal["relaxed", "normal", "fast", "bullet", "day", "days", "none"] = "normal"
    on_leave: str = "leave"
    idle_kick: Annotated[int, Meta(ge=0, le=10)] = 3
    chat: Literal["open", "quiet_votes", "off"] = "open"
    spectators: Literal["open", "none"] = "open"
    keep_warm: Literal["never", "30s", "1m", "5m"] = "never"
    """Time a player is absent before a bot plays for them."""


class PlainOptions(Options, frozen=True, kw_only=True):
    """Options of a game that has no options of its own."""

    on_leave: OnLeave = "leave"


class State(Data, frozen=True, kw_only=True):
    """The state of a match. `clock` counts deadlines, and `prompts[seat]` counts the questions to
    that seat.

    `clock` changes when the deadline restarts. A seat's prompt changes only when its question
    changes, and after each accepted move of that seat.
    """

    clock: int
    prompts: tuple[int, ...]


class Move(Data, frozen=True, tag_field="type", tag=True):
    """A move of a seat. The class name is its name on the wire."""


class Event(Data, frozen=True, tag_field="type", tag=True):
    """Something that happened, named in the past tense. The class name is its name on the wire."""


Auto = Literal["clock", "autopilot"]
"""Cause of an automatic move: a timeout (`clock`), or a player who is away (`autopilot`)."""


class Echo(Event, frozen=True, kw_only=True):
    """The first event of an act: the public part of the move."""

    auto: Auto | UnsetType = UNSET
    """Cause of an automatic move. Absent if the player made it."""


class View(Data, frozen=True, kw_only=True):
    """The state as one viewer may see it, built field by field. No other part of the state reaches
    the viewer.

    `players[seat]` holds the public facts of each seat. The wire merges them into its players.
    """

    phase: str
    players: tuple[Any, ...]


class Told(Data, frozen=True):
    """An event and its audience.

    The audience is the seats in `to`, or everybody if `to` is None.
    """

    event: Event
    to: tuple[Seat, ...] | None


class Claim(Data, frozen=True):
    """A claim that a seat may make in the chat, true or not. It consists of `size` of the `values`.

    `(kind, about)` identifies a claim. Each claim can be made once.
    """

    kind: str
    about: int
    size: int
    values: tuple[str, ...]
    true: tuple[str, ...] = ()
    """The values that the seat really held. Only that seat may see them."""
    order: int = 0
    """Bots make claims of a lower order first, so that others can answer them."""

    def allows(self, values: Sequence[str]) -> bool:
        """Whether these values can be claimed."""
        return len(values) == self.size and set(values) <= set(self.values)


class ClaimMade(Data, frozen=True):
    """A claim made by a seat, true or not."""

    seat: Seat
    kind: str
    about: int
    values: tuple[str, ...]
    after: int
    """Number of events that the receiving seat had been told by then."""


class _Asserts(Data, frozen=True):
    """Base class of claims with values. A subclass declares the values as its last field, under any
    name.
    """

    @property
    def values(self) -> tuple[str, ...]:
        """The claimed values, whatever their field is called."""
        values: tuple[str, ...] = getattr(self, self.__struct_fields__[-1])
        return values


class Said(_Asserts, frozen=True):
    """A claim as sent by a player."""

    kind: Annotated[str, Meta(examples=["drawn"])]


class Claimed(_Asserts, frozen=True):
    """A claim as stored and shown."""

    kind: Annotated[str, Meta(examples=["drawn"])]
    about: int


One = TypeVar("One")
S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741  (O as in options)
V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class Change(Generic[S]):
    """Result of a step of the rules: the new state, and the events in order, with their
    audiences.
    """

    state: S
    told: tuple[Told, ...]


Verdict = Literal["", "contradicted", "true", "false"]
"""Public verdict on a claim. Empty while nothing is known."""


@dataclass(frozen=True)
class Claims(Generic[S]):
    """Claims that players of a game can make in the chat. They have no effect on the rules."""

    open: Callable[[S, Seat], tuple[Claim, ...]]
    """Returns the claims this seat may make now."""
    said: type[Said]
    """Type sent to make a claim: its kind and the values."""
    claimed: type[Claimed]
    """Type stored and sent to others, constructed from kind, `about` and the values."""
    judged: Callable[[Any, Sequence[ClaimMade]], tuple[Verdict, ...]]
    """Returns a verdict on each claim, given the gallery's view.

    It says whether another claim or an event contradicts the claim and, after the match, whether
    the claim was true.
    """


Choice = Seat | str | int | bool


class OneOf(Data, frozen=True):
    """An argument whose value is one of these."""

    one_of: tuple[Choice, ...]


class Some(Data, frozen=True, kw_only=True):
    """An argument whose value is a list of `least` to `most` different values from `some`.

    If `ordered`, their order counts.
    """

    some: tuple[Choice, ...]
    least: int
    most: int
    ordered: bool = False


class Offer(Data, frozen=True):
    """A move that may be made now, with any combination of the values listed for its arguments.

    `move` and the keys of `args` are wire names. If choices depend on each other, there are several
    offers.
    """

    move: str
    args: Mapping[str, OneOf | Some]
    risky: bool = False


class Turn(Data, frozen=True, kw_only=True):
    """Whose turn it is (None if nobody's), how many turns have begun, and who is next.

    `order` is the order of play. It includes eliminated seats if the game keeps them in it.
    """

    seat: Viewer
    count: int
    next: Viewer
    order: tuple[Seat, ...]


class Outcome(Data, frozen=True):
    """How a match ended (docs/rules/conventions.md C11)."""

    winners: tuple[Seat, ...]
    places: tuple[tuple[Seat, ...], ...]
    points: BySeat[int] | None
    reason: str


def ranked(places: Iterable[Sequence[One]]) -> Iterator[tuple[int, Sequence[One]]]:
    """Yield groups of equal entries, best first, each with its place. After a tie, places are
    skipped: 1, 1, 3.
    """
    place = 1
    for group in places:
        yield place, group
        place += len(group)


class Ignored(Exception):
    """Raised if the seat is not being asked this question now."""


class Refused(Exception):
    """Raised if the seat is being asked, but a condition is not met or an argument is wrong.
    `facts` are inserted into the message.
    """

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


Bot = Callable[[Seat, Any, Sequence[Offer], Sequence[Event], Sequence[ClaimMade], "BotLuck"], Move]
"""Function that takes (seat, view, offers, all events that the seat was told in order, all claims
made at the table in order, luck) and returns a move. All arguments except the claims are the bot's
own. The function is pure: the same arguments give the same move.
"""


class Decision(NamedTuple):
    """A bot's move, and the reason for it if the bot gives one."""

    move: Move
    reason: Reason | None = None


@dataclass(frozen=True)
class ReasoningBot:
    """A `Bot` whose policy also gives a reason, to be shown after the match."""

    decide: Callable[
        [Seat, Any, Sequence[Offer], Sequence[Event], Sequence[ClaimMade], BotLuck], Decision
    ]

    def __call__(
        self,
        seat: Seat,
        view: Any,
        offers: Sequence[Offer],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> Move:
        return self.decide(seat, view, offers, heard, said, luck).move


def decision(
    bot: Bot,
    seat: Seat,
    view: Any,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: BotLuck,
) -> Decision:
    """Return a bot's decision. It contains a reason only if the bot is a `ReasoningBot`."""
    if isinstance(bot, ReasoningBot):
        return bot.decide(seat, view, offers, heard, said, luck)
    return Decision(bot(seat, view, offers, heard, said, luck))


Talk = Callable[
    [Seat, Any, Sequence[Claim], Sequence[Event], Sequence[ClaimMade], "BotLuck"], Said | None
]
"""Function that takes (seat, view, open claims, all events that the seat was told, all claims made,
luck) and returns one of the open claims with values, or None to stay silent. It is pure like `Bot`,
so that a replay makes the same claims.
"""


def offer(move: type[Move], risky: bool = False, **args: OneOf | Some) -> Offer:
    """Return an Offer of `move`. Arguments are given by their Python names."""
    wire = _wire_names(move)
    return Offer(move.__name__, {wire[name]: choices for name, choices in args.items()}, risky)


@cache
def _wire_names(move: type[Move]) -> dict[str, str]:
    return dict(zip(move.__struct_fields__, move.__struct_encode_fields__, strict=True))


def asked(state: S, **changes: Any) -> S:
    """Return the state with a new question to all seats: the deadline restarts and all prompts
    change.
    """
    prompts = tuple(prompt + 1 for prompt in state.prompts)
    return msgspec.structs.replace(state, clock=state.clock + 1, prompts=prompts, **changes)


def answered(state: S, seat: Seat, **changes: Any) -> S:
    """Return the state after `seat` has answered. The question stays open for the other seats."""
    prompts = tuple(p + (at == seat) for at, p in enumerate(state.prompts))
    return msgspec.structs.replace(state, prompts=prompts, **changes)


def automatic(told: Sequence[Told], auto: Auto) -> tuple[Told, ...]:
    """Return a move's events with the first one, which must be the echo, marked as automatic."""
    first, *rest = told
    assert isinstance(first.event, Echo), f"{first.event} is no echo"
    marked = msgspec.structs.replace(first.event, auto=auto)
    return (msgspec.structs.replace(first, event=marked), *rest)


def by_the_clock(change: Change[S]) -> Change[S]:
    """Mark a change as made because the time ran out."""
    return Change(change.state, automatic(change.told, "clock"))


@cache
def all_seats(n: int) -> tuple[Seat, ...]:
    """Return the seats of a table of `n` players."""
    return tuple(Seat(at) for at in range(n))


def everyone(event: Event) -> Told:
    """Return the event addressed to everybody."""
    return Told(event, None)


def only(seat: Seat, event: Event) -> Told:
    """Return the event addressed to one seat."""
    return Told(event, (seat,))
