"""The contract of a game: what every game hands to the house, and nothing about any of them.

A game is a record of pure functions (`Game`). It never sees a user, a clock, a socket or Django.
Everything it takes and returns is frozen data that survives JSON.
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
    """The options of every game (docs/rules/conventions.md C5, C6, C9, C10)."""

    # Each game narrows `on_leave` to what it can do: `on_leave: OnLeave = "leave"`.
    pace: Literal["relaxed", "normal", "fast", "bullet", "day", "days", "none"] = "normal"
    on_leave: str = "leave"
    idle_kick: Annotated[int, Meta(ge=0, le=10)] = 3
    chat: Literal["open", "quiet_votes", "off"] = "open"
    spectators: Literal["open", "none"] = "open"
    keep_warm: Literal["never", "30s", "1m", "5m"] = "never"
    """How long somebody is away until a bot keeps their seat warm."""


class PlainOptions(Options, frozen=True, kw_only=True):
    """The options of a game that adds none."""

    on_leave: OnLeave = "leave"


class State(Data, frozen=True, kw_only=True):
    """What a match is. `clock` counts deadlines, `prompts[seat]` the questions put to that seat.

    `clock` changes when the deadline starts anew. A seat's prompt changes when the question put
    to it changes and after each accepted move of that seat, and by nothing else.
    """

    clock: int
    prompts: tuple[int, ...]


class Move(Data, frozen=True, tag_field="type", tag=True):
    """What a seat does. Its class name is its name on the wire."""


class Event(Data, frozen=True, tag_field="type", tag=True):
    """What has happened, named in the past. The tag is its name on the wire."""


Auto = Literal["clock", "autopilot"]
"""What acted instead of a hand: time that ran out, or the seat of somebody who is away."""


class Echo(Event, frozen=True, kw_only=True):
    """The first event of an act: the move, as far as everybody may know it."""

    auto: Auto | UnsetType = UNSET
    """What made the move, where no hand did; else absent."""


class View(Data, frozen=True, kw_only=True):
    """What one viewer may know, built field by field; the only way out of a state.

    `players[seat]` holds the public facts of each seat; the wire merges them into its players.
    """

    phase: str
    players: tuple[Any, ...]


class Told(Data, frozen=True):
    """An event and who learns of it: the seats in `to`, or everyone when it is None."""

    event: Event
    to: tuple[Seat, ...] | None


class Claim(Data, frozen=True):
    """What a seat may assert in the chat, true or not: `size` values out of `values`.

    `(kind, about)` tells one claim from every other; each can be made once.
    """

    kind: str
    about: int
    size: int
    values: tuple[str, ...]
    true: tuple[str, ...] = ()
    """What the seat really held; for that seat alone."""
    order: int = 0
    """Bots make claims of a lower order first, so that those who answer have heard them."""

    def allows(self, values: Sequence[str]) -> bool:
        """Whether these can be claimed."""
        return len(values) == self.size and set(values) <= set(self.values)


class ClaimMade(Data, frozen=True):
    """A claim that somebody at the table has made, a person or a bot, true or not."""

    seat: Seat
    kind: str
    about: int
    values: tuple[str, ...]
    after: int
    """How many events the seat that hears it had been told by then."""


class _Asserts(Data, frozen=True):
    """Something that claims values. A game adds them, under a name of its own, as the last
    field."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are claimed, whatever their field is called."""
        values: tuple[str, ...] = getattr(self, self.__struct_fields__[-1])
        return values


class Said(_Asserts, frozen=True):
    """A claim as it is sent."""

    kind: Annotated[str, Meta(examples=["drawn"])]


class Claimed(_Asserts, frozen=True):
    """A claim as it is kept and shown."""

    kind: Annotated[str, Meta(examples=["drawn"])]
    about: int


One = TypeVar("One")
S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741  (O as in options)
V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class Change(Generic[S]):
    """What a step of the rules returns: the state after it, and what was told to whom, in order."""

    state: S
    told: tuple[Told, ...]


Verdict = Literal["", "contradicted", "true", "false"]
"""What everybody can see of a claim."""


@dataclass(frozen=True)
class Claims(Generic[S]):
    """What can be claimed in the chat of a game. Claims have no effect on the rules."""

    open: Callable[[S, Seat], tuple[Claim, ...]]
    """What this seat may claim now."""
    said: type[Said]
    """What is sent to make one: its kind and the values."""
    claimed: type[Claimed]
    """What is kept of it, and sent to the others: made of kind, `about` and the values."""
    judged: Callable[[Any, Sequence[ClaimMade]], tuple[Verdict, ...]]
    """Each claim as everybody can see it, from the view of the gallery: whether another claim or
    what happened contradicts it; and when it is over, whether it was true."""


