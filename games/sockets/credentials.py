"""Keeps track of the token or login of each socket.

When one ends, its socket is told soon afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from accounts import logins, tokens
from accounts.logins import Login, login_of
from games.engine.reading import in_thread

NOTED_EVERY = 30
"""Number of checks between two updates of the time when open sockets' tokens were last used."""


Credential = str | Login
"""A socket's authorization: the digest of a token, or a login."""


class CredentialHolder(Protocol):
    """A socket that acts for a user as long as a token or login is valid."""

    def on_revoked(self) -> None:
        """Called when the credential is no longer valid."""


class CredentialRegistry:
    """The sockets of this process by credential.

    All credentials are checked together every two seconds.
    """

    def __init__(self) -> None:
        self._sockets_of: defaultdict[Credential, set[CredentialHolder]] = defaultdict(set)
        self._credentials_of: defaultdict[CredentialHolder, set[Credential]] = defaultdict(set)
        self._polls = 0

    def register_token(self, token: str, socket: CredentialHolder) -> None:
        """Register a socket that acts for the holder of a token."""
        self._register(tokens.digest(token), socket)

    def register_login(self, scope: Mapping[str, Any], socket: CredentialHolder) -> None:
        """Register a socket that acts for the user of the login in `scope`, if there is a login."""
        if (login := login_of(scope)) is not None:
            self._register(login, socket)

    def drop(self, socket: CredentialHolder) -> None:
        """Forget a closed socket."""
        for credential in self._credentials_of.pop(socket, ()):
            if sockets := self._sockets_of.get(credential):
                sockets.discard(socket)
            if not sockets:
                self._sockets_of.pop(credential, None)

    async def poll(self) -> None:
        """Check the credentials of all sockets with one or two queries.

        Tell the sockets whose credential is invalid.
        """
        if not self._sockets_of:
            return
        known = list(self._sockets_of)
        digests, valid = await in_thread(_still_valid, known)
        for credential in known:
            if credential not in digests and credential not in valid:
                for socket in self._sockets_of.pop(credential, set()):
                    socket.on_revoked()
        self._polls += 1
        if self._polls % NOTED_EVERY == 0:
            await in_thread(tokens.note_use, digests)

    def _register(self, credential: Credential, socket: CredentialHolder) -> None:
        self._sockets_of[credential].add(socket)
        self._credentials_of[socket].add(credential)


def _still_valid(credentials: Collection[Credential]) -> tuple[set[str], set[Login]]:
    """Return the digests of the tokens that are still valid, and the logins that are."""
    digests = [credential for credential in credentials if isinstance(credential, str)]
    theirs = [credential for credential in credentials if isinstance(credential, Login)]
    return (
        tokens.still_valid(digests) if digests else set(),
        logins.still_valid(theirs) if theirs else set(),
    )
