"""Extra display of the UDP table: its newest rounds, the standings and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from games.contract.data import Seat
from games.contract.wording import Words
from games.mia.rules.state import PlayerLost, Reason
from games.models import Member, Room, UdpName, UdpRound
from games.tables.recap import points
from games.tables.sentences import say

Json = dict[str, Any]

CHARTED = 100
"""Number of rounds in the chart. STEPS is its maximum number of steps."""
STEPS = 20
LINES = 8
LATEST = 5


@dataclass(frozen=True)
class Shown:
    """Snapshot of the UDP table (`games.engine.table_policy.Display`).

    `gains` are points won in the rounds of the chart, by name.
    """

    number: int | None
    standings: tuple[UdpName, ...]
    latest: tuple[UdpRound, ...]
    gains: Mapping[str, tuple[int, ...]]
    hosts: frozenset[int]
    """User ids of members who may act as host, because they manage all tables."""

    @property
    def points(self) -> dict[str, int]:
        """The points of all names, highest first."""
        return {name.name: name.points for name in self.standings}

    @property
    def view(self) -> Json | None:
        """The newest round as the gallery's view of a finished match of Mia, or None."""
        return view_of(self.latest[0]) if self.latest else None

    def sentence(self, words: Words[Any]) -> str:
        """Return the result of the newest round as a sentence."""
        if not self.latest:
            return gettext("Bots play here. Waiting for the first one to register.")
        return round_told(words, self.latest[0])

    def region(self, words: Words[Any]) -> Json:
        """Return the template context: names and points, the chart, and the newest rounds."""
        top = max((line[-1] for line in self.gains.values()), default=0)
        return {
            "address": udp_address(),
            "names": [
                {"name": one.name, "points": one.points, "rounds": one.rounds, "paused": one.paused}
                for one in self.standings
            ],
            "top": top,
            "charted": CHARTED,
            "lines": [
                {"label": name, "values": list(line), "points": points(line, top)}
                for name, line in self.gains.items()
            ],
            "latest": [
                {"number": one.number, "order": one.order, "sentence": round_told(words, one)}
                for one in self.latest
            ],
        }


def udp_address() -> str:
    """Return the address for datagrams, or "" if no port is set."""
    port = settings.MIA_UDP_PORT
    return f"{urlsplit(settings.PUBLIC_URL).hostname}:{port}" if port else ""


def round_told(words: Words[Any], one: UdpRound) -> str:
    """Return the result of a round as a sentence."""
    if not one.losers:
        return gettext("Only one player joined.")
    seats = tuple(Seat(one.order.index(name)) for name in one.losers)
    told = words.event(PlayerLost(seats, cast(Reason, one.reason)))
    assert told is not None
    return say(told, one.order)


def shown(room: Room, members: Iterable[Member]) -> Shown:
    """Load the extra display of the UDP table from the database."""
    standings = tuple(one for one in UdpName.objects.all() if one.rounds or one.address)
    charted = list(UdpRound.objects.defer("transcript")[:CHARTED])
    latest = tuple(UdpRound.objects.all()[:LATEST])
    lately = {name for one in charted for name in one.order}
    leading = [one.name for one in standings if one.name in lately][:LINES]
    hosts = frozenset(m.user_id for m in members if m.user_id and may_host(m.user))
    return Shown(room.udp_round, standings, latest, gains(charted[::-1], leading), hosts)


def may_host(user: User | None) -> bool:
    """Whether this user may manage all tables."""
    return user is not None and user.has_perm("games.change_room")


def gains(rounds: Sequence[UdpRound], names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Return running totals of the points won in these rounds, in at most STEPS steps."""
    total = dict.fromkeys(names, 0)
    lines: dict[str, list[int]] = {name: [0] for name in names}
    for number, one in enumerate(rounds, 1):
        for name in names:
            total[name] += name in one.order and name not in one.losers
        if number * STEPS // len(rounds) > (number - 1) * STEPS // len(rounds):
            for name in names:
                lines[name].append(total[name])
    return {name: tuple(line) for name, line in lines.items()}


def view_of(round_: UdpRound) -> Json:
    """Convert a stored round to the fields of Mia's view (docs/rules/mia.md §4)."""
    said: list[Json] = []
    dice = None
    for line in round_.transcript:
        match line.split(";"):
            case ["ANNOUNCED", name, announced]:
                said.append({"username": name, "dice": announced})
            case ["ACTUAL DICE", actual]:
                dice = actual
            case _:
                pass
    last = said[-1] if said else None
    lost = {"usernames": round_.losers, "reason": round_.reason, "paid": {}}
    return {
        "phase": "over",
        "round": round_.number,
        "order": round_.order,
        "onTurn": None,
        "announced": last,
        "announcements": said,
        "dice": None,
        "shown": {"username": last["username"], "dice": dice} if last and dice else None,
        "lost": lost if round_.losers else None,
        "continued": [],
    }
