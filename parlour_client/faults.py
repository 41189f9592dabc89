"""Mistakes of a bot: exceptions that it raises, and moves that are not offered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from traceback import extract_tb

from parlour_client.decision import Decision
from parlour_client.offers import Move

log = logging.getLogger("parlour_client")

HERE = Path(__file__).parent
MOST = 20
"""The fault of a match that ends it."""
Answer = Move | None
Bot = Callable[[Decision], "Answer | Awaitable[Answer]"]
"""Function that takes a Decision and returns a Move, or None to leave the question unanswered.

It may be async.
"""
Kind = tuple[type[BaseException], str, int]
"""The type of an exception, and the file and line that raised it."""


class NotOffered(ValueError):
    """The bot returned something that is not a legal move now."""


async def answer_of(bot: Bot, decision: Decision) -> Answer:
    """Return the answer of a bot. Raise NotOffered if it is not legal, or any error of the bot."""
    answer = bot(decision)
    return check(await answer if isinstance(answer, Awaitable) else answer, decision)


def check(answer: Answer, decision: Decision) -> Answer:
    """Return the answer of a bot if it is legal. Raise NotOffered if it is not."""
    if answer is not None and answer not in decision:
        raise NotOffered(f"{answer} is not among the offers of {decision.phase!r}.")
    return answer


def kind_of(error: BaseException) -> Kind:
    """Return what two errors have in common if they have the same cause.

    The line is the last one outside this package, if there is one.
    """
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent != HERE] or frames
    return type(error), own[-1].filename, own[-1].lineno or 0


class Faults:
    """The faults of a bot in one match. Each kind is logged once."""

    def __init__(self) -> None:
        self._count = 0
        self._known: set[Kind] = set()

    def note(self, error: Exception) -> None:
        """Log a fault of a new kind. Raise it again if it is the last one that is tolerated."""
        self._count += 1
        if self._count == MOST:
            raise error
        if (kind := kind_of(error)) not in self._known:
            self._known.add(kind)
            log.error("The bot failed. A random move is made instead.", exc_info=error)
