"""Offers, and the moves they allow.

An offer is a collection of moves: `move in offer` says whether it is legal, and iteration yields
all of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import prod
from typing import Any

Json = dict[str, Any]
Value = str | int | bool
"""A value of an argument: a username, card id, role, index or boolean."""
Dice = random.Random


@dataclass(frozen=True)
class Move:
    """A move: its name on the wire and its arguments."""

    name: str
    args: Mapping[str, Any]

    def packet(self) -> Json:
        """Return the packet of the move, without a prompt."""
        return {"type": self.name, **self.args}

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.args.items())})"


@dataclass(frozen=True)
class OneOf:
    """An argument that is one of these values."""

    values: tuple[Value, ...]

    def __contains__(self, value: object) -> bool:
        return any(_same(value, one) for one in self.values)

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def random(self, dice: Dice) -> Value:
        return dice.choice(self.values)

    @property
    def weight(self) -> int:
        return len(self.values)


@dataclass(frozen=True)
class Some:
    """An argument that is a list of `least` to `most` distinct values.

    `ordered` says whether their order matters.
    """

    values: tuple[Value, ...]
    least: int
    most: int
    ordered: bool

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, list | tuple) or not self.least <= len(value) <= self.most:
            return False
        known = all(any(_same(one, of) for of in self.values) for one in value)
        return known and len(set(value)) == len(value)

    def __iter__(self) -> Iterator[list[Value]]:
        picks = permutations if self.ordered else combinations
        for size in range(self.least, self.most + 1):
            for pick in picks(self.values, size):
                yield list(pick)

    def random(self, dice: Dice) -> list[Value]:
        return dice.sample(self.values, dice.randint(self.least, self.most))

    @property
    def weight(self) -> int:
        """Weight in a random choice among offers.

        It is always 1, so that large hands are not played more often.
        """
        return 1


@dataclass(frozen=True)
class Offer:
    """A move that is allowed now, with any combination of its arguments' values."""

    move: str
    args: Mapping[str, OneOf | Some]
    risky: bool
    dice: Dice

    def choose(self, **given: Any) -> Move:
        """Return the move with these arguments. Missing arguments are drawn at random.

        Raise ValueError if an argument is not allowed.
        """
        for name, value in given.items():
            if name not in self.args:
                raise ValueError(f"{self.move} has no argument {name!r}.")
            if value not in self.args[name]:
                raise ValueError(f"{self.move} does not accept {value!r} as {name!r} now.")
        drawn = {n: of.random(self.dice) for n, of in self.args.items() if n not in given}
        return Move(self.move, {**drawn, **given})

    def random(self) -> Move:
        """Return a random move of this offer."""
        return self.choose()

    def __getitem__(self, name: str) -> tuple[Value, ...]:
        """Return the allowed values of an argument."""
        return self.args[name].values

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move.name == self.move
            and set(move.args) == set(self.args)
            and all(value in self.args[name] for name, value in move.args.items())
        )

    def __iter__(self) -> Iterator[Move]:
        """Yield all moves. Large hands allow very many moves, so use `random` for them."""
        for values in product(*self.args.values()):
            yield Move(self.move, dict(zip(self.args, values, strict=True)))

    @property
    def weight(self) -> int:
        """Weight in a random choice among offers: the number of moves that the offer allows."""
        return prod(of.weight for of in self.args.values())


def read_offers(plain: list[Json], dice: Dice) -> tuple[Offer, ...]:
    """Parse the `offers` of a sync. Their random choices use `dice`."""
    return tuple(
        Offer(
            offer["move"],
            {name: _choices(of) for name, of in offer["args"].items()},
            bool(offer["risky"]),
            dice,
        )
        for offer in plain
    )


def _choices(plain: Json) -> OneOf | Some:
    if "oneOf" in plain:
        return OneOf(tuple(plain["oneOf"]))
    return Some(tuple(plain["some"]), plain["least"], plain["most"], plain["ordered"])


def _same(one: object, other: object) -> bool:
    """Whether two values are equal and of the same type. On the wire, `true` is not `1`."""
    return type(one) is type(other) and one == other
