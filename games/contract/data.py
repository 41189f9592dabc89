"""What rules are made of: seats, frozen data, and how both are kept as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar, get_args, get_origin

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


class Kept:
    """Immutable data that states share: each part is stored once, and states hold their keys.

    A part has a `key`, which follows from its content, a `source` (what is stored of it) and a
    `size` (about how many bytes of memory it takes).
    """

    known: ClassVar[Mapping[str, Any]]
    """Parts by key that need not be read, because they come with the code."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)

    @staticmethod
    def read(source: bytes | str) -> Any:
        """A part from its source."""
        raise NotImplementedError

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the parts, in order."""
        return tuple(part.key for part in self.parts)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.keys == self.keys

    def __hash__(self) -> int:
        return hash(self.keys)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(key[:8] for key in self.keys)})"


FindPart = Callable[[type[Kept], str], Any]
"""Finds a part of this kind by its key. Raise LookupError."""


def nothing_kept(kind: type[Kept], key: str) -> Any:
    """Find the parts that come with the code, and no others."""
    raise LookupError(f"nothing is kept under {key}")


NOBODY = Seat(99)
"""The seat of a name that sits nowhere. No game has so many; the rules answer `bad_target`."""


def pack(data: Any) -> Any:
    """Data as plain lists, dicts and values, for a JSON column: seats are numbers."""
    return msgspec.to_builtins(data, enc_hook=_store, str_keys=True)


def unpack(plain: Any, type_: Any, find: FindPart = nothing_kept) -> Any:
    """The inverse of `pack`. Raise msgspec.ValidationError."""
    return msgspec.convert(plain, type_, dec_hook=_hook(find))


def encode(data: Any) -> bytes:
    """Data as JSON for the database: seats are numbers."""
    return _encoder.encode(data)


def decode(data: bytes | str, type_: type[T], find: FindPart = nothing_kept) -> T:
    """The inverse of `encode`. Raise msgspec.ValidationError."""
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
