"""What can go wrong, each kind with a sentence that can be shown to people."""

from __future__ import annotations


class ParlourError(Exception):
    """The base of all of them; `str(error)` is one sentence."""


class Misused(ParlourError, ValueError):
    """What was asked for makes no sense: a bad address, no table, another game."""


class Unreachable(ParlourError):
    """Nobody answers at the address, or what answers is no Parlour."""


class ConnectionLost(ParlourError):
    """The connection broke before the answer came: whether it was done is not known.

    The client comes back by itself; only this one request has to be thought about again.
    """


class Ended(ParlourError):
    """The server has ended the conversation, or sent us away from the table, for good.

    `code` is the close code of the WebSocket (4001, 4003, 4008, …) or the reason of `PlayerLeft`.
    """

    def __init__(self, code: int | str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Refused(ParlourError):
    """An `ActionFailed`: `code` is for programs (`stale`, `not_enough_players`), `reason` a
    sentence for people."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Rejected(Refused):
    """A `PlayerJoinRejected`; `code` is its reason (`UsernameTaken`, `InvalidRoom`, …)."""
