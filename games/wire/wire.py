"""Conversion between rules and wire: seats to usernames and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, partial
from typing import Annotated, Any, get_args, get_origin, overload

import msgspec
from msgspec import UNSET

from games.contract.choices import move_types
from games.contract.core import Move
from games.contract.data import NOBODY, BySeat, Seat
from games.contract.game import AnyGame


class BadPacket(Exception):
    """Raised if a packet is invalid. The message names the field and what was expected.

    `id` is the id of the packet, or UNSET if it has none or an unreadable one.
    """

    def __init__(self, sentence: str, id: Any = UNSET) -> None:
        super().__init__(sentence)
        self.id = id


def to_wire(data: Any, names: Sequence[str]) -> Any:
    """Convert data of the rules to plain JSON values, with seats as usernames."""
    return msgspec.to_builtins(data, enc_hook=partial(_named, names), str_keys=True)


def to_text(data: Any, names: Sequence[str] = ()) -> str:
    """Convert data of the rules to JSON text, with seats as usernames."""
    return msgspec.json.encode(data, enc_hook=partial(_named, names)).decode()


@overload
def iso(moment: datetime) -> str: ...
@overload
def iso(moment: datetime | None) -> str | None: ...
def iso(moment: datetime | None) -> str | None:
    """Format a time as sent on the wire: UTC with milliseconds. None stays None."""
    return None if moment is None else moment.isoformat(timespec="milliseconds")[:23] + "Z"


def _named(names: Sequence[str], value: Any) -> Any:
    if isinstance(value, Seat):
        return names[value]
    if isinstance(value, BySeat):
        return {names[seat]: of for seat, of in value.items()}
    raise TypeError(f"{type(value).__name__} cannot be sent")


def read_move(game: AnyGame, packet: Mapping[str, Any], names: Sequence[str]) -> Move:
    """Return the move in a packet that has its `type` and its arguments. Raise BadPacket if it is
    invalid.

    A username without a seat becomes NOBODY. The rules decide whether that is an error.
    """
    return _convert(packet, game.rules.moves, names, strict=True)


def read_data(plain: Any, type_: Any, names: Sequence[str]) -> Any:
    """Reverse `to_wire` for an event or a view. Raise BadPacket if it is invalid.

    A username without a seat becomes NOBODY.
    """

    def seat(name: str) -> Seat:
        return Seat(names.index(name)) if name in names else NOBODY

    def convert(kind: Any, value: Any) -> Any:
        if kind is Seat:
            return seat(value)
        (of,) = get_args(kind)  # of a BySeat
        return BySeat({seat(name): read(one, of) for name, one in value.items()})

    def read(value: Any, kind: Any) -> Any:
        return msgspec.convert(value, kind, dec_hook=convert)

    try:
        return read(plain, type_)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None


def read_form(game: AnyGame, body: Mapping[str, Any], names: Sequence[str]) -> Move:
    """Return the move in a form body, in which all values are strings and a list with one ticked
    box is a plain string.
    """
    kind = body.get("type")
    move = move_types(game.rules.moves).get(kind) if isinstance(kind, str) else None
    if move is None:
        raise BadPacket("This is not a move of this game.")
    lists = _lists(move)
    packet = {
        key: [value] if key in lists and not isinstance(value, list) else value
        for key, value in body.items()
    }
    for missing in lists - set(packet):
        packet[missing] = []
    return _convert(packet, game.rules.moves, names, strict=False)


def _convert(packet: Mapping[str, Any], moves: Any, names: Sequence[str], strict: bool) -> Move:
    def seat(type_: Any, value: Any) -> Any:
        if type_ is Seat and isinstance(value, str):
            return Seat(names.index(value)) if value in names else NOBODY
        raise msgspec.ValidationError("Expected a username")

    given = dict(packet)
    kind = given.get("type")
    one = move_types(moves).get(kind) if isinstance(kind, str) else None
    try:  # (msgspec inspects a union again on each call)
        move: Move = msgspec.convert(given, one or moves, strict=strict, dec_hook=seat)
    except msgspec.ValidationError as error:
        raise BadPacket(f"{error}.") from None
    return move


@cache
def _lists(move: Any) -> frozenset[str]:
    """Return the names of the fields of a move that are lists."""
    fields = msgspec.structs.fields(move)
    return frozenset(f.encode_name for f in fields if get_origin(bare(f.type)) is tuple)


def bare(type_: Any) -> Any:
    """Return the type without `| None` and `Annotated`."""
    if get_origin(type_) is Annotated:
        return bare(get_args(type_)[0])
    options = [option for option in get_args(type_) if option is not type(None)]
    is_optional = type(None) in get_args(type_)
    return bare(options[0]) if is_optional and len(options) == 1 else type_
