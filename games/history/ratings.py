"""Ratings of players and sides, counted from rated matches (docs/ratings.md).

The rows of a match are written in the transaction that numbers it (`games.history.counting`),
because each match starts from the ratings after the one before. If a moderator declares a counted
match void, all ratings are computed again (`games.history.rerating`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from games.engine import rated
from games.engine.seat_owners import revise
from games.engine.snapshots import MatchSnapshot
from games.engine.table_policy import policy_of
from games.history import tallies
from games.history.skill import Skill, rate_players, rate_sides
from games.models import Counter, Match, Player, Pool, Rating, RatingChange, SideRating
from games.models.league import SIGMA_OF_NEXT
from games.rooms.programs import earlier_versions

AGAIN = "ratings"
"""Name of the counter that is above 0 if all ratings must be computed again."""
MONTH_S = 30 * 24 * 3600

K = TypeVar("K", bound=tuple[Any, ...])
V = TypeVar("V", bound=tuple[Any, ...])


class Played(NamedTuple):
    """The facts about a match that change ratings, by seat. `sides` is empty if it had none."""

    match: int
    game: str
    pool: str
    ended: datetime
    seats: tuple[int, ...]
    users: tuple[int | None, ...]
    places: tuple[int, ...]
    sides: tuple[str, ...]


class PlayerKey(NamedTuple):
    user_id: int
    game: str
    pool: str


class SideKey(NamedTuple):
    game: str
    seats: int
    side: str
    pool: str


class SeatKey(NamedTuple):
    match_id: int
    seat: int


class Known(NamedTuple):
    """The rating of a player."""

    mu: float
    sigma: float
    matches: int
    last_at: datetime


class Change(NamedTuple):
    """The skill of a player before and after a match."""

    mu_before: float
    sigma_before: float
    mu: float
    sigma: float


@dataclass(frozen=True)
class Kind(Generic[K, V]):
    """A kind of stored rows: its model, and the fields of its keys and values."""

    model: Any
    key: type[K]
    value: type[V]

    def read(self, **of: Any) -> dict[K, V]:
        """Return the rows that match this filter."""
        keys, fields = self._fields(self.key), self._fields(self.value)
        rows = self.model.objects.filter(**of).values_list(*keys, *fields)
        return {self.key(*row[: len(keys)]): self.value(*row[len(keys) :]) for row in rows}

    def save(self, rows: Mapping[K, V]) -> None:
        """Insert or update rows, with one statement."""
        self.model.objects.bulk_create(
            [
                self.model(**key._asdict(), **value._asdict())  # type: ignore[attr-defined]
                for key, value in sorted(rows.items())
            ],
            update_conflicts=True,
            unique_fields=[name.removesuffix("_id") for name in self._fields(self.key)],
            update_fields=self._fields(self.value),
        )

    def drop(self, keys: Collection[K]) -> None:
        """Delete rows."""
        for key in keys:
            self.model.objects.filter(**key._asdict()).delete()  # type: ignore[attr-defined]

    @staticmethod
    def _fields(of: Any) -> tuple[str, ...]:
        fields: tuple[str, ...] = of._fields
        return fields


PLAYERS = Kind(Rating, PlayerKey, Known)
SIDES = Kind(SideRating, SideKey, Skill)
CHANGES = Kind(RatingChange, SeatKey, Change)


@dataclass
class Ratings:
    """Ratings after some matches.

    `former` has the skills before each match of players who are not known any more. `earlier` has
    the accounts of the earlier versions of programs, newest first.
    """

    players: dict[PlayerKey, Known] = field(default_factory=dict)
    sides: dict[SideKey, Skill] = field(default_factory=dict)
    changes: dict[SeatKey, Change] = field(default_factory=dict)
    former: Mapping[SeatKey, Change] = field(default_factory=dict)
    earlier: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def rate(self, played: Played) -> None:
        """Add a match."""
        before = [self._skill(played, at) for at in range(len(played.seats))]
        learn = played.pool == Pool.PEOPLE
        if played.sides:
            keys = {
                side: SideKey(played.game, len(played.seats), side, played.pool)
                for side in played.sides
            }
            known = {side: self.sides.get(key, Skill()) for side, key in keys.items()}
            after, strengths = rate_sides(before, played.sides, played.places, known, learn)
            self.sides |= {keys[side]: skill for side, skill in strengths.items()}
        else:
            after = rate_players(before, played.places, learn)
        for seat, user, old, new in zip(played.seats, played.users, before, after, strict=True):
            self.changes[SeatKey(played.match, seat)] = Change(*old, *new)
            if user is not None:
                self.know(PlayerKey(user, played.game, played.pool), new, played.ended)

    def know(self, key: PlayerKey, skill: Skill, ended: datetime) -> None:
        """Set the skill of a player after another match."""
        earlier = self.players[key].matches if key in self.players else 0
        self.players[key] = Known(*skill, earlier + 1, ended)

    def _skill(self, played: Played, at: int) -> Skill:
        """Return the skill with which a player enters a match."""
        user = played.users[at]
        if user is None:
            former = self.former.get(SeatKey(played.match, played.seats[at]))
            return Skill(former.mu_before, former.sigma_before) if former else Skill()
        known = self.players.get(PlayerKey(user, played.game, played.pool))
        if known is None:
            return self._first_skill(user, played)
        return skill_at(played.ended, played.pool, known.mu, known.sigma, known.last_at)

    def _first_skill(self, user: int, played: Played) -> Skill:
        """Return the skill with which a player begins. A program begins with that of its earlier
        version, which is not certain.
        """
        for before in self.earlier.get(user, ()):
            known = self.players.get(PlayerKey(before, played.game, played.pool))
            if known is not None:
                return Skill(known.mu, SIGMA_OF_NEXT)
        return Skill()


def skill_at(now: datetime, pool: str, mu: float, sigma: float, last_at: datetime) -> Skill:
    """Return a skill at this time. Without matches, that of a person becomes less certain.

    Versions of programs do not change, so theirs stays the same.
    """
    skill = Skill(mu, sigma)
    if pool == Pool.PROGRAMS:
        return skill
    return skill.aged((now - last_at).total_seconds() / MONTH_S)


def part(match: MatchSnapshot) -> partial[None]:
    """Compute what a match changes about ratings (`counting.PARTS`)."""
    row, sides = match.row, match.game.rules.sides
    found = rated.in_the_end(row, match.players)
    if found == rated.YES:
        return partial(add, played_in(row, match.players, sides(match.state) if sides else ()))
    return partial(_mark, row.pk, found if row.rated == rated.YES else "")


def played_in(row: Match, players: Sequence[Player], sides: Sequence[str]) -> Played:
    """Return the facts about a rated match that change ratings.

    Without sides, players who have left or were replaced by a bot come behind all others.
    """
    assert row.ended_at is not None
    behind = 0 if sides else len(players)
    return Played(
        match=row.pk,
        game=row.game,
        pool=policy_of(row.room).pool,
        ended=row.ended_at,
        seats=tuple(player.seat for player in players),
        users=tuple(player.user_id for player in players),
        places=tuple(
            (player.place or 0) + (behind if player.gone or player.substitute else 0)
            for player in players
        ),
        sides=tuple(sides),
    )


def add(played: Played) -> None:
    """Rate a match. Call it in the writer, in the order of matches. Six statements at most."""
    people = [user for user in played.users if user is not None]
    earlier = earlier_versions(people) if played.pool == Pool.PROGRAMS else {}
    known = {*people, *(one for versions in earlier.values() for one in versions)}
    of = {"game": played.game, "pool": played.pool}
    computed = Ratings(
        players=PLAYERS.read(user__in=known, **of),
        sides=SIDES.read(seats=len(played.seats), **of) if played.sides else {},
        earlier=earlier,
    )
    computed.rate(played)
    CHANGES.save(computed.changes)
    PLAYERS.save({key: one for key, one in computed.players.items() if key.user_id in people})
    if played.sides:
        SIDES.save(computed.sides)


def _mark(match_id: int, why_not: str) -> None:
    """Store why a match that began as a rated one does not count."""
    if why_not:
        Match.objects.filter(pk=match_id).update(rated=why_not)


def declare_void(match_id: int) -> bool:
    """Leave a match out of the ratings. Return whether it was rated. Call it inside a command.

    All ratings, and the statistics of its players, are computed again soon.
    """
    if not Match.objects.filter(pk=match_id, rated=rated.YES).update(rated=rated.VOID):
        return False
    revise({match_id})
    for user_id in Player.objects.filter(match=match_id, user__isnull=False).values_list("user"):
        tallies.ask_recount(*user_id)
    Counter.objects.update_or_create(name=AGAIN, defaults={"value": 1})
    return True
