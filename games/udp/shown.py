"""What pages and packets show of the UDP table: newest rounds, standings, a chart of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games.models import Member, Room, UdpName, UdpRound

Json = dict[str, Any]

CHARTED = 100
"""So many rounds are in the chart; and so many steps it has at most."""
STEPS = 20
LINES = 8
LATEST = 5


@dataclass(frozen=True)
class Shown:
    """The UDP table at one moment. `gains` are points won in the rounds of the chart, by name."""

    standings: tuple[UdpName, ...]
    latest: tuple[UdpRound, ...]
    gains: Mapping[str, tuple[int, ...]]
    hosts: frozenset[int]
    """Who may act as this table's host: those who look after all tables."""

    @property
    def points(self) -> dict[str, int]:
        """Everybody's points, the most first."""
        return {name.name: name.points for name in self.standings}

    @property
    def view(self) -> Json | None:
        """The newest round as a view of Mia, as the gallery sees one that is over."""
        return view_of(self.latest[0]) if self.latest else None


def shown(room: Room, members: Sequence[Member]) -> Shown | None:
    """What there is to show; None where this is no UDP table. Runs queries."""
    if not room.udp:
        return None
    standings = tuple(one for one in UdpName.objects.all() if one.rounds or one.address)
    charted = list(UdpRound.objects.defer("transcript")[:CHARTED])
    latest = tuple(UdpRound.objects.all()[:LATEST])
    lately = {name for one in charted for name in one.order}
    leading = [one.name for one in standings if one.name in lately][:LINES]
    hosts = frozenset(m.user_id for m in members if m.user_id and may_host(m.user))
    return Shown(standings, latest, gains(charted[::-1], leading), hosts)


def may_host(user: User | None) -> bool:
    """Whether this person looks after tables."""
    return user is not None and user.has_perm("games.change_room")


def gains(rounds: Sequence[UdpRound], names: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Points won since before the first of these rounds (oldest first), in at most STEPS steps."""
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
    """A stored round in the fields of Mia's view (rules/mia.md 4), told from its lines alone."""
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
    lost = {"usernames": round_.losers, "reason": round_.reason} if round_.losers else None
    return {
        "phase": "over",
        "round": round_.number,
        "order": round_.order,
        "onTurn": None,
        "announced": last,
        "announcements": said,
        "dice": None,
        "shown": {"username": last["username"], "dice": dice} if last and dice else None,
        "lost": lost,
        "continued": [],
    }
