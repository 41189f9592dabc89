"""Views as vectors and moves as numbers, derived from the types of a game.

Seats are counted from the seat that looks: 0 is itself, 1 the next one, and so on. So all seats can
share one policy.
"""

from __future__ import annotations

import types
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints
from zlib import crc32

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from games.contract.choices import every_move, move_types
from games.contract.core import Move, Offer, Some
from games.contract.core import View as AnyView
from games.contract.data import AtMost, BySeat, Seat, Values

LARGEST = 2**31 - 1
LONGEST = 12
"""Number of entries of a list in a view, unless `AtMost` says another. The newest are kept."""

Write = Callable[["array[int]", int, Any, int], None]
"""Function that takes (vector, offset, value, seat that looks), and writes the value."""
Key = tuple[str, tuple[Any, ...]]
"""A numbered move: its wire name and its arguments, with seats counted from the seat that moves."""


@dataclass(frozen=True)
class Part:
    """A part of a vector: the name and the maximum of each of its numbers, and how to write them.

    The minimum of every number is 0.
    """

    names: tuple[str, ...]
    highs: tuple[int, ...]
    write: Write
    is_optional: bool = False
    """Whether it can write a missing value."""

    @property
    def size(self) -> int:
        return len(self.names)


def view_part(type_: Any, seats: int, notes: Sequence[Any] = ()) -> Part:
    """Return how a view, or a value in it, is written at a table with this number of seats.

    Texts for people, and data without a declared type, are left out.
    """
    origin, args = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return view_part(args[0], seats, type_.__metadata__)
    if origin in (Union, types.UnionType):
        return _union(args, seats)
    if type_ is Seat:
        return _category(range(seats), lambda seat, me: (seat - me) % seats)
    if origin is Literal:
        return _category(args)
    if type_ is bool:
        return Part(("",), (1,), _write_number)
    if type_ is int:
        return Part(("",), (LARGEST,), _write_number)
    if type_ is str and notes:
        values = _note(notes, Values)
        return Part(("",), (LARGEST,), _write_id) if values is None else _category(values.of)
    if origin is tuple and args[0] is Seat:
        return _positions(seats)
    if origin is tuple:
        most = _note(notes, AtMost)
        return _list(view_part(args[0], seats), LONGEST if most is None else most.length)
    if origin is BySeat:
        return _by_seat(view_part(args[0], seats), seats)
    if isinstance(type_, type) and issubclass(type_, Struct):
        return _record(type_, seats)
    return Part((), (), lambda out, at, value, me: None)


def _note(notes: Sequence[Any], kind: type[Any]) -> Any:
    return next((note for note in notes if isinstance(note, kind)), None)


def _write_number(out: array[int], at: int, value: Any, me: int) -> None:
    out[at] = min(max(value, 0), LARGEST)


def _write_id(out: array[int], at: int, value: Any, me: int) -> None:
    out[at] = crc32(value.encode()) & LARGEST


def _category(values: Sequence[Any], place: Callable[[Any, int], int] | None = None) -> Part:
    """One number per value: 1 for the current value, 0 for the others."""
    places = {value: at for at, value in enumerate(values)}

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        out[at + (places[value] if place is None else place(value, me))] = 1

    return Part(tuple(f"={value}" for value in values), (1,) * len(values), write)


def _positions(seats: int) -> Part:
    """One number per seat: its position in a list of seats, from 1, or 0 if it is not there."""

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        for place, seat in enumerate(value, 1):
            out[at + (seat - me) % seats] = place

    return Part(tuple(f"[{at}]" for at in range(seats)), (seats,) * seats, write)


def _optional(part: Part) -> Part:
    """Return the part for an optional value: a 1 followed by the value, or only zeros."""
    if part.is_optional:
        return part

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        if value is not None and value is not UNSET:
            out[at] = 1
            part.write(out, at + 1, value, me)

    return Part((" exists", *part.names), (1, *part.highs), write, is_optional=True)


def _union(args: Sequence[Any], seats: int) -> Part:
    """Return the part for an optional value, or for a value that may also be a list."""
    kinds = [arg for arg in args if arg not in (type(None), UnsetType)]
    part = view_part(kinds[-1], seats)
    if len(kinds) == 1:
        return _optional(part)

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        part.write(out, at, value if isinstance(value, tuple) else (value,), me)

    return _optional(Part(part.names, part.highs, write))


def _list(part: Part, most: int) -> Part:
    """The last `most` entries of a list, in order."""
    one = _optional(part)

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        for place, entry in enumerate(value[-most:]):
            one.write(out, at + place * one.size, entry, me)

    return _repeated(one, most, write)


