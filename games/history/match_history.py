"""Access to finished matches: who may view one, and which of its events a user may see."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from django.db.models import Q

from games.contract.data import Seat, Viewer
from games.engine.bounded_cache import BoundedCache
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.engine.table_policy import policy_of
from games.engine.told import told_acts_since
from games.history.match_lines import shows_secrets
from games.history.verify import differences
from games.models import Match, Member, Player, Room
from games.pages import ending
from games.pages.lines import log_lines
from games.pages.region import Region
from games.rooms.claims import claims_in
from games.tables.loading import looks_at
from games.tables.recap import recap_of
from games.tables.table import Json, Table

MOST_BYTES = 1 << 20
"""Maximum bytes of cached results of recomputed matches."""


@dataclass(frozen=True)
class Luck:
    """Result of recomputing a match: the number of random draws, and a message for each error."""

    draws: int
    wrong: tuple[str, ...]


_lucks: BoundedCache[int, Luck] = BoundedCache(MOST_BYTES, lambda luck: 500 + len(repr(luck.wrong)))


def may_view(match: Match, user_id: int | None) -> bool:
    """Whether this user (None for an anonymous visitor) may view a match.

    A finished match may be viewed by its players, by people who were at the table, and by everybody
    if it was public. Tables that show their own history are excluded (`TablePolicy.archived`).
    """
    if match.ended_at is None or not policy_of(match.room).archived:
        return False
    if match.public:
        return True
    return user_id is not None and (_played(match, user_id) or _was_there(match, user_id))


def end_of(match: Match, user_id: int | None = None) -> Region:
    """Return the region that shows the outcome, the roles, and how to verify the random numbers.

    Address a player as "you".
    """
    table = _table(load_snapshot(match.pk))
    assert table.match is not None
    part = ending.region(table, table.match.seat_of(user_id))
    return Region("ending", "ending", {**part, "link": False, "result": ""})


def check_of(match: Match) -> Region:
    """Return the region in which the page itself verifies the random numbers."""
    return Region("check", "check", {"match": match.pk})


def story_of(match: Match, user_id: int | None) -> Region:
    """Return the region with the log, limited to the events that this user may see.

    See `MatchSnapshot.seat_of`.
    """
    table = _table(load_snapshot(match.pk))
    assert table.match is not None
    lines: list[Json] = []
    for act in told_acts_since(table.match, 0):
        seat = table.match.seat_of(user_id, act.version)
        for line in log_lines(table, [act], seat):
            lines.append({**line, "moment": f"{act.version}/"})
    return Region("story", "log", {"lines": lines})


def own_seat(match: MatchSnapshot, user_id: int | None) -> Viewer:
    """Return the seat that this user has or had, even if they have given it up."""
    if user_id is None:
        return None
    return next((Seat(p.seat) for p in match.players if p.user_id == user_id), None)


def seats_shown(match: Match, players: Iterable[Player], user_id: int | None) -> tuple[Seat, ...]:
    """Return the seats through which this user may see the match, once it is over.

    Other players' seats are shown only if their table was told before the match.
    """
    return tuple(
        Seat(player.seat)
        for player in players
        if match.revealed or (user_id is not None and player.user_id == user_id)
    )


def viewer_at(match: MatchSnapshot, seat: Viewer, version: int) -> Viewer:
    """Return the seat whose secrets a replay through `seat` shows at this version, or None for the
    gallery.
    """
    if seat is not None and shows_secrets(match.row, match.players[seat], version):
        return seat
    return None


def table_of(match: Match) -> Table:
    """Return the table of a finished match, from which its regions are rendered.

    Raise Parked if the match cannot be read.
    """
    return _table(load_snapshot(match.pk))


def luck_of(match_id: int) -> Luck:
    """Return the result of recomputing a finished match. It is computed once and then cached."""
    found = _lucks.get(match_id)
    if found is None:
        found = _luck(match_id)
        _lucks.put(match_id, found)
    return found


def _luck(match_id: int) -> Luck:
    match = Match.objects.get(pk=match_id)
    draws = sum(len(drawn) for drawn in match.acts.values_list("draws", flat=True))
    return Luck(draws, tuple(differences(match)))


def _table(match: MatchSnapshot) -> Table:
    room = copy(Room.objects.get(pk=match.row.room_id))
    room.status = Room.Status.FINISHED
    return Table(
        room,
        members=(),
        gone=tuple(room.members.select_related("user")),  # needed for the faces of players
        match=match,
        chat=(),
        recap=recap_of(match),
        claims=tuple(claims_in(match)),
        looks=looks_at(match),
    )


def _played(match: Match, user_id: int) -> bool:
    return match.players.filter(user_id=user_id).exists()


def _was_there(match: Match, user_id: int) -> bool:
    stayed = Q(left_at=None) | Q(left_at__gt=match.started_at)
    present = Member.objects.filter(stayed, room_id=match.room_id, user_id=user_id)
    return present.filter(kicked_at=None, joined_at__lt=match.ended_at).exists()
