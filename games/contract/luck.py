"""Luck that anybody can check: draws are a function of a seed that was committed to beforehand.

The whole of it stands in `docs/fairness.md`, with test vectors, so that it can be written again in
any language: the stream of act n is HMAC-SHA256(seed, n || block) for block 0, 1, …
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeVar

from games.contract.data import Data

T = TypeVar("T")

_WORD = 8
_SPAN = 1 << 8 * _WORD


class Draw(Data, frozen=True):
    """One draw as it is logged: a number below `size`, or the permutation of a shuffle."""

    label: str
    size: int
    value: int | tuple[int, ...]


class Luck:
    """The luck of one act. Every draw is noted in `draws`, in order."""

    def __init__(self, seed: bytes, act: int) -> None:
        self._words = _words(seed, act.to_bytes(4, "big"))
        self.draws: list[Draw] = []

    def draw(self, label: str, size: int) -> int:
        """A number from 0 to size-1, each equally likely."""
        value = self._number(label, size)
        self.draws.append(Draw(label, size, value))
        return value

    def shuffle(self, label: str, size: int) -> tuple[int, ...]:
        """A permutation of 0 to size-1, each equally likely. Position i holds the old index."""
        value = self._permutation(label, size)
        self.draws.append(Draw(label, size, value))
        return value

    def pick(self, label: str, among: Sequence[T]) -> T:
        """One of these, each equally likely."""
        return among[self.draw(label, len(among))]

    def shuffled(self, label: str, things: Sequence[T]) -> tuple[T, ...]:
        """These things in a random order."""
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


Temper = Literal["careful", "plain", "bold"]
TEMPERS: tuple[Temper, ...] = ("careful", "plain", "bold")
TASTES = 5040
"""A game whose bots differ by taste divides these: by any number up to ten they divide evenly."""


class Manner(Data, frozen=True):
    """How a bot plays and talks, whatever its level: it shifts parameters, never rules."""

    temper: Temper = "plain"
    chatty: bool = False
    taste: int = 0
    """A number below `TASTES`: what it likes best, in a game where bots like things."""


class BotLuck(Luck):
    """The luck of one decision of a bot, which knows the manner drawn for its seat."""

    def __init__(self, seed: bytes, act: int, manner: Manner | None = None) -> None:
        super().__init__(seed, act)
        self.manner = manner or Manner()


class ScriptedLuck(Luck):
    """Luck for tests: draws what it is told, label by label, and complains when it runs out."""

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
    """What is shown before a match: the SHA-256 of the server's 32 bytes, lower-case hex."""
    return sha256(server_seed).hexdigest()


def derived_nonce(server_seed: bytes, seat: int) -> str:
    """The nonce of one who gave none: it follows from the committed bytes, so it is no choice."""
    return hmac.digest(server_seed, b"nonce" + seat.to_bytes(1, "big"), "sha256").hex()


def mix(server_seed: bytes, nonces: Sequence[str]) -> bytes:
    """The seed of a match: the server's bytes and every player's nonce, in seat order."""
    parts = (nonce.encode() for nonce in nonces)
    message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)
    return hmac.digest(server_seed, message, "sha256")


def bot_luck(seed: bytes, seat: int, prompt: int) -> BotLuck:
    """A bot's own stream for one decision; never that of the match."""
    return _own_luck(seed, b"bot", seat, prompt.to_bytes(4, "big"))


def claim_luck(seed: bytes, seat: int, kind: str, about: int) -> BotLuck:
    """A bot's own stream for what it says about one claim, if anything."""
    return _own_luck(seed, b"claim", seat, about.to_bytes(4, "big") + kind.encode())


def small_talk_luck(seed: bytes, seat: int, act: int) -> BotLuck:
    """A bot's own stream for what it says to pass the time, about one act."""
    return _own_luck(seed, b"talk", seat, act.to_bytes(4, "big"))


def share_of_delay(seed: bytes, seat: int, what: bytes) -> float:
    """How much of the longest delay a bot takes for a question, from 0 up to 1: drawn before
    anything is decided, from a stream that nothing else is drawn from, so that it tells nothing."""
    return _own_luck(seed, b"delay", seat, what).draw("delay", 1 << 20) / (1 << 20)


@lru_cache(maxsize=1024)
def manner_of(seed: bytes, seat: int) -> Manner:
    """The manner that a bot in this seat has throughout a match."""
    luck = Luck(_digest(seed, b"manner", seat), 0)
    temper, chatty = luck.pick("temper", TEMPERS), bool(luck.draw("chatty", 2))
    return Manner(temper, chatty, luck.draw("taste", TASTES))


def _own_luck(seed: bytes, purpose: bytes, seat: int, what: bytes) -> BotLuck:
    return BotLuck(_digest(seed, purpose, seat, what), 0, manner_of(seed, seat))


def _digest(seed: bytes, purpose: bytes, seat: int, what: bytes = b"") -> bytes:
    return hmac.digest(seed, purpose + seat.to_bytes(2, "big") + what, "sha256")


def _words(seed: bytes, act: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, act + block.to_bytes(4, "big"), "sha256")
        for at in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[at : at + _WORD], "big")
        block += 1
