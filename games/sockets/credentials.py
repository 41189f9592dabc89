"""Which sockets act by which token or login: they are closed soon after it has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from accounts import logins, tokens
from accounts.logins import Login, login_of
from games.engine.reading import in_thread

NOTED_EVERY = 30
"""Every so many checks the tokens of open sockets are noted as used."""


Credential = str | Login
"""What lets a socket act for somebody: the digest of a token, or a login."""


class CredentialHolder(Protocol):
    """A socket that acts for somebody."""

    def on_revoked(self) -> None:
        """Its credential is not valid any more."""


class CredentialRegistry:
    """The sockets of this process by credential, checked together every two seconds."""

    def __init__(self) -> None:
        self._sockets_of: defaultdict[Credential, set[CredentialHolder]] = defaultdict(set)
        self._credentials_of: defaultdict[CredentialHolder, set[Credential]] = defaultdict(set)
        self._looks = 0

    def register_token(self, token: str, socket: CredentialHolder) -> None:
        """Note that this socket acts for the person who holds the token."""
        self._register(tokens.digest(token), socket)

    def register_login(self, scope: Mapping[str, Any], socket: CredentialHolder) -> None:
        """Note that this socket acts for the person who is logged in there."""
        if (login := login_of(scope)) is not None:
            self._register(login, socket)

    def drop(self, socket: CredentialHolder) -> None:
        """Forget a socket that is closed."""
        for credential in self._credentials_of.pop(socket, ()):
            if sockets := self._sockets_of.get(credential):
                sockets.discard(socket)
            if not sockets:
                self._sockets_of.pop(credential, None)

    async def look(self) -> None:
        """Ask the database, in a query or two for all, and tell the sockets that lost theirs."""
        if not self._sockets_of:
            return
        known = list(self._sockets_of)
        digests, valid = await in_thread(_still_valid, known)
        for credential in known:
            if credential not in digests and credential not in valid:
                for socket in self._sockets_of.pop(credential, set()):
                    socket.on_revoked()
        self._looks += 1
        if self._looks % NOTED_EVERY == 0:
            await in_thread(tokens.note_use, digests)

    def _register(self, credential: Credential, socket: CredentialHolder) -> None:
        self._sockets_of[credential].add(socket)
        self._credentials_of[socket].add(credential)


def _still_valid(credentials: Collection[Credential]) -> tuple[set[str], set[Login]]:
    """Those of these that are valid, tokens and logins."""
    digests = [credential for credential in credentials if isinstance(credential, str)]
    theirs = [credential for credential in credentials if isinstance(credential, Login)]
    return (
        tokens.still_valid(digests) if digests else set(),
        logins.still_valid(theirs) if theirs else set(),
    )