def _by_seat(part: Part, seats: int) -> Part:
    """One entry per seat, the own one first."""
    one = _optional(part)

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        entries = value.items() if isinstance(value, BySeat) else enumerate(value)
        for seat, entry in entries:
            one.write(out, at + (seat - me) % seats * one.size, entry, me)

    return _repeated(one, seats, write)


def _repeated(one: Part, times: int, write: Write) -> Part:
    names = (f"[{at}]{name}" for at in range(times) for name in one.names)
    return Part(tuple(names), one.highs * times, write)


def _record(type_: type[Struct], seats: int) -> Part:
    """All fields in order. The players of a view are listed by seat."""
    found: list[tuple[str, Part]] = []
    for name, of in get_type_hints(type_, include_extras=True).items():
        if issubclass(type_, AnyView) and name == "players":
            found.append((name, _by_seat(view_part(get_args(of)[0], seats), seats)))
        else:
            found.append((name, view_part(of, seats)))
    writes, size = [], 0
    for name, part in found:
        if part.size:
            writes.append((name, size, part.write))
        size += part.size

    def write(out: array[int], at: int, value: Any, me: int) -> None:
        for name, offset, write_field in writes:
            write_field(out, at + offset, getattr(value, name), me)

    names = (f".{name}{rest}" for name, part in found for rest in part.names)
    return Part(tuple(names), tuple(chain(*(part.highs for _, part in found))), write)


class NumberedMoves:
    """All moves of a game at a table with this number of seats, numbered from 0.

    The numbers do not depend on the match. A card is numbered by its position in the own hand.
    Moves beyond the limits that a game declares with `Values` have no number.
    """

    def __init__(self, moves: Any, seats: int) -> None:
        self._moves, self._seats = moves, seats
        self._fields = {name: _arguments(move) for name, move in move_types(moves).items()}
        self.keys: tuple[Key, ...] = tuple(
            (name, values)
            for name, fields in self._fields.items()
            for values in product(
                *(_every_value(f"{name}.{arg}", of, seats) for arg, (of, _) in fields.items())
            )
        )
        self._numbers = {key: at for at, key in enumerate(self.keys)}

    def offered(self, offers: Sequence[Offer], view: Any, me: int) -> dict[int, Move]:
        """Return the offered moves by number."""
        moves = (move for one in offers for move in every_move(self._moves, self._limited(one)))
        numbered = ((self.number(move, view, me), move) for move in moves)
        return {number: move for number, move in numbered if number is not None}

    def number(self, move: Move, view: Any, me: int) -> int | None:
        """Return the number of a move of this seat, or None if it is beyond the limits."""
        name = type(move).__name__
        values = tuple(
            self._value(getattr(move, field), limits, view, me)
            for field, (_, limits) in self._fields[name].items()
        )
        return self._numbers.get((name, values))

    def _value(self, value: Any, limits: Values | None, view: Any, me: int) -> Any:
        if type(value) is Seat:
            return (value - me) % self._seats
        if limits is None or not isinstance(value, tuple):
            return value
        if limits.among:
            places = {thing.id: at for at, thing in enumerate(getattr(view, limits.among))}
            value = tuple(places[one] for one in value)
        return value if limits.is_ordered else tuple(sorted(value))

    def _limited(self, offer: Offer) -> Offer:
        """Return the offer without lists that are too long to have a number."""
        args = dict(offer.args)
        for name, (_, limits) in self._fields[offer.move].items():
            if limits is not None and isinstance(given := args.get(name), Some):
                some = given.some[: len(limits.of)]
                args[name] = replace(given, some=some, most=min(given.most, max(limits.sizes)))
        return replace(offer, args=args)


def _arguments(move: type[Move]) -> dict[str, tuple[Any, Values | None]]:
    """Return the arguments of a move, each with its type and its limits."""
    fields = get_type_hints(move, include_extras=True)
    return {name: (of, _limits(of)) for name, of in fields.items()}


def _limits(type_: Any) -> Values | None:
    found: Values | None = _note(getattr(type_, "__metadata__", ()), Values)
    return found


def _every_value(name: str, type_: Any, seats: int) -> tuple[Any, ...]:
    """Return all values of the argument `name`. Raise TypeError if they are not declared."""
    origin, args = get_origin(type_), get_args(type_)
    limits = _limits(type_)
    if limits is not None and limits.sizes:
        pick: Any = permutations if limits.is_ordered else combinations
        return tuple(chain(*(pick(limits.of, size) for size in limits.sizes)))
    if limits is not None:
        return tuple(limits.of)
    if origin in (Union, types.UnionType):
        (of,) = [arg for arg in args if arg is not type(None)]
        return (None, *_every_value(name, of, seats))
    if type_ is Seat:
        return tuple(range(seats))
    if type_ is bool:
        return (False, True)
    if origin is Literal:
        return args
    raise TypeError(f"Declare all values of {name} with `Values`, so that moves have numbers.")
