"""Lists of tables: the public ones, the user's own, and invitations."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Q

from games.engine.rated import may_seek
from games.engine.snapshots import Parked, parked_among, snapshot_of
from games.engine.table_policy import policy_of
from games.models import Act, Invitation, Match, Member, Room
from games.pages.files import poster_of
from games.registry import GAMES
from games.rooms import seeking
from games.rooms.finding import rooms_of
from games.rooms.seeking import Waiting
from games.sockets.api_clients import open_invitations

log = logging.getLogger(__name__)

Json = dict[str, Any]
MOST = 100
"""Maximum tables on a page of a list."""
NAMED = 5
"""Maximum names per table in a list."""
SHOWN = (
    *("code", "game", "status", "password", "match"),
    *Room.KIND_COLUMNS,
    *("host__username", "host__name"),
)
"""Columns of a room and its host from which a line of the public list is made."""


class Occupant(NamedTuple):
    """A member of a room, as lists of tables show it."""

    name: str
    user_id: int | None
    bot: str
    spectator: bool


@dataclass(frozen=True)
class Mine:
    """A user's tables and invitations, except the table shown on the current page (`at`)."""

    own: Sequence[Json] = ()
    invitations: Sequence[Json] = ()
    at: str = ""
    seeks: Sequence[Waiting] = ()
    """The quick matches that the user waits for."""
    may_be_rated: bool = False
    """Whether they may be rated."""

    @property
    def found(self) -> Waiting | None:
        """The quick match whose table is open, if any."""
        return next((one for one in self.seeks if one.code), None)

    @property
    def sought(self) -> list[Json]:
        """The quick matches that the user waits for, as pages show them."""
        return [_sought(one) for one in self.seeks]

    @property
    def waiting(self) -> list[Json]:
        """Tables at which it is the user's turn."""
        return [table for table in self.own if table["yours"]]

    @property
    def hosted(self) -> Json | None:
        """The newest table that the user hosts, to invite people to."""
        hosted = (table for table in self.own if table["hosted"])
        return max(hosted, key=lambda table: table["room"], default=None)

    @property
    def elsewhere(self) -> bool:
        """Whether there are other tables or invitations."""
        return bool(self.invitations or self.own or self.seeks)

    @property
    def mark(self) -> str:
        """A string that changes whenever the badge changes."""
        first = self.waiting[0]["code"] if self.waiting else ""
        seeks = "".join(f"-{one.game}{one.code}{one.rated:d}" for one in self.seeks)
        return f"{len(self.waiting)}-{len(self.invitations)}-{len(self.own)}-{first}{seeks}"

    @cached_property
    def rooms(self) -> frozenset[int]:
        """Ids of the rooms of these tables and invitations."""
        return frozenset(table["room"] for table in (*self.own, *self.invitations))


def mine(user: Any, at: str = "", rooms: Mapping[int, str] | None = None) -> Mine:
    """Return a user's tables and invitations. Anonymous and inactive users have none.

    `rooms` are the open rooms that the user is in (`rooms_of`), if already loaded.
    """
    if not user.is_authenticated or not user.is_active:
        return Mine(at=at)
    seeks = [
        one for one in seeking.of([user.pk]).get(user.pk, ()) if not one.code or one.code != at
    ]
    return Mine(own_tables(user, at, rooms), invitations(user), at, seeks, may_seek(user))


class Listed(list[Json]):
    """A page of a list of tables. `number` counts from 1, and `next` is None on the last page."""

    number: int = 1
    next: int | None = None


def public_tables(number: int = 1) -> Listed:
    """Return a page of the public tables: waiting ones before running ones, and each group newest
    first.

    Do not include the state of play.
    """
    first = MOST * (number - 1)
    found = list(
        Room.objects.filter(visibility=Room.Visibility.PUBLIC)
        .filter(empty_since=None)
        .exclude(status=Room.Status.CLOSED)
        .annotate(running=Q(status=Room.Status.PLAYING))
        .select_related("host")
        .only(*SHOWN)
        .order_by("running", "-created_at")[first : first + MOST + 1]
    )
    more, found = len(found) > MOST, found[:MOST]
    running = [room.match_id for room in found if room.match_id and room.running]
    parked = parked_among(running)
    people = _people(found)
    page = Listed(
        _line(room)
        | _players(room, [one for one in people[room.pk] if not one.spectator])
        | {"parked": room.match_id in parked}
        for room in found
        if policy_of(room).is_listed()
    )
    page.number, page.next = number, number + 1 if more else None
    return page


