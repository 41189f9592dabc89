"""Moves to try: some that are offered, and others, sensible or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from games.contract.choices import every_move, move_types
from games.contract.core import Move, Offer, OneOf
from games.contract.data import NOBODY, Seat
from tests.kit.play import Playthrough


def how_many(choices: Any) -> int:
    if isinstance(choices, OneOf):
        assert len(set(choices.one_of)) == len(choices.one_of), "a choice twice"
        return len(choices.one_of)
    assert 0 <= choices.least <= choices.most <= len(choices.some)
    assert len(set(choices.some)) == len(choices.some), "a choice twice"
    return len(choices.some)


def moves_of(moves: Any, offer: Offer) -> Iterator[Move]:
    """Return the moves of an offer, at most a few hundred."""
    for _, move in zip(range(300), every_move(moves, offer), strict=False):
        yield move


def sample(playthrough: Playthrough, moves: Sequence[Move], most: int = 6) -> Sequence[Move]:
    if len(moves) <= most:
        return moves
    return [playthrough.dice.pick("move", moves) for _ in range(most)]


def anything(playthrough: Playthrough, count: int) -> Iterator[Move]:
    """Yield moves of every type with arguments from a wide pool, sensible or not."""
    types = tuple(move_types(playthrough.game.rules.moves).values())
    known = playthrough.once("choices", lambda: _known_choices(playthrough))
    for _ in range(count):
        type_ = playthrough.dice.pick("type", types)
        yield type_(*(_draw(playthrough, of, known) for of in _types_of(type_)))


@lru_cache
def _types_of(move: type[Move]) -> tuple[Any, ...]:
    return tuple(field.type for field in msgspec.structs.fields(move))


def _known_choices(playthrough: Playthrough) -> list[Any]:
    """Return all values that anybody can choose now, and some odd ones, as input for nonsense."""
    found: list[Any] = ["", "5,3", "2,1", "3,5", "7,1", "nothing", "<b>&'\"", -1, 0, 1, 2, 3, 99]
    for _, offers in playthrough.asked():
        for offer in offers:
            for choices in offer.args.values():
                some = choices.one_of if isinstance(choices, OneOf) else choices.some
                found += some[:30]
    return found


def _draw(playthrough: Playthrough, type_: Any, known: Sequence[Any]) -> Any:
    """Draw a value of this type. Seats include NOBODY. Other types use the known values."""
    dice, origin = playthrough.dice, get_origin(type_)
    if origin is Annotated:
        return _draw(playthrough, get_args(type_)[0], known)
    if origin is tuple:
        (inner, *_) = get_args(type_)
        return tuple(_draw(playthrough, inner, known) for _ in range(dice.draw("length", 4)))
    if origin is Literal:
        return dice.pick("value", get_args(type_))
    if type_ is Seat:
        return dice.pick("seat", (*playthrough.seats, NOBODY))
    if type_ is bool:
        return dice.draw("bool", 2) == 1
    if type_ in (int, str):
        return dice.pick("value", [value for value in known if type(value) is type_])
    if type_ is type(None):
        return None
    choices = get_args(type_)
    assert choices, f"an argument of type {type_}"
    return _draw(playthrough, dice.pick("type", choices), known)
