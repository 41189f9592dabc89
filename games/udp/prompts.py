"""Questions that wait for a datagram: each by a token nobody can guess, answered once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from games.udp.lines import Answer


@dataclass
class Prompts:
    """The open questions. `take` says whether an answer was one to its question."""

    _open: dict[str, tuple[str, Callable[[Answer], bool]]] = field(default_factory=dict)

    def put(self, name: str, take: Callable[[Answer], bool]) -> str:
        """A new question to this name; return its token."""
        token = secrets.token_hex(8)
        self._open[token] = (name, take)
        return token

    def withdraw(self, *tokens: str) -> None:
        """It is too late for these."""
        for token in tokens:
            self._open.pop(token, None)

    def answer(self, name: str | None, answer: Answer) -> None:
        """An answer of the one who speaks for this name; any other is ignored, never punished."""
        asked, take = self._open.get(answer.token, (None, None))
        if take is not None and asked == name and take(answer):
            self.withdraw(answer.token)

    async def ask(self, name: str, send: Callable[[str], None], seconds: float) -> Answer | None:
        """Ask one name and wait: its answer, None when the time is up. `send` gets the token."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def take(answer: Answer) -> bool:
            if answered.done():  # the time has just been up
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
