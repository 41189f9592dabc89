"""Which tables can be found: the public ones for everybody, one's own, those one is asked to."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from accounts.compiled_queries import CompiledQuery
from games.engine.snapshots import Parked, load_snapshot, parked_among
from games.engine.table_policy import policy_of
from games.models import Act, Invitation, Member, Room
from games.registry import GAMES
from games.sockets.api_clients import open_invitations

log = logging.getLogger(__name__)

Json = dict[str, Any]
MOST = 100
_seats_of = CompiledQuery(
    lambda user, but: (
        Member.objects.filter(user_id=user, left_at=None)
        .exclude(room__status=Room.Status.CLOSED)
        .exclude(room__code=but)
        .select_related("room__host", "room__match")
    )
)
NAMED = 5
"""So many of the others at a table are named in a list."""


@dataclass(frozen=True)
class Mine:
    """What concerns one person: where they sit, where they are asked to, but for the table they
    look at (`at`)."""

    own: Sequence[Json] = ()
    invitations: Sequence[Json] = ()
    at: str = ""

    @property
    def waiting(self) -> list[Json]:
        """The tables that wait for them."""
        return [table for table in self.own if table["yours"]]

    @property
    def elsewhere(self) -> bool:
        """Whether there is anything to be led to from here."""
        return bool(self.invitations or self.own)

    @property
    def mark(self) -> str:
        """Another one whenever the badge says something else."""
        first = self.waiting[0]["code"] if self.waiting else ""
        return f"{len(self.waiting)}-{len(self.invitations)}-{len(self.own)}-{first}"

    @property
    def rooms(self) -> frozenset[int]:
        """The numbers of all rooms in it."""
        return frozenset(table["room"] for table in (*self.own, *self.invitations))


def mine(user: Any, at: str = "") -> Mine:
    """What concerns this person (nothing for strangers and for who is locked out)."""
    if not user.is_authenticated or not user.is_active:
        return Mine(at=at)
    return Mine(own_tables(user, but=at), invitations(user), at)


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
    running = [room.match_id for room in found if room.match_id and room.running]
    parked = parked_among(running)
    seated = _people(room for room in found if not room.password)
    return [
        _line(room)
        | _seats(room, room.people)
        | _playing(seated.get(room.pk, ()))
        | {"parked": room.match_id in parked}
        for room in found
        if policy_of(room).is_listed()
    ]


def own_tables(user: Any, but: str = "") -> list[Json]:
    """The tables where this person sits, but for that of this code: those that wait for them
    first, the longest on top."""
    rooms = [member.room for member in _seats_of(user.pk, but)]
    if not rooms:
        return []
    people = _people(rooms)
    tables = [
        _line(room) | _goes_on(room, user.pk) | _with(people[room.pk], user) for room in rooms
    ]
    return sorted(tables, key=lambda table: (not table["yours"], table["since"]))


def invitations(user: Any) -> list[Json]:
    """Tables this person was asked to and has not come to since, the newest first."""
    found = open_invitations([user.pk])
    unanswered = set(Invitation.objects.filter(user=user).unanswered()) if found else ()
    asked = [one for one in found if one in unanswered]
    return [_invitation(one) for one in asked[: -MOST - 1 : -1]]


def _invitation(one: Invitation) -> Json:
    return {**_line(one.room), "by": one.by, "since": one.at}


def _goes_on(room: Room, user_id: int) -> Json:
    """Whom the table waits for, and since when."""
    match = room.match
    if match is None or room.status != Room.Status.PLAYING:
        since = match.ended_at if match else None
        return {"yours": False, "awaited": [], "parked": False, "since": since or room.created_at}
    acted = Act.objects.filter(match=match, number=match.version).values_list("at", flat=True)
    since = acted.first() or match.started_at
    return {"since": since, **_awaited(match.pk, user_id)}


def _awaited(match_id: int, user_id: int) -> Json:
    try:
        match = load_snapshot(match_id)
        seats = match.game.rules.awaited(match.state)
    except Parked:
        return {"yours": False, "awaited": [], "parked": True}
    except Exception:  # one match whose rules fail must not cost anybody every page
        log.exception("match %s fails", match_id)
        return {"yours": False, "awaited": [], "parked": False}
    if match.row.paused is not None:
        return {"yours": False, "awaited": [], "parked": False, "paused": True}
    own = match.seat_of(user_id)
    others = [match.names[seat] for seat in seats if seat != own]
    yours = own is not None and own in seats and not match.row.lesson  # a lesson calls nobody back
    return {"yours": yours, "awaited": others, "parked": False}


def _people(rooms: Iterable[Room]) -> Mapping[int, Sequence[Member]]:
    """Who is in these rooms, by room."""
    found: defaultdict[int, list[Member]] = defaultdict(list)
    present = Member.objects.filter(room__in=[room.pk for room in rooms], left_at=None)
    for member in present.order_by("joined_at", "pk"):
        found[member.room_id].append(member)
    return found


def _with(members: Sequence[Member], user: Any) -> Json:
    """The others at a table: some by name, how many more, how many bots."""
    people = [m.name for m in members if not m.bot and m.user_id != user.pk]
    bots = sum(bool(m.bot) for m in members)
    return {"with": people[:NAMED], "more": len(people[NAMED:]), "bots": bots}


def _playing(members: Sequence[Member]) -> Json:
    """Who sits at a table, for those who may want to come: some by name, and how many more."""
    names = [m.name for m in members if not m.spectator]
    return {"with": names[:NAMED], "more": len(names[NAMED:])}


def _line(room: Room) -> Json:
    game = GAMES.get(room.game)
    return {
        "room": room.pk,
        "code": room.code,
        "game": game.name if game else room.game,
        "slug": room.game,
        "host": str(room.host) if room.host else "",
        "locked": bool(room.password),
        "programs": policy_of(room).programs,
        "playing": room.status == Room.Status.PLAYING,
    }


def _seats(room: Room, people: int) -> Json:
    game = GAMES.get(room.game)
    most = game.seats[1] if game else 0
    return {"people": min(people, most), "most": most, "free": max(0, most - people)}