def own_tables(user: Any, but: str = "", of: Mapping[int, str] | None = None) -> list[Json]:
    """Return the user's tables, except the one with code `but`.

    Tables that wait for the user come first, starting with the longest wait.
    """
    of = rooms_of(user.pk) if of is None else of
    ids = [number for number, code in of.items() if code != but]
    if not ids:
        return []
    rooms = Room.objects.filter(pk__in=ids).select_related("host", "match")
    people = _people(rooms)
    tables = [
        _line(room)
        | _goes_on(room, user.pk)
        | _with(people[room.pk], user)
        | {"hosted": room.host_id == user.pk}
        for room in rooms
    ]
    return sorted(tables, key=lambda table: (not table["yours"], table["since"]))


def invitations(user: Any) -> list[Json]:
    """Return the user's unanswered invitations, newest first."""
    found = open_invitations([user.pk])
    unanswered = set(Invitation.objects.filter(user=user).unanswered()) if found else ()
    asked = [one for one in found if one in unanswered]
    return [_invitation(one) for one in asked[: -MOST - 1 : -1]]


def _sought(one: Waiting) -> Json:
    return {
        "game": GAMES[one.game].name,
        "slug": one.game,
        "picture": poster_of(one.game),
        "code": one.code,
        "others": one.others[:NAMED],
        "more": len(one.others[NAMED:]),
        "count": one.count,
        "least": one.least,
        "missing": max(0, one.least - one.count),
        "since": one.since,
        "bots": one.bots,
        "rated": one.rated,
    }


def _invitation(one: Invitation) -> Json:
    return {**_line(one.room), "by": one.by, "since": one.at}


def _goes_on(room: Room, user_id: int) -> Json:
    """Return whom the table waits for, and since when."""
    match = room.match
    if match is None or room.status != Room.Status.PLAYING:
        since = match.ended_at if match else None
        return {"yours": False, "awaited": [], "parked": False, "since": since or room.created_at}
    acted = Act.objects.filter(match=match, number=match.version).values_list("at", flat=True)
    since = acted.first() or match.started_at
    return {"since": since, **_awaited(match, user_id)}


def _awaited(row: Match, user_id: int) -> Json:
    try:
        match = snapshot_of(row)
        seats = match.game.rules.awaited(match.state)
    except Parked:
        return {"yours": False, "awaited": [], "parked": True}
    except Exception:  # one broken match must not break all pages of its players
        log.exception("match %s failed", row.pk)
        return {"yours": False, "awaited": [], "parked": False}
    if match.row.paused is not None:
        return {"yours": False, "awaited": [], "parked": False, "paused": True}
    own = match.seat_of(user_id)
    others = [match.names[seat] for seat in seats if seat != own]
    yours = own is not None and own in seats and not match.row.lesson  # lessons never notify
    return {"yours": yours, "awaited": others, "parked": False}


def _people(rooms: Iterable[Room]) -> Mapping[int, Sequence[Occupant]]:
    """Return the members of these rooms, by room."""
    found: dict[int, list[Occupant]] = {room.pk: [] for room in rooms}
    present = Member.objects.filter(room__in=list(found), left_at=None).order_by("joined_at", "pk")
    for room_id, *facts in present.values_list("room_id", *Occupant._fields):
        found[room_id].append(Occupant._make(facts))
    return found


def _with(members: Sequence[Occupant], user: Any) -> Json:
    """Return the others at a table: some of their names, the number of other people, and the number
    of bots.
    """
    people = [m.name for m in members if not m.bot and m.user_id != user.pk]
    bots = sum(bool(m.bot) for m in members)
    return {"with": people[:NAMED], "more": len(people[NAMED:]), "bots": bots}


def _players(room: Room, players: Sequence[Occupant]) -> Json:
    """Return the seats of a public table and its players: some of their names, and the number of
    others. A password hides the names.
    """
    game = GAMES.get(room.game)
    most = game.seats[1] if game else 0
    count = len(players)
    names = [] if room.password else [one.name for one in players]
    return {
        "with": names[:NAMED],
        "more": len(names[NAMED:]),
        "people": min(count, most),
        "most": most,
        "free": max(0, most - count),
    }


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
