"""Luck to which everybody at the table adds, version 2: its bytes (`docs/fairness.md`).

Every player commits to a secret with a *share*. The *list* names all shares, and is fixed before
any secret is opened. The seed follows from the server's seed, the list and the opened secrets. The
*code* is a short form of both, which people can compare.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Characters that are hard to confuse when read aloud."""
_PREFIX = b"parlour/2 "
_EMPTY = bytes(32)
_NOBODY = b"\0" + _EMPTY
_NO_CHAIN = bytes(8) + _EMPTY
_NO_BEACON = bytes(8)


class Share(NamedTuple):
    """What one seat adds to the luck, in hex. Both are None for a silent seat."""

    username: str
    share: str | None = None
    secret: str | None = None


def share_of(commitment: str, username: str, secret: str) -> str:
    """Return the share with which this user commits to a secret, for one commitment of a server."""
    name = _text(username)
    return _hash("share", bytes.fromhex(commitment), name, bytes.fromhex(secret)).hex()


def list_of(commitment: str, game: str, options: Mapping[str, Any], seats: Sequence[Share]) -> str:
    """Return the hash of the list of shares, in the order of the seats."""
    parts = [_text(one.username) + _given(one.share) for one in seats]
    return _hash(
        "list",
        bytes.fromhex(commitment),
        _text(game),
        sha256(_canonical(options)).digest(),
        _NO_CHAIN,
        _NO_BEACON,
        len(seats).to_bytes(2, "big"),
        *parts,
    ).hex()


def seed_of_list(server_seed: str, listed: str, seats: Sequence[Share]) -> bytes:
    """Return the seed of a match, once the secrets of all shares on the list are known."""
    message = _tagged("seed", bytes.fromhex(listed), *_answers(seats), _EMPTY)
    return hmac.digest(bytes.fromhex(server_seed), message, "sha256")


def code_of(listed: str, seats: Sequence[Share]) -> str:
    """Return the code of a match, which is the same for everybody who was shown the same list and
    secrets.
    """
    number = int.from_bytes(_hash("code", bytes.fromhex(listed), *_answers(seats), _EMPTY), "big")
    letters = []
    for _ in range(7):
        number, at = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[at])
    return f"{''.join(letters[:3])}-{''.join(letters[3:])}"


def draw_message(label: str, count: int) -> bytes:
    """Return the message of a draw's stream. The number of a block follows it."""
    return _tagged("draw", _text(label), count.to_bytes(4, "big"))


def _answers(seats: Sequence[Share]) -> list[bytes]:
    return [_given(one.secret) for one in seats]


def _given(value: str | None) -> bytes:
    return _NOBODY if value is None else b"\1" + bytes.fromhex(value)


def _canonical(options: Mapping[str, Any]) -> bytes:
    """Return the options as RFC 8785 writes them: they have ASCII keys and no fractions."""
    return msgspec.json.encode(options, order="sorted")


def _hash(tag: str, *parts: bytes) -> bytes:
    return sha256(_tagged(tag, *parts)).digest()


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"".join((_PREFIX, tag.encode(), b"\0", *parts))


def _text(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data