Choice = Seat | str | int | bool


class OneOf(Data, frozen=True):
    """One value out of these."""

    one_of: tuple[Choice, ...]


class Some(Data, frozen=True, kw_only=True):
    """Between `least` and `most` different values of `some`; their order counts if `ordered`."""

    some: tuple[Choice, ...]
    least: int
    most: int
    ordered: bool = False


class Offer(Data, frozen=True):
    """A move that may be made now: every choice of one argument goes with every choice of the rest.

    `move` and the keys of `args` are the names on the wire. Dependent arguments: one Offer each.
    """

    move: str
    args: Mapping[str, OneOf | Some]
    risky: bool = False


class Turn(Data, frozen=True, kw_only=True):
    """Whose turn it is (None: nobody's for a while), how many turns have begun, who is next.

    `order` is the order of play, seats that are out included where the game keeps them in it.
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
    """Groups, best first, each with the place its members share: 1, 1, 3."""
    place = 1
    for group in places:
        yield place, group
        place += len(group)


class Ignored(Exception):
    """This question is not put to this seat now."""


class Refused(Exception):
    """The question is put, but a condition or an argument is wrong. `facts` are data."""

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


Bot = Callable[[Seat, Any, Sequence[Offer], Sequence[Event], Sequence[ClaimMade], "BotLuck"], Move]
"""(its seat, its view, its offers, every event it was told in order, every claim made at the table
in order, its own luck) -> a move. Pure: the same again whenever it is asked again."""


class Decision(NamedTuple):
    """A move of a bot, and why, where its policy says so."""

    move: Move
    reason: Reason | None = None


@dataclass(frozen=True)
class ReasoningBot:
    """A `Bot` whose policy gives a reason beside its move, to be told once the match is over."""

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
    """What a bot decides, with its reason where it is one that reasons."""
    if isinstance(bot, ReasoningBot):
        return bot.decide(seat, view, offers, heard, said, luck)
    return Decision(bot(seat, view, offers, heard, said, luck))


Talk = Callable[
    [Seat, Any, Sequence[Claim], Sequence[Event], Sequence[ClaimMade], "BotLuck"], Said | None
]
"""(its seat, its view, the claims it may make now, what it was told, what was claimed, its own
luck) -> one of those claims with the values it asserts, or None to stay silent. Pure, like `Bot`:
a replay says the same words."""


def offer(move: type[Move], risky: bool = False, **args: OneOf | Some) -> Offer:
    """An Offer of `move`, its arguments given by their Python names."""
    wire = _wire_names(move)
    return Offer(move.__name__, {wire[name]: choices for name, choices in args.items()}, risky)


@cache
def _wire_names(move: type[Move]) -> dict[str, str]:
    return dict(zip(move.__struct_fields__, move.__struct_encode_fields__, strict=True))


def asked(state: S, **changes: Any) -> S:
    """The state with a new question: the deadline starts anew and every seat's prompt changes."""
    prompts = tuple(prompt + 1 for prompt in state.prompts)
    return msgspec.structs.replace(state, clock=state.clock + 1, prompts=prompts, **changes)


def answered(state: S, seat: Seat, **changes: Any) -> S:
    """The state after a move of `seat` that leaves the question to the others as it was."""
    prompts = tuple(p + (at == seat) for at, p in enumerate(state.prompts))
    return msgspec.structs.replace(state, prompts=prompts, **changes)


def automatic(told: Sequence[Told], auto: Auto) -> tuple[Told, ...]:
    """What a move told that no hand made: its echo, which comes first, says so."""
    first, *rest = told
    assert isinstance(first.event, Echo), f"{first.event} is no echo"
    marked = msgspec.structs.replace(first.event, auto=auto)
    return (msgspec.structs.replace(first, event=marked), *rest)


@cache
def all_seats(n: int) -> tuple[Seat, ...]:
    """The seats of a table of n."""
    return tuple(Seat(at) for at in range(n))


def everyone(event: Event) -> Told:
    """An event that everybody learns of."""
    return Told(event, None)


def only(seat: Seat, event: Event) -> Told:
    """An event that one seat alone learns of."""
    return Told(event, (seat,))
