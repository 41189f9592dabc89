"""The score of an evening: the places of all matches at a table, whatever was played, as points.

It is computed from the matches as they are stored. A point for everybody who finished behind you;
somebody who gave up their seat gets none for that match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from games.models import Member, Player, Room


class Score(NamedTuple):
    """What somebody has won at a table so far. `user_id`: None for bots, who are known by name."""

    user_id: int | None
    name: str
    points: int
    matches: int
    newest: int
    """The points of the last match that had a result."""


class Placed(NamedTuple):
    """A seat of a match that is over, best place 1."""

    match_id: int
    user_id: int | None
    name: str
    place: int
    gone: str


def evening_of(room: Room) -> tuple[Score, ...]:
    """Everybody who has played to an end here, the best first."""
    counted = Player.objects.filter(match__room=room, match__lesson=False)
    ended = counted.filter(place__isnull=False).order_by("match_id", "seat")
    fields = ("match_id", "user_id", "name", "place", "gone")
    return scores([Placed(*row) for row in ended.values_list(*fields)])


def scores(placed: Iterable[Placed]) -> tuple[Score, ...]:
    """The score of these matches, which come in their order."""
    matches: dict[int, list[Placed]] = defaultdict(list)
    for one in placed:
        matches[one.match_id].append(one)
    found: dict[int | str, Score] = {}
    for seats in matches.values():
        found = {key: score._replace(newest=0) for key, score in found.items()}
        for one in seats:
            key = one.name if one.user_id is None else one.user_id
            known = found.get(key, Score(one.user_id, one.name, 0, 0, 0))
            won = points(one, seats)
            found[key] = Score(
                one.user_id, one.name, known.points + won, known.matches + 1, known.newest + won
            )
    return tuple(sorted(found.values(), key=lambda score: (-score.points, score.name)))


def points(one: Placed, seats: Sequence[Placed]) -> int:
    """A point for everybody who finished behind this seat."""
    return 0 if one.gone else sum(other.place > one.place for other in seats)


def names_now(
    score: Sequence[Score],
    members: Iterable[Member],
    what: Literal["points", "newest"] = "points",
) -> Mapping[str, int]:
    """The points by the names people bear here now."""
    called = {m.user_id: m.name for m in members if m.user_id is not None}
    found: dict[str, int] = {}
    for one in score:
        name = called.get(one.user_id, one.name) if one.user_id is not None else one.name
        found[name] = found.get(name, 0) + getattr(one, what)
    return found
