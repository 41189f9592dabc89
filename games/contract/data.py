"""Seats, the immutable data types that rules use, and their storage as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

import msgspec

T = TypeVar("T")


class Seat(int):
    """A place at the table, from 0 to n-1 within one match. On the wire it is a username."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Seat({int(self)})"

    def __str__(self) -> str:
        return str(int(self))


Viewer = Seat | None
"""A seat, or None for the gallery (everybody without a seat)."""


@dataclass(frozen=True)
class Values:
    """All values that an argument of a move can ever have, if its type does not list them.

    Add it to the type with `Annotated`. Programs that number all moves need it
    (docs/research.md). A list has one of these `sizes`. If `among` is set, the values are indexes
    into this list of the view.
    """

    of: Sequence[str | int]
    sizes: tuple[int, ...] = ()
    is_ordered: bool = False
    among: str = ""


@dataclass(frozen=True)
class AtMost:
    """The maximum length of a list in a view. Add it to the type with `Annotated`."""

    length: int


class BySeat(Mapping[Seat, T], Generic[T]):
    """An immutable mapping by seat, for states, events and views.

    Unlike in a dict, its keys are still of type Seat after a round trip through JSON.
    """

    __slots__ = ("_of",)

    def __init__(self, of: Mapping[Seat, T] | Sequence[tuple[Seat, T]] = ()) -> None:
        self._of: dict[Seat, T] = dict(of)

    def __getitem__(self, seat: Seat) -> T:
        return self._of[seat]

    def __contains__(self, seat: object) -> bool:
        return seat in self._of  # faster than Mapping's method, which catches a KeyError

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._of == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self._of.items()))

    def __repr__(self) -> str:
        return f"BySeat({self._of!r})"

    def but(self, seat: Seat, value: T) -> BySeat[T]:
        """Return a copy with one entry set."""
        return BySeat({**self._of, seat: value})


class Data(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Immutable data, with names in camelCase on the wire.

    Use tuples, and replace mappings instead of changing them.
    """


class Kept:
    """Immutable data made of parts that many states share. Each part is stored once, and states
    hold only its key.

    A part has a `key` derived from its content, a `source` (its stored form) and a `size`
    (approximate bytes in memory).
    """

    known: ClassVar[Mapping[str, Any]]
    """Parts by key that are built into the code. They need not be read from the database."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)

    @staticmethod
    def read(source: bytes | str) -> Any:
        """Decode a part from its stored source."""
        raise NotImplementedError

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the parts, in the order of `parts`."""
        return tuple(part.key for part in self.parts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.keys == self.keys

    def __hash__(self) -> int:
        return hash(self.keys)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(key[:8] for key in self.keys)})"


FindPart = Callable[[type[Kept], str], Any]
"""Finds a part of this kind by its key. Raises LookupError if there is none."""


def nothing_kept(kind: type[Kept], key: str) -> Any:
    """Lookup function that finds no stored parts, so that only parts built into the code are
    available.
    """
    raise LookupError(f"nothing is kept under {key}")


NOBODY = Seat(99)
"""Seat that stands for a name without a seat.

Its number is higher than any game's seats, so that rules refuse it with `bad_target`.
"""


def prepare_types() -> None:
    """Make msgspec build its descriptions of all structs defined so far.

    It builds them on first use. If another thread uses the same struct meanwhile, msgspec 0.22
    crashes the process, so call this before threads start.
    """
    for kind in _kinds_of(msgspec.Struct):
        with suppress(TypeError):  # structs that are only ever encoded
            msgspec.json.Decoder(kind, dec_hook=_restore_plain)


def _kinds_of(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in type.__subclasses__(base):
        yield kind
        yield from _kinds_of(kind)


def pack(data: Any) -> Any:
    """Convert data to plain lists, dicts and values for a JSON column. Seats become numbers."""
    return msgspec.to_builtins(data, enc_hook=_store, str_keys=True)


def unpack(plain: Any, type_: Any, find: FindPart = nothing_kept) -> Any:
    """Reverse `pack`. Raise msgspec.ValidationError if the data is not valid."""
    return msgspec.convert(plain, type_, dec_hook=_hook(find))


def encode(data: Any) -> bytes:
    """Encode data as JSON for the database. Seats become numbers."""
    return _encoder.encode(data)


def decode(data: bytes | str, type_: type[T], find: FindPart = nothing_kept) -> T:
    """Reverse `encode`. Raise msgspec.ValidationError if the data is not valid."""
    return msgspec.json.decode(data, type=type_, dec_hook=_hook(find))


def _store(value: Any) -> Any:
    if type(value) is Seat:
        return int(value)
    if isinstance(value, BySeat):
        return {int(seat): of for seat, of in value.items()}
    if isinstance(value, Kept):
        return value.keys
    raise TypeError(f"{type(value).__name__} cannot be stored")


_encoder = msgspec.json.Encoder(enc_hook=_store)


def _hook(find: FindPart) -> Callable[[Any, Any], Any]:
    return _restore_plain if find is nothing_kept else partial(_restore, find)


def _restore(find: FindPart, type_: Any, value: Any) -> Any:
    if type_ is Seat:
        return Seat(value)
    if get_origin(type_) is BySeat:
        (of,) = get_args(type_)
        hook = _hook(find)
        return BySeat({Seat(at): msgspec.convert(x, of, dec_hook=hook) for at, x in value.items()})
    if isinstance(type_, type) and issubclass(type_, Kept):
        return type_([type_.known.get(key) or find(type_, key) for key in value])
    raise TypeError(f"{type_} cannot be read back")


_restore_plain = partial(_restore, nothing_kept)
