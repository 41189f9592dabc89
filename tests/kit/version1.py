"""Matches whose luck has version 1: lessons, and those that began before the upgrade."""

from __future__ import annotations

from unittest import mock

from games.contract.luck import derived_nonce
from games.engine import matches
from games.engine.writer import command
from games.models import Match, Room
from games.rooms import members


def start_before(room: Room, *nonces: str) -> Match:
    """Start the next match as the previous version does. An empty nonce was not sent."""

    def nonce(secret: bytes, seat: int) -> str:
        return (nonces[seat] if seat < len(nonces) else "") or derived_nonce(secret, seat)

    with mock.patch("games.engine.matches.derived_nonce", nonce):
        return Match.objects.get(pk=_begin(room.pk).result())


@command
def _begin(room_id: int) -> int:
    room = members.room_of(room_id)
    return int(matches.begin(room, list(members.players_now(room))).row.pk)
