"""The mixing of a room's luck, as it is stored (`Room.mixing`)."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from accounts.names import FORMER
from games.contract.mixing import Share
from games.models import Room


class Listed(Struct, frozen=True):
    """A seat of the next match, with the share on the list and the secret that opens it."""

    member: int
    name: str
    share: str | None = None
    secret: str | None = None


class Void(Struct, frozen=True):
    """A list that could not be completed. Everything about it is public."""

    listed: str
    server_seed: str
    missing: tuple[str, ...]
    """Names of those who did not open their shares in time."""
    seats: tuple[Share, ...]
    gone: tuple[str, ...] | None = None
    """Names of those who have left or were renamed. None if the previous version of the
    code has stored this. It added them to `missing`."""

    def without(self, name: str) -> Void:
        """Return the same without a name, which is replaced by FORMER."""

        def other(one: str) -> str:
            return FORMER if one == name else one

        return replace(
            self,
            missing=tuple(map(other, self.missing)),
            gone=None if self.gone is None else tuple(map(other, self.gone)),
            seats=tuple(one._replace(username=other(one.username)) for one in self.seats),
        )


class Mixing(Struct, frozen=True, kw_only=True):
    """A start that waits for shares or secrets. Afterwards, only what was revealed is kept."""

    seats: tuple[Listed, ...]
    listed: str | None = None
    """Hash of the list of shares, or None before there is one."""
    tries: int = 1
    waits_for: tuple[int, ...] = ()
    """Members whose shares are awaited."""
    missed: tuple[int, ...] = ()
    """Members who have missed a list of this start. They are silent on the next one, and still are
    in the next start if this one is given up."""
    voids: tuple[Void, ...] = ()
    patience: float | None = None
    failed: bool = False
    """Whether the start was given up."""


def mixing_of(room: Room) -> Mixing | None:
    """Return the newest mixing of a room, whether it is over or not, or None."""
    return None if room.mixing is None else msgspec.convert(room.mixing, Mixing)


def running_mixing(room: Room) -> Mixing | None:
    """Return the mixing that is under way, or None."""
    return None if room.mixing_until is None else mixing_of(room)
