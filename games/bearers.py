"""Sockets that came with a token: closed soon after it is revoked or has expired."""

from __future__ import annotations

from collections import defaultdict
from typing import Protocol

from accounts import tokens
from games.reading import in_thread

NOTED_EVERY = 30
"""Every so many looks the tokens of open sockets are noted as used."""


class Bearer(Protocol):
    """A socket that speaks for the holder of a token."""

    def token_is_gone(self) -> None:
        """The token does not count any more."""


class Bearers:
    """The sockets of this process, by token."""

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Bearer]] = defaultdict(set)
        self._tokens: defaultdict[Bearer, set[str]] = defaultdict(set)
        self._looks = 0

    def carry(self, token: str, socket: Bearer) -> None:
        """This socket speaks for whoever holds the token."""
        digest = tokens.digest(token)
        self._of[digest].add(socket)
        self._tokens[socket].add(digest)

    def drop(self, socket: Bearer) -> None:
        """This socket has gone."""
        for digest in self._tokens.pop(socket, ()):
            if sockets := self._of.get(digest):
                sockets.discard(socket)
            if not sockets:
                self._of.pop(digest, None)

    async def look(self) -> None:
        """Compares with what is stored, in one query."""
        if not self._of:
            return
        known = list(self._of)
        valid = await in_thread(tokens.still_valid, known)
        for digest in known:
            if digest not in valid:
                for socket in self._of.pop(digest, set()):
                    socket.token_is_gone()
        self._looks += 1
        if self._looks % NOTED_EVERY == 0:
            await in_thread(tokens.note_use, valid)
