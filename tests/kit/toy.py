"""A game small enough to be broken in every way, which shows that each law catches its fault.

Everybody is dealt a secret number. In turn each keeps it or exchanges it for the top of the deck.
Then all secretly guess at once who holds the highest. Correct guesses win.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from games.contract.core import (
    Change,
    Echo,
    Event,
    Ignored,
    Move,
    Offer,
    OneOf,
    OnLeave,
    Options,
    Outcome,
    Refused,
    State,
    Told,
    Turn,
    View,
    all_seats,
    answered,
    asked,
    automatic,
    everyone,
    offer,
    only,
)
from games.contract.data import BySeat, Data, Seat, Viewer
from games.contract.game import Game, Rules, Telling
from games.contract.luck import Luck
from games.contract.wording import Words
from games.contract.words import Text, _

NUMBERS = 12


class ToyOptions(Options, frozen=True, kw_only=True):
    on_leave: OnLeave = "leave"


class ToyState(State, frozen=True, kw_only=True):
    """`numbers`: the number in each hand. `guesses`: guesses made. `gone`: seats that left."""

    options: ToyOptions
    phase: Literal["change", "guess", "over"] = "change"
    at: Seat = Seat(0)
    numbers: BySeat[int]
    deck: tuple[int, ...]
    guesses: BySeat[Seat] = BySeat()
    gone: tuple[Seat, ...] = ()


class Keep(Move, frozen=True):
    pass


class Swap(Move, frozen=True):
    pass


class Guess(Move, frozen=True):
    username: Seat


class Kept(Echo, frozen=True):
    username: Seat


class Swapped(Echo, frozen=True):
    username: Seat


class Drawn(Event, frozen=True):
    number: int


class Guessed(Echo, frozen=True):
    username: Seat


class Shown(Event, frozen=True):
    numbers: BySeat[int]


class ToyPlayer(Data, frozen=True):
    has_guessed: bool


class ToyView(View, frozen=True, kw_only=True):
    players: tuple[ToyPlayer, ...]
    number: int | None


Moves = Keep | Swap | Guess
Events = Kept | Swapped | Drawn | Guessed | Shown


def setup(n: int, options: ToyOptions, luck: Luck) -> Change[ToyState]:
    deck = luck.shuffle("deck", NUMBERS)
    dealt = BySeat({seat: deck[seat] for seat in all_seats(n)})
    start = ToyState(clock=0, prompts=(0,) * n, options=options, numbers=dealt, deck=deck[n:])
    return Change(start, tuple(only(seat, Drawn(dealt[seat])) for seat in all_seats(n)))


def inside(state: ToyState) -> tuple[Seat, ...]:
    return tuple(seat for seat in all_seats(len(state.prompts)) if seat not in state.gone)


def awaited(state: ToyState) -> tuple[Seat, ...]:
    if state.phase == "guess":
        return tuple(seat for seat in inside(state) if seat not in state.guesses)
    return (state.at,) if state.phase == "change" else ()


def turn(state: ToyState) -> Turn:
    seat = state.at if state.phase == "change" else None
    return Turn(seat=seat, count=state.at + 1, next=None, order=all_seats(len(state.prompts)))


def patience(state: ToyState) -> float | None:
    return None if state.phase == "over" else 20.0


def offers(state: ToyState, seat: Seat) -> tuple[Offer, ...]:
    if seat not in awaited(state):
        return ()
    if state.phase == "guess":
        return (offer(Guess, username=OneOf(inside(state))),)
    return (offer(Keep), offer(Swap)) if state.deck else (offer(Keep),)


def apply(state: ToyState, seat: Seat, move: Moves, luck: Luck) -> Change[ToyState]:
    if seat not in awaited(state) or isinstance(move, Guess) != (state.phase == "guess"):
        raise Ignored
    match move:
        case Keep():
            return _next(state, (everyone(Kept(seat)),))
        case Swap():
            return _swap(state, seat, luck)
        case Guess(whom):
            if whom not in inside(state):
                raise Refused("bad_target")
            return _guess(state, seat, whom)


def _swap(state: ToyState, seat: Seat, luck: Luck) -> Change[ToyState]:
    if not state.deck:
        raise Refused("no_more")
    deck = luck.shuffled("deck", (*state.deck, state.numbers[seat]))
    swapped = replace(state, deck=deck[1:], numbers=state.numbers.but(seat, deck[0]))
    return _next(swapped, (everyone(Swapped(seat)), only(seat, Drawn(deck[0]))))


def _guess(state: ToyState, seat: Seat, whom: Seat) -> Change[ToyState]:
    guessed = answered(state, seat, guesses=state.guesses.but(seat, whom))
    told = (everyone(Guessed(seat)),)
    return Change(guessed, told) if awaited(guessed) else _end(guessed, told)


def _next(state: ToyState, told: tuple[Told, ...]) -> Change[ToyState]:
    following = [seat for seat in inside(state) if seat > state.at]
    if following:
        return Change(asked(state, at=following[0]), told)
    return Change(asked(state, phase="guess"), told)


def _end(state: ToyState, told: tuple[Told, ...]) -> Change[ToyState]:
    return Change(asked(state, phase="over"), (*told, everyone(Shown(state.numbers))))


def lapse(state: ToyState, luck: Luck) -> Change[ToyState]:
    if state.phase == "guess":
        return _end(state, ())
    return _next(state, automatic((everyone(Kept(state.at)),), "clock"))


def leave(state: ToyState, seat: Seat, luck: Luck) -> Change[ToyState]:
    if state.phase == "over" or seat in state.gone:
        return Change(state, ())
    left = replace(state, gone=(*state.gone, seat))
    if len(inside(left)) < 2:
        return _end(left, ())
    if state.phase == "change":
        return _next(left, ()) if seat == state.at else Change(left, ())
    return Change(left, ()) if awaited(left) else _end(left, ())


def view(state: ToyState, viewer: Viewer) -> ToyView:
    mine = viewer is not None and viewer not in state.gone
    return ToyView(
        phase=state.phase,
        players=tuple(ToyPlayer(s in state.guesses) for s in all_seats(len(state.prompts))),
        number=state.numbers[viewer] if mine and viewer is not None else None,
    )


def outcome(state: ToyState) -> Outcome | None:
    if state.phase != "over":
        return None
    highest = max(inside(state), key=lambda seat: state.numbers[seat])
    right = tuple(seat for seat in inside(state) if state.guesses.get(seat) == highest)
    others = tuple(seat for seat in all_seats(len(state.prompts)) if seat not in right)
    return Outcome(right, tuple(group for group in (right, others) if group), None, "guessed")


WORDS: Words[ToyView] = Words(
    tagline=_("Who holds the highest?"),
    prompt=lambda view, viewer: _("**We** wait."),
    event=lambda event: Text(type(event).__name__),
    refusal=lambda code, facts: Text(code),
    move=lambda name: Text(name),
    terms={},
)

TOY: Game[ToyOptions, ToyState, ToyView] = Game(
    slug="toy",
    name="Toy",
    seats=(2, 5),
    rules=Rules(
        options=ToyOptions,
        state=ToyState,
        view_type=ToyView,
        moves=Moves,
        events=Events,
        setup=setup,
        awaited=awaited,
        out=lambda state: state.gone,
        turn=turn,
        offers=offers,
        apply=apply,
        lapse=lapse,
        leave=leave,
        patience=patience,
        view=view,
        outcome=outcome,
    ),
    telling=Telling(words=lambda options: WORDS),
)

REVEALS = (Drawn, Shown)
PRIVATE = {Drawn: lambda event, change, seat: event.number == change.state.numbers[seat]}
DRAWN = ()
OPTIONS = (ToyOptions(),)


def scramble(state: ToyState, viewer: Viewer, luck: Luck) -> ToyState:
    """Change the other seats' numbers and guesses."""
    if state.phase == "over":
        return state
    me = viewer if viewer not in state.gone else None
    others = [seat for seat in state.numbers if seat != me]
    hidden = luck.shuffled("hidden", [*(state.numbers[s] for s in others), *state.deck])
    numbers = dict(state.numbers) | dict(zip(others, hidden, strict=False))
    guesses = {
        seat: whom if seat == me else luck.pick("guess", inside(state))
        for seat, whom in state.guesses.items()
    }
    return replace(
        state, numbers=BySeat(numbers), deck=hidden[len(others) :], guesses=BySeat(guesses)
    )


def invariants(state: ToyState) -> None:
    """Check that every number is in exactly one place."""
    numbers = sorted((*state.numbers.values(), *state.deck))
    assert numbers == list(range(NUMBERS)), "a number is lost or doubled"
