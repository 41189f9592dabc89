"""What rules are made of: seats, frozen data, and how both are kept as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, get_args, get_origin

import msgspec

T = TypeVar("T")


class Seat(int):
    """A place at the table, 0 to n-1 within one match. On the wire it becomes a username."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Seat({int(self)})"

    def __str__(self) -> str:
        return str(int(self))


Viewer = Seat | None
"""Who looks: a seat, or None for the gallery (spectators, all who have no seat)."""


class BySeat(Mapping[Seat, T], Generic[T]):
    """A frozen mapping from seat to something, for states, events and views.

    A plain dict would lose its Seat keys in JSON; this one comes back as it went.
    """

    __slots__ = ("_of",)

    def __init__(self, of: Mapping[Seat, T] | Sequence[tuple[Seat, T]] = ()) -> None:
        self._of: dict[Seat, T] = dict(of)

    def __getitem__(self, seat: Seat) -> T:
        return self._of[seat]

    def __contains__(self, seat: object) -> bool:
        return seat in self._of  # what Mapping does instead is to catch a KeyError

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
        """This mapping with one entry set."""
        return BySeat({**self._of, seat: value})


class Data(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Frozen data; camelCase on the wire. Tuples and replaced mappings inside, never mutated."""


NOBODY = Seat(99)
"""The seat of a name that sits nowhere. No game has so many; the rules answer `bad_target`."""


def pack(data: Any) -> Any:
    """Data as plain lists, dicts and values, for a JSON column: seats are numbers."""
    return msgspec.to_builtins(data, enc_hook=_store, str_keys=True)


def unpack(plain: Any, type_: Any) -> Any:
    """The inverse of `pack`. Raise msgspec.ValidationError."""
    return msgspec.convert(plain, type_, dec_hook=_restore)


def encode(data: Any) -> bytes:
    """Data as JSON for the database: seats are numbers."""
    return _encoder.encode(data)


def decode(data: bytes | str, type_: type[T]) -> T:
    """The inverse of `encode`. Raise msgspec.ValidationError."""
    return msgspec.json.decode(data, type=type_, dec_hook=_restore)


def _store(value: Any) -> Any:
    if type(value) is Seat:
        return int(value)
    if isinstance(value, BySeat):
        return {int(seat): of for seat, of in value.items()}
    raise TypeError(f"{type(value).__name__} cannot be stored")


_encoder = msgspec.json.Encoder(enc_hook=_store)


def _restore(type_: Any, value: Any) -> Any:
    if type_ is Seat:
        return Seat(value)
    if get_origin(type_) is BySeat:
        (of,) = get_args(type_)
        return BySeat(
            {Seat(at): msgspec.convert(x, of, dec_hook=_restore) for at, x in value.items()}
        )
    raise TypeError(f"{type_} cannot be read back")
