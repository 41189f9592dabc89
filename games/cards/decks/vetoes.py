"""Vetoes: a player at a table of Cards never wants to see a card again (decision 138)."""

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
    """Bring the decks to the games that are played with packs."""
    catalogs.register(CATALOG)


@carries_out(commands.VetoCard)
def veto(room: Room, member: Member, card: str) -> None:
    """A player at the table never wants to see a card again. In force from the next match on."""
    vetoed = room.options.get("vetoed")
    if vetoed is None or text_of(card, finder(room.host_id)) == card:
        raise Ignored
    if card not in vetoed:
        given = {**room.options, "vetoed": [*vetoed, card]}
        room.options = pack(read_options(GAMES[room.game], given, finder(room.host_id)))
        members.changed(room)
