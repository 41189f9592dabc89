"""Sockets that speak for somebody: closed soon after their token or login has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from accounts import logins, tokens
from accounts.logins import Login, login_of
from games.reading import in_thread

NOTED_EVERY = 30
"""Every so many looks the tokens of open sockets are noted as used."""


Proof = str | Login
"""By what a socket speaks for somebody: the digest of a token, or a login."""


class Bearer(Protocol):
    """A socket that speaks for somebody."""

    def is_nobodys(self) -> None:
        """What it speaks by does not count any more."""


class Bearers:
    """The sockets of this process, by token and login."""

    def __init__(self) -> None:
        self._of: defaultdict[Proof, set[Bearer]] = defaultdict(set)
        self._proofs: defaultdict[Bearer, set[Proof]] = defaultdict(set)
        self._looks = 0

    def carry(self, token: str, socket: Bearer) -> None:
        """This socket speaks for whoever holds the token."""
        self._carry(tokens.digest(token), socket)

    def log_in(self, scope: Mapping[str, Any], socket: Bearer) -> None:
        """This socket speaks for whoever is logged in there."""
        if (login := login_of(scope)) is not None:
            self._carry(login, socket)

    def drop(self, socket: Bearer) -> None:
        """This socket has gone."""
        for proof in self._proofs.pop(socket, ()):
            if sockets := self._of.get(proof):
                sockets.discard(socket)
            if not sockets:
                self._of.pop(proof, None)

    async def look(self) -> None:
        """Compares with what is stored, in a query or two for everybody."""
        if not self._of:
            return
        known = list(self._of)
        digests, valid = await in_thread(_still_valid, known)
        for proof in known:
            if proof not in digests and proof not in valid:
                for socket in self._of.pop(proof, set()):
                    socket.is_nobodys()
        self._looks += 1
        if self._looks % NOTED_EVERY == 0:
            await in_thread(tokens.note_use, digests)

    def _carry(self, proof: Proof, socket: Bearer) -> None:
        self._of[proof].add(socket)
        self._proofs[socket].add(proof)


def _still_valid(proofs: Collection[Proof]) -> tuple[set[str], set[Login]]:
    """Those of these that count, tokens and logins."""
    digests = [proof for proof in proofs if isinstance(proof, str)]
    theirs = [proof for proof in proofs if isinstance(proof, Login)]
    return (
        tokens.still_valid(digests) if digests else set(),
        logins.still_valid(theirs) if theirs else set(),
    )
