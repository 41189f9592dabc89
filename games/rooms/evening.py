"""The score of an evening: points for all matches of a table, across games.

It is computed from the stored matches. You get one point for every player who finished behind you,
and none for a match in which you gave up your seat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from games.models import Member, Player, Room


class Score(NamedTuple):
    """A player's score at a table. `user_id` is None for bots, which are identified by their
    names.
    """

    user_id: int | None
    name: str
    points: int
    matches: int
    newest: int
    """The points of the last match that had a result."""


class Placed(NamedTuple):
    """A seat of a finished match. `place` 1 is the best."""

    match_id: int
    user_id: int | None
    name: str
    place: int
    gone: str


def evening_of(room: Room) -> tuple[Score, ...]:
    """Return the scores of everybody who finished a match at this table, best first."""
    counted = Player.objects.filter(match__room=room, match__lesson=False)
    ended = counted.filter(place__isnull=False).order_by("match_id", "seat")
    fields = ("match_id", "user_id", "name", "place", "gone")
    return scores([Placed(*row) for row in ended.values_list(*fields)])


def scores(placed: Iterable[Placed]) -> tuple[Score, ...]:
    """Return the scores of these matches, best first. `placed` must be sorted by match."""
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
    """Return the points for this seat: one for every seat that finished behind it."""
    return 0 if one.gone else sum(other.place > one.place for other in seats)


def names_now(
    score: Sequence[Score],
    members: Iterable[Member],
    what: Literal["points", "newest"] = "points",
) -> Mapping[str, int]:
    """Return the points by player name. Members who were renamed appear under their current
    name.
    """
    called = {m.user_id: m.name for m in members if m.user_id is not None}
    found: dict[str, int] = {}
    for one in score:
        name = called.get(one.user_id, one.name) if one.user_id is not None else one.name
        found[name] = found.get(name, 0) + getattr(one, what)
    return found
