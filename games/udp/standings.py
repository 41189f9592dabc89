"""Stored data of the UDP table: names with their points, and transcripts of rounds.

These functions run in the writer's thread, inside a command (see `games.engine.writer`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from games.engine.snapshots import MatchSnapshot, told_in
from games.mia.rules.state import MiaState
from games.models import Act, Match, Room, UdpName, UdpRound
from games.udp import lines
from games.udp.names import MOST_NAMES

PRUNED_EVERY = 100
NEVER_PLAYED = timedelta(hours=1)
"""Time after which a name that has never played becomes free again."""
UDP_OPTIONS: dict[str, Any] = {
    "scoring": "points",
    "rounds": 1,
    "onFault": "lose",
    "onLeave": "leave",
    "keepWarm": "never",
    "littleMia": False,
    "mustRaise": True,
}
"""Options fixed by the protocol. Moderators may set all others."""


@dataclass(frozen=True, kw_only=True)
class Played:
    """A finished round. `points` are the points won in it. Names that are missing won none."""

    number: int
    order: Sequence[str]
    losers: Sequence[str] = ()
    reason: str = ""
    transcript: Sequence[str] = ()
    seed: str = ""
    points: Mapping[str, int] = field(default_factory=dict)


def store(played: Played, match: Match | None = None) -> None:
    """Store a round and update the standings.

    A round with one player updates the standings, but is not stored (docs/rules/mia.md rule 14).
    """
    now = timezone.now()
    if match is not None or len(played.order) > 1:
        UdpRound.objects.create(
            number=played.number,
            order=played.order,
            losers=played.losers,
            reason=played.reason,
            transcript=played.transcript,
            seed=played.seed,
            match=match,
            at=now,
        )
    by_points: dict[int, list[str]] = {}
    for name in played.order:
        by_points.setdefault(played.points.get(name, 0), []).append(name)
    for points, names in sorted(by_points.items()):
        UdpName.objects.filter(name__in=names).update(
            points=F("points") + points, rounds=F("rounds") + 1, played_at=now
        )
    if played.number % PRUNED_EVERY == 0:
        numbers = UdpRound.objects.order_by("-number").values_list("number", flat=True)
        for newest_too_many in numbers[settings.MIA_KEEP_ROUNDS :][:1]:
            UdpRound.objects.filter(number__lte=newest_too_many).delete()


def on_match_finished(sender: Any, room: Room, match: MatchSnapshot | None, **_: Any) -> None:
    """Update the standings after a round that included human players, in the same transaction."""
    if room.kind == Room.Kind.UDP and match is not None:
        _credit(room, match)


def _credit(room: Room, match: MatchSnapshot) -> None:
    state = match.state
    assert isinstance(state, MiaState)
    assert room.udp_round is not None
    names = match.names
    seen = lines_of(match)
    lost = state.lost
    played = Played(
        number=room.udp_round,
        order=[names[seat] for seat in state.order],
        losers=[names[seat] for seat in lost.usernames] if lost else (),
        reason=lost.reason if lost else "",
        transcript=seen,
        points=dict(zip(names, state.points, strict=True)),
    )
    store(played, match.row)


def lines_of(match: MatchSnapshot) -> list[str]:
    """Return the public events of a match as lines."""
    acts = Act.objects.filter(match=match.row).order_by("number")
    told = (one.event for act in acts for one in told_in(match.game, act.told) if one.to is None)
    return [line for event in told if (line := lines.told(event, match.names)) is not None]


def make_room(leaving: str | None) -> bool:
    """Return whether there is room for a new name.

    If `leaving` is given, make room by deleting it, provided that it has never played.
    """
    if leaving is not None:
        return bool(UdpName.objects.filter(name=leaving, rounds=0).delete()[0])
    return UdpName.objects.count() < MOST_NAMES


def ensure_people(people: Iterable[tuple[str, int | None]]) -> None:
    """Add players without datagrams, given as (name, user id), to the standings."""
    for name, user_id in people:
        UdpName.objects.get_or_create(name=name, defaults={"user_id": user_id})


def is_free(name: str, user_id: int | None) -> bool:
    """Whether this user (None for a built-in bot) may take this name at the UDP table."""
    known = UdpName.objects.values_list("name", "user_id", "address")
    return lines.is_name(name) and not any(
        other[0].casefold() == name.casefold() and other != (name, user_id, None) for other in known
    )


def drop_unused_names() -> int:
    """Drop names that have not played for MIA_FORGET_DAYS, or not once in their first hour.

    Return the number dropped.
    """
    now = timezone.now()
    since = now - timedelta(days=settings.MIA_FORGET_DAYS)
    stale = UdpName.objects.filter(registered_at__lt=since).exclude(played_at__gte=since)
    programs = UdpName.objects.exclude(address=None)
    unused = programs.filter(rounds=0, registered_at__lt=now - NEVER_PLAYED)
    return stale.delete()[0] + unused.delete()[0]
