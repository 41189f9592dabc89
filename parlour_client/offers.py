"""What may be done: offers, and the moves one can choose out of them.

An offer is a collection of moves: `move in offer` tells whether it is legal, iterating lists all.
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
"""One choice: a username, a card id, a role, an index, yes or no."""
Dice = random.Random


@dataclass(frozen=True)
class Move:
    """A move of the game: its name on the wire and its arguments."""

    name: str
    args: Mapping[str, Any]

    def packet(self) -> Json:
        """The move as it is sent, without a prompt."""
        return {"type": self.name, **self.args}

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.args.items())})"


@dataclass(frozen=True)
class OneOf:
    """One of these values."""

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
    """Between `least` and `most` different ones of these values; is their order of meaning?"""

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
        """For drawing evenly it counts as one: a large hand is no reason to play it."""
        return 1


@dataclass(frozen=True)
class Offer:
    """A move that may be made now; every choice of one argument goes with every other's."""

    move: str
    args: Mapping[str, OneOf | Some]
    risky: bool
    dice: Dice

    def choose(self, **given: Any) -> Move:
        """The move with these arguments; those not given are drawn.

        Raise ValueError with a sentence when one of them cannot be had.
        """
        for name, value in given.items():
            if name not in self.args:
                raise ValueError(f"{self.move} has no argument {name!r}.")
            if value not in self.args[name]:
                raise ValueError(f"{self.move} cannot have {value!r} as {name!r} now.")
        drawn = {n: of.random(self.dice) for n, of in self.args.items() if n not in given}
        return Move(self.move, {**drawn, **given})

    def random(self) -> Move:
        """Any move of this offer."""
        return self.choose()

    def __getitem__(self, name: str) -> tuple[Value, ...]:
        """The values an argument may have."""
        return self.args[name].values

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move.name == self.move
            and set(move.args) == set(self.args)
            and all(value in self.args[name] for name, value in move.args.items())
        )

    def __iter__(self) -> Iterator[Move]:
        """Every move of it. Picks out of large hands are many: take `random` there."""
        for values in product(*self.args.values()):
            yield Move(self.move, dict(zip(self.args, values, strict=True)))

    @property
    def weight(self) -> int:
        """How much it counts when one is drawn among offers: as many moves as it holds."""
        return prod(of.weight for of in self.args.values())


def read_offers(plain: list[Json], dice: Dice) -> tuple[Offer, ...]:
    """The `offers` of a sync; what is random in them is drawn from `dice`."""
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
    """Equal and of one type: on the wire `true` is not `1`."""
    return type(one) is type(other) and one == other
