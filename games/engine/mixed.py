"""What the seats of a match added to its luck, version 2, as it is stored (`Match.mixed`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.contract.luck import commitment
from games.contract.mixing import Share, code_of, list_of, share_of
from games.models import Match


class Mixed(NamedTuple):
    """The hash of the list, and a share for each seat with which the match began.

    No names are stored, because they may be erased.
    """

    listed: str
    shares: Sequence[Share]

    def stored(self) -> dict[str, Any]:
        """Return what is stored in the row of a match."""
        return {"list": self.listed, "seats": [[one.share, one.secret] for one in self.shares]}


def mixed_of(match: Match) -> Mixed | None:
    """Return what the seats of a match added, or None if its luck has version 1."""
    if match.mixed is None:
        return None
    shares = [Share("", share, secret) for share, secret in match.mixed["seats"]]
    return Mixed(match.mixed["list"], shares)


def code_of_match(match: Match) -> str:
    """Return the code of a match to whose luck somebody has added, or ""."""
    mixed = mixed_of(match)
    if mixed is None or not any(one.secret for one in mixed.shares):
        return ""
    return code_of(mixed.listed, mixed.shares)


def agreement(match: Match, names: Sequence[str]) -> dict[str, Any] | None:
    """Return what everybody at the table agreed on before a match, or None if its luck has
    version 1.

    `names` are the current names of its seats. The name of a seat is None if it has changed since.
    """
    mixed = mixed_of(match)
    if mixed is None:
        return None
    known = _names_on_list(match, mixed, names)
    return {
        "list": mixed.listed,
        "code": code_of(mixed.listed, mixed.shares),
        "seats": [
            {"username": name, "share": one.share, "secret": one.secret}
            for name, one in zip(known, mixed.shares, strict=True)
        ],
    }


def _names_on_list(match: Match, mixed: Mixed, names: Sequence[str]) -> list[str | None]:
    """Return the names on the list.

    If only names of silent seats have changed, it is unknown which, so all of these are None.
    """
    committed = commitment(bytes.fromhex(match.secret))
    seats = [one._replace(username=name) for one, name in zip(mixed.shares, names, strict=False)]
    is_unchanged = list_of(committed, match.game, match.options, seats) == mixed.listed
    return [one.username if is_unchanged or _is_proved(committed, one) else None for one in seats]


def _is_proved(committed: str, seat: Share) -> bool:
    """Whether the share of a seat was made with its current name."""
    return seat.secret is not None and seat.share == share_of(committed, seat.username, seat.secret)
