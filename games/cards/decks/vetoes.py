"""Vetoes: a player of Cards bans a card from a table (decision 138)."""

from __future__ import annotations

from games.cards import decks
from games.cards.decks import finder, text_of
from games.contract.core import Ignored
from games.contract.data import pack
from games.engine import catalogs
from games.engine.catalogs import Catalog
from games.engine.options import read_options
from games.models import Member, Room
from games.registry import GAMES
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands

CATALOG = Catalog("packs", finder=decks.finder, choices=decks.choices, suits=decks.in_language)


def connect() -> None:
    """Register the decks as a catalog for games with packs."""
    catalogs.register(CATALOG)


@carries_out(commands.VetoCard)
def veto(room: Room, member: Member, card: str) -> None:
    """Ban a card from the table, starting with the next match."""
    vetoed = room.options.get("vetoed")
    if vetoed is None or text_of(card, finder(room.host_id)) == card:
        raise Ignored
    if card not in vetoed:
        given = {**room.options, "vetoed": [*vetoed, card]}
        room.options = pack(read_options(GAMES[room.game], given, finder(room.host_id)))
        members.changed(room)
