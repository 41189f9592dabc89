"""Verifiable random numbers: draws are derived from a seed that was committed to beforehand.

`docs/fairness.md` specifies the derivation with test vectors, so that they can be reimplemented in
any language. In version 1 every act has its own stream of bytes. In version 2 every draw has one,
which depends on its label and on how often the match has drawn with that label.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeVar

from games.contract.data import Data
from games.contract.mixing import draw_message

T = TypeVar("T")

_WORD = 8
_SPAN = 1 << 8 * _WORD


class Draw(Data, frozen=True):
    """One draw as logged: a number below `size`, or the permutation of a shuffle."""

    label: str
    size: int
    value: int | tuple[int, ...]


class Luck:
    """Random numbers for one act. All draws are recorded in `draws`, in order."""

    def __init__(self, seed: bytes, act: int) -> None:
        self._words = _words(seed, act.to_bytes(4, "big"))
        self.draws: list[Draw] = []

    def draw(self, label: str, size: int) -> int:
        """Return a number from 0 to size-1, each equally likely."""
        value = self._number(label, size)
        self.draws.append(Draw(label, size, value))
        return value

    def shuffle(self, label: str, size: int) -> tuple[int, ...]:
        """Return a random permutation of 0 to size-1.

        Position i of the result holds the old index.
        """
        value = self._permutation(label, size)
        self.draws.append(Draw(label, size, value))
        return value

    def pick(self, label: str, among: Sequence[T]) -> T:
        """Return one of these items, each equally likely."""
        return among[self.draw(label, len(among))]

    def shuffled(self, label: str, things: Sequence[T]) -> tuple[T, ...]:
        """Return these items in random order."""
        return tuple(things[at] for at in self.shuffle(label, len(things)))

    def _number(self, label: str, size: int) -> int:
        limit = _SPAN // size * size
        while (word := next(self._words)) >= limit:
            pass
        return word % size

    def _permutation(self, label: str, size: int) -> tuple[int, ...]:
        places = list(range(size))
        for i in range(size - 1, 0, -1):
            j = self._number(label, i + 1)
            places[i], places[j] = places[j], places[i]
        return tuple(places)


class KeyedLuck(Luck):
    """Random numbers of version 2 for one act.

    `drawn` says how often the match has drawn with each label so far. Each draw has its own stream,
    so acts without a draw change nothing about later draws.
    """

    def __init__(self, seed: bytes, drawn: Mapping[str, int]) -> None:
        self._seed = seed
        self._drawn = dict(drawn)
        self.draws: list[Draw] = []

    def draw(self, label: str, size: int) -> int:
        self._open(label)
        return super().draw(label, size)

    def shuffle(self, label: str, size: int) -> tuple[int, ...]:
        self._open(label)
        return super().shuffle(label, size)

    def _open(self, label: str) -> None:
        count = self._drawn.get(label, 0)
        self._drawn[label] = count + 1
        self._words = _words(self._seed, draw_message(label, count))


def drawn_after(drawn: Mapping[str, int], draws: Sequence[Draw]) -> dict[str, int]:
    """Return how often a match has drawn with each label, after these draws."""
    return dict(Counter(drawn) + Counter(draw.label for draw in draws))


Temper = Literal["careful", "plain", "bold"]
TEMPERS: tuple[Temper, ...] = ("careful", "plain", "bold")
TASTES = 5040
"""Number of values of `Manner.taste`, divisible by every number up to ten."""


class Manner(Data, frozen=True):
    """How a bot plays and talks at any level. A manner changes parameters, never rules."""

    temper: Temper = "plain"
    chatty: bool = False
    taste: int = 0
    """A number below `TASTES` that determines preferences in games whose bots have them."""


class BotLuck(Luck):
    """Random numbers for one decision of a bot, and the manner of that bot."""

    def __init__(self, seed: bytes, act: int, manner: Manner | None = None) -> None:
        super().__init__(seed, act)
        self.manner = manner or Manner()


class ScriptedLuck(Luck):
    """Luck for tests that returns scripted values by label, and fails when they run out."""

    def __init__(self, **script: Sequence[int | Sequence[int]]) -> None:
        self._script = {label.replace("_", "."): list(values) for label, values in script.items()}
        self.draws = []

    def _number(self, label: str, size: int) -> int:
        value = self._next(label)
        assert isinstance(value, int), f"{label} is no shuffle"
        assert 0 <= value < size, f"{label}: {value} is not below {size}"
        return value

    def _permutation(self, label: str, size: int) -> tuple[int, ...]:
        value = self._next(label)
        assert not isinstance(value, int), f"{label} is a shuffle"
        assert sorted(value) == list(range(size)), f"{label}: {value}"
        return tuple(value)

    def _next(self, label: str) -> int | Sequence[int]:
        assert self._script.get(label), f"nothing scripted for the draw {label!r}"
        return self._script[label].pop(0)


def commitment(server_seed: bytes) -> str:
    """Return the SHA-256 of the server's 32 random bytes in hex. It is shown before the match."""
    return sha256(server_seed).hexdigest()


def derived_nonce(server_seed: bytes, seat: int) -> str:
    """Return the nonce for a player who sent none. It is derived from the committed bytes."""
    return hmac.digest(server_seed, b"nonce" + seat.to_bytes(1, "big"), "sha256").hex()


def mix(server_seed: bytes, nonces: Sequence[str]) -> bytes:
    """Return the seed of a match, made from the server's bytes and all nonces in seat order."""
    parts = (nonce.encode() for nonce in nonces)
    message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    return hmac.digest(server_seed, message, "sha256")


def bot_luck(seed: bytes, seat: int, prompt: int) -> BotLuck:
    """Return a bot's random stream for one decision. It is separate from the match's stream."""
    return _own_luck(seed, b"bot", seat, prompt.to_bytes(4, "big"))


def claim_luck(seed: bytes, seat: int, kind: str, about: int) -> BotLuck:
    """Return a bot's random stream for one claim."""
    return _own_luck(seed, b"claim", seat, about.to_bytes(4, "big") + kind.encode())


def small_talk_luck(seed: bytes, seat: int, act: int) -> BotLuck:
    """Return a bot's random stream for small talk about one act."""
    return _own_luck(seed, b"talk", seat, act.to_bytes(4, "big"))


def share_of_delay(seed: bytes, seat: int, what: bytes) -> float:
    """Return where a bot's delay for a question lies between the minimum (0) and the maximum (1).

    The delay has a separate random stream, so that it reveals nothing about the decision.
    """
    return _own_luck(seed, b"delay", seat, what).draw("delay", 1 << 20) / (1 << 20)


@lru_cache(maxsize=1024)
def manner_of(seed: bytes, seat: int) -> Manner:
    """Return the manner of the bot in this seat. It does not change during a match."""
    luck = Luck(_digest(seed, b"manner", seat), 0)
    temper, chatty = luck.pick("temper", TEMPERS), bool(luck.draw("chatty", 2))
    return Manner(temper, chatty, luck.draw("taste", TASTES))


def _own_luck(seed: bytes, purpose: bytes, seat: int, what: bytes) -> BotLuck:
    return BotLuck(_digest(seed, purpose, seat, what), 0, manner_of(seed, seat))


def _digest(seed: bytes, purpose: bytes, seat: int, what: bytes = b"") -> bytes:
    return hmac.digest(seed, purpose + seat.to_bytes(2, "big") + what, "sha256")


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, message + block.to_bytes(4, "big"), "sha256")
        for at in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[at : at + _WORD], "big")
        block += 1
