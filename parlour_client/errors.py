"""Errors of the client. Their messages can be shown to users."""

from __future__ import annotations


class ParlourError(Exception):
    """Base class of all errors. `str(error)` is one sentence."""


class Misused(ParlourError, ValueError):
    """The client was used incorrectly: a bad address, no table, or another game."""


class Unreachable(ParlourError):
    """No server responds at the address, or the server is not Parlour."""


class ConnectionLost(ParlourError):
    """The connection was lost before the response came. It is unknown whether the request was
    carried out.

    The client reconnects automatically. Only this request may have to be repeated.
    """


class Ended(ParlourError):
    """The server has closed the connection for good, or removed us from the table.

    `code` is the WebSocket's close code (4001, 4003, 4008, …) or the reason in `PlayerLeft`.
    """

    def __init__(self, code: int | str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Refused(ParlourError):
    """The server sent `ActionFailed`.

    `code` is for programs (`stale`, `not_enough_players`), `reason` is for users.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Rejected(Refused):
    """The server sent `PlayerJoinRejected`.

    `code` is its reason (`UsernameTaken`, `InvalidRoom`, …).
    """
