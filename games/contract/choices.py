"""Functions that work with offers: build a move, check that it is offered, pick one at random.

With these functions alone, a program can play every game legally.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any, get_args

from games.contract.core import Bot, Choice, ClaimMade, Event, Move, Offer, OneOf, Some
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck

Value = Choice | tuple[Choice, ...]


@cache
def move_types(moves: Any) -> dict[str, type[Move]]:
    """Return the Move classes of a game (`Rules.moves`, a union or one class) by wire name."""
    return {move.__name__: move for move in get_args(moves) or (moves,)}


def build(moves: Any, offer: Offer, values: Mapping[str, Value]) -> Move:
    """Return the move made from this offer. `values` are its arguments, keyed by wire name."""
    move = move_types(moves)[offer.move]
    wire = dict(zip(move.__struct_encode_fields__, move.__struct_fields__, strict=True))
    return move(**{wire[name]: value for name, value in values.items()})


def every_move(moves: Any, offer: Offer) -> Iterator[Move]:
    """Yield every complete move of an offer.

    An unordered selection appears only once, in the order of its choices.
    """
    names = tuple(offer.args)
    for values in product(*(_values(choices) for choices in offer.args.values())):
        yield build(moves, offer, dict(zip(names, values, strict=True)))


def is_offered(offers: Sequence[Offer], move: Move) -> bool:
    """Whether this move is one of those offered."""
    given = _arguments(move)
    return any(
        offer.move == type(move).__name__
        and set(offer.args) == set(given)
        and all(_holds(choices, given[name]) for name, choices in offer.args.items())
        for offer in offers
    )


def random_move(moves: Any, offers: Sequence[Offer], luck: Luck) -> Move:
    """Draw a random move from the offers that are not risky, or from all offers if all are risky.
    Each of their moves is equally likely.
    """
    safe = [offer for offer in offers if not offer.risky] or list(offers)
    weights = [prod(_weight(choices) for choices in offer.args.values()) for offer in safe]
    at = luck.draw("offer", sum(weights))
    chosen = 0
    while at >= weights[chosen]:
        at -= weights[chosen]
        chosen += 1
    offer = safe[chosen]
    return build(moves, offer, {name: _draw(c, luck) for name, c in offer.args.items()})


def random_bot(moves: Any) -> Bot:
    """Return the bot of level `random` for a game with these moves."""

    def bot(
        seat: Seat,
        view: Any,
        offers: Sequence[Offer],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> Move:
        return random_move(moves, offers, luck)

    return bot


def sometimes_random(moves: Any, bot: Bot, percent: int = 25) -> Bot:
    """Return a weaker version of a bot, for the level `easy`. It makes `percent` % of its moves at
    random.
    """

    def easy(
        seat: Seat,
        view: Any,
        offers: Sequence[Offer],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> Move:
        if luck.draw("lapse of reason", 100) < percent:
            return random_move(moves, offers, luck)
        return bot(seat, view, offers, heard, said, luck)

    return easy


def _arguments(move: Move) -> dict[str, Any]:
    """Return the arguments of a move by wire name. Omit optional arguments that are None."""
    pairs = zip(move.__struct_fields__, move.__struct_encode_fields__, strict=True)
    values = {wire: getattr(move, name) for name, wire in pairs}
    return {wire: value for wire, value in values.items() if value is not None}


def _values(choices: OneOf | Some) -> Iterator[Value]:
    if isinstance(choices, OneOf):
        yield from choices.one_of
        return
    pick: Callable[..., Iterator[tuple[Choice, ...]]] = (
        permutations if choices.ordered else combinations
    )
    for size in range(choices.least, choices.most + 1):
        yield from pick(choices.some, size)


def _holds(choices: OneOf | Some, value: Any) -> bool:
    if isinstance(choices, OneOf):
        return _among(choices.one_of, value)
    return (
        isinstance(value, tuple)
        and choices.least <= len(value) <= choices.most
        and len(set(value)) == len(value)
        and all(_among(choices.some, item) for item in value)
    )


def _among(choices: Sequence[Choice], value: Any) -> bool:
    """Whether one of these choices equals the value and has the same type.

    `True`, `Seat(1)` and 1 differ.
    """
    return any(value == choice and type(value) is type(choice) for choice in choices)


def _weight(choices: OneOf | Some) -> int:
    return len(choices.one_of) if isinstance(choices, OneOf) else 1


def _draw(choices: OneOf | Some, luck: Luck) -> Value:
    if isinstance(choices, OneOf):
        return luck.pick("value", choices.one_of)
    size = choices.least + luck.draw("size", choices.most - choices.least + 1)
    return luck.shuffled("some", choices.some)[:size]
