"""The table programs play at over UDP: its standings and newest rounds."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext

from games.models import UdpRound
from games.recap import points
from games.rules.data import Seat
from games.rules.mia.state import PlayerLost, Reason
from games.sentences import say
from games.table import Json, Table
from games.udp.shown import CHARTED


def region(table: Table) -> Json:
    """The UDP table's names and points, how they went lately, and the newest rounds."""
    udp = table.udp
    if udp is None:
        return {"udp": False}
    top = max((line[-1] for line in udp.gains.values()), default=0)
    return {
        "udp": True,
        "address": udp_address(),
        "names": [
            {"name": one.name, "points": one.points, "rounds": one.rounds, "paused": one.paused}
            for one in udp.standings
        ],
        "top": top,
        "charted": CHARTED,
        "lines": [
            {"label": name, "values": list(line), "points": points(line, top)}
            for name, line in udp.gains.items()
        ],
        "latest": [
            {"number": one.number, "order": one.order, "sentence": round_told(table, one)}
            for one in udp.latest
        ],
    }


def udp_address() -> str:
    """Where programs send their datagrams, "" where nobody listens."""
    port = settings.MIA_UDP_PORT
    return f"{urlsplit(settings.PUBLIC_URL).hostname}:{port}" if port else ""


def round_told(table: Table, one: UdpRound) -> str:
    """How a round ended, in a sentence."""
    if not one.losers:
        return gettext("Only one player had joined.")
    seats = tuple(Seat(one.order.index(name)) for name in one.losers)
    return say(table.words.event(PlayerLost(seats, cast(Reason, one.reason))), one.order)
