"""Open questions to programs, each with an unguessable token that is valid for one answer."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from games.udp.lines import Answer


@dataclass
class Prompts:
    """The open questions. A question's `take` returns whether it accepts an answer."""

    _open: dict[str, tuple[str, Callable[[Answer], bool]]] = field(default_factory=dict)

    def put(self, name: str, take: Callable[[Answer], bool]) -> str:
        """Add a question for the program with this name. Return the question's token."""
        token = secrets.token_hex(8)
        self._open[token] = (name, take)
        return token

    def withdraw(self, *tokens: str) -> None:
        """Withdraw questions whose time has run out."""
        for token in tokens:
            self._open.pop(token, None)

    def answer(self, name: str | None, answer: Answer) -> None:
        """Handle an answer from this name. Answers to other names' questions are ignored."""
        asked, take = self._open.get(answer.token, (None, None))
        if take is not None and asked == name and take(answer):
            self.withdraw(answer.token)

    async def ask(self, name: str, send: Callable[[str], None], seconds: float) -> Answer | None:
        """Ask the program with this name. Return its answer, or None after `seconds`."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def take(answer: Answer) -> bool:
            if answered.done():  # the answer came a moment too late
                return False
            answered.set_result(answer)
            return True

        token = self.put(name, take)
        send(token)
        try:
            await asyncio.wait([answered], timeout=seconds)
            return answered.result() if answered.done() else None
        finally:
            self.withdraw(token)
