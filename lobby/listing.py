"""Which tables can be found: the public ones for everybody, and one's own."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from games.live import live
from games.models import Invitation, Member, Room
from games.rules import GAMES

Json = dict[str, Any]
MOST = 100


def public_tables() -> list[Json]:
    """The live list, those one can sit down at first, the newest on top. Nothing of the play."""
    people = Count("members", filter=Q(members__left_at=None, members__spectator=False))
    found = (
        Room.objects.filter(visibility=Room.Visibility.PUBLIC)
        .filter(empty_since=None)
        .exclude(status=Room.Status.CLOSED)
        .annotate(people=people, running=Q(status=Room.Status.PLAYING))
        .select_related("host")
        .order_by("running", "-created_at")[:MOST]
    )
    return [_line(room) for room in found if not room.udp or settings.MIA_UDP_PORT]


def own_tables(user: Any) -> list[Json]:
    """The tables where this person sits, those waiting for them first."""
    if not user.is_authenticated:
        return []
    members = Member.objects.filter(user=user, left_at=None).select_related("room", "room__match")
    tables = [
        {**_line(member.room), "yours": _is_awaited(member)}
        for member in members.exclude(room__status=Room.Status.CLOSED)
    ]
    return sorted(tables, key=lambda table: not table["yours"])


def invitations(user: Any) -> list[Json]:
    """Tables this person was asked to and does not sit at."""
    if not user.is_authenticated:
        return []
    found = Invitation.objects.filter(user=user).exclude(room__status=Room.Status.CLOSED)
    seated = Member.objects.filter(user=user, left_at=None).values("room_id")
    asked = found.exclude(room_id__in=seated).select_related("room")
    return [{**_line(one.room), "by": one.by} for one in asked]


def _is_awaited(member: Member) -> bool:
    room = member.room
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return False
    match = live(room.match_id)
    seat = match.seat_of(member.user_id)
    return seat is not None and seat in match.game.awaited(match.state)


def _line(room: Room) -> Json:
    game = GAMES.get(room.game)
    people = getattr(room, "people", None)
    count = people if people is not None else room.members.filter(left_at=None).count()
    most = game.seats[1] if game else 0
    return {
        "code": room.code,
        "game": game.name if game else room.game,
        "slug": room.game,
        "host": str(room.host) if room.host else "",
        "people": count,
        "most": most,
        "free": max(0, most - count),
        "locked": bool(room.password),
        "udp": room.udp,
        "playing": room.status == Room.Status.PLAYING,
    }
