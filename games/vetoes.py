"""Vetoes: a player at a table of Cards never wants to see a card again (decision 0012)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import catalogs, decks, members
from games.catalogs import Catalog
from games.decks import finder, text_of
from games.options import read_options
from games.rules import GAMES
from games.rules.core import Ignored
from games.rules.data import pack
from games.writer import command

CATALOG = Catalog("packs", finder=decks.finder, choices=decks.choices)


def connect() -> None:
    """Bring the decks to the games that are played with packs."""
    catalogs.register(CATALOG)


async def from_page(room_id: int, user_id: int, body: Mapping[str, Any]) -> str:
    """What the button by a card does; the code of the sentence that answers it."""
    card = body.get("card")
    await veto(room_id, user_id, card if isinstance(card, str) else "")
    return "vetoed"


@command
def veto(room_id: int, user_id: int, card: str) -> None:
    """A player at the table never wants to see a card again. In force from the next match on."""
    room, member = members.room_of(room_id), members.member_of(room_id, user_id)
    vetoed = room.options.get("vetoed")
    if vetoed is None or member.spectator or text_of(card, finder(room.host_id)) == card:
        raise Ignored
    if card not in vetoed:
        given = {**room.options, "vetoed": [*vetoed, card]}
        room.options = pack(read_options(GAMES[room.game], given, finder(room.host_id)))
        members.changed(room)
