"""A user's matches for an export. They are read in batches, and without their states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, takewhile
from operator import itemgetter

import msgspec

from accounts.models import User
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.engine.snapshots import Parked, told_in
from games.engine.told import ToldAct
from games.models import Act, Player
from games.registry import GAMES
from games.tables.serializers import told_to
from games.tables.table import Json
from games.wire.wire import iso, to_wire

MOST_MATCHES = 50
MOST_ACTS = 1000
"""Maximum acts in one portion, unless a single match has more."""

ActRow = tuple[int, int, str, int | None, list[Json]]
"""Match, number, kind, seat and `Act.told`."""


def matches(user: User) -> Iterator[list[Json]]:
    """Yield a user's matches in portions, with only the events that the user's seat was told."""
    last = 0
    while seats := _next_seats(user, last):
        yield _portion(seats)
        last = seats[-1].pk


def _next_seats(user: User, after: int) -> list[Player]:
    found = (
        Player.objects.filter(user=user, pk__gt=after)
        .select_related("match__room")
        .only(
            "seat",
            "name",
            "gone",
            "gone_at",
            "place",
            "points",
            "match__game",
            "match__game_version",
            "match__version",
            "match__started_at",
            "match__ended_at",
            "match__room__code",
        )
        .order_by("pk")
    )
    seats = list(found[:MOST_MATCHES])
    lengths = accumulate(seat.match.version for seat in seats)
    few = sum(1 for _ in takewhile(lambda acts: acts <= MOST_ACTS, lengths))
    return seats[: few or 1]


def _portion(seats: Sequence[Player]) -> list[Json]:
    ids = {seat.match_id for seat in seats}
    names: dict[int, list[str]] = {}
    players = Player.objects.filter(match__in=ids).order_by("match", "seat")
    for match_id, name in players.values_list("match_id", "name"):
        names.setdefault(match_id, []).append(name)
    acts = Act.objects.filter(match__in=ids).order_by("match", "number")
    rows = acts.values_list("match_id", "number", "kind", "seat", "told")
    told = {match_id: list(of) for match_id, of in groupby(rows, itemgetter(0))}
    return [_match(seat, names[seat.match_id], told.get(seat.match_id, ())) for seat in seats]


def _match(player: Player, names: Sequence[str], acts: Sequence[ActRow]) -> Json:
    match = player.match
    known = {
        "match": match.pk,
        "room": match.room.code,
        "game": match.game,
        "started": iso(match.started_at),
        "ended": iso(match.ended_at),
        "seat": player.seat,
        "name": player.name,
        "place": player.place,
        "points": player.points,
    }
    game = GAMES.get(match.game)
    if game is None or match.game_version > game.rules.version:
        return known  # this code cannot read the events
    try:
        return {
            **known,
            "told": [event for act in acts for event in _told(act, game, player, names)],
        }
    except Parked:
        return known


def _told(row: ActRow, game: AnyGame, player: Player, names: Sequence[str]) -> list[msgspec.Struct]:
    """Return the events of an act that were told to the player's seat.

    If the player did not hold the seat at this act, return only the public events.
    """
    match_id, number, kind, at, told = row
    seat = Seat(player.seat) if player.held(number) else None
    mine = [one for one in told if one["to"] is None or seat in one["to"]]
    events = tuple((to_wire(one.event, names), one.to, one.event) for one in told_in(game, mine))
    return list(told_to(ToldAct(match_id, number, kind, events, game, at), seat))
