"""Vetoes: a player at a table of Cards never wants to see a card again (decision 0012)."""

from __future__ import annotations

from games import catalogs, decks, members
from games.authorization import carries_out
from games.catalogs import Catalog
from games.decks import finder, text_of
from games.models import Member, Room
from games.options import read_options
from games.packets import commands
from games.rules import GAMES
from games.rules.core import Ignored
from games.rules.data import pack

CATALOG = Catalog("packs", finder=decks.finder, choices=decks.choices)


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
