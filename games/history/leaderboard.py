"""Leaderboards, and ratings as pages show them (docs/ratings.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts import sanctions
from accounts.listed import Account
from accounts.models import Sanction, User
from games.contract.game import AnyGame
from games.engine.rated import YES
from games.history.ratings import skill_at
from games.history.skill import Skill, expected_places
from games.models import Match, Player, Pool, ProgramVersion, Rating
from games.models.league import MU
from games.registry import GAMES

ON_THE_BOARD = 100
"""Maximum lines of a leaderboard."""
ACTIVE_FOR = timedelta(days=60)
"""Players who have not finished a rated match in this time are not on the leaderboard."""
LEAST, LEAST_OF_SIDES = 20, 60
"""Rated matches after which a player is no longer new, in games without and with sides.

A match between sides says less about each player.
"""
MIDDLE, POINTS = 1500, 60
"""The rating that stands for `skill.MU`, and the points of the scale per unit of `mu`."""

STRENGTH = (F("mu") - F("sigma") - F("sigma")).desc()
"""Order of leaderboards, by the strength that players almost certainly have: `mu` minus twice
`sigma`. An index has the same expression.
"""
_RATED = ("mu", "sigma", "matches", "last_at")
_LISTED = ("user", "user__username", "user__name", "user__face")


@dataclass(frozen=True)
class Shown:
    """A rating as pages show it. `value ± deviation` is one standard deviation."""

    game: str
    """The slug of the game."""
    game_name: str
    value: int
    deviation: int
    matches: int
    is_new: bool
    left: int
    """Rated matches until the player is no longer new."""


class Changed(NamedTuple):
    """A change of a rating by a match. `expected` are the best and worst expected place."""

    player: Player
    value: int
    by: str
    expected: tuple[int, int] | None


class Line(NamedTuple):
    """A line of a leaderboard."""

    place: int
    user: Account
    rating: Shown


def shown(rating: Rating, now: datetime) -> Shown:
    """Return a rating as pages show it."""
    of = (rating.mu, rating.sigma, rating.matches, rating.last_at)
    return _shown(rating.game, rating.pool, now, *of)


def _shown(
    slug: str, pool: str, now: datetime, mu: float, sigma: float, matches: int, last_at: datetime
) -> Shown:
    game = GAMES.get(slug)
    left = max(0, least(game) - matches)
    return Shown(
        game=slug,
        game_name=game.name if game else slug,
        value=points(mu),
        deviation=round(POINTS * skill_at(now, pool, mu, sigma, last_at).sigma),
        matches=matches,
        is_new=left > 0,
        left=left,
    )


def points(mu: float) -> int:
    """Return a skill on the scale that pages show."""
    return round(MIDDLE + POINTS * (mu - MU))


def least(game: AnyGame | None) -> int:
    """Return after how many rated matches a player of this game is no longer new."""
    return LEAST_OF_SIDES if game is not None and game.rules.sides else LEAST


def board(game: AnyGame) -> Sequence[Line]:
    """Return the leaderboard of a game. One statement."""
    now = timezone.now()
    active = Rating.objects.filter(
        game=game.slug,
        pool=Pool.PEOPLE,
        matches__gte=least(game),
        last_at__gte=now - ACTIVE_FOR,
        user__is_active=True,
    )
    found = active.exclude(user__in=_banned()).order_by(STRENGTH, "user")
    return [
        Line(place, Account(*row[4:]), _shown(game.slug, Pool.PEOPLE, now, *row[:4]))
        for place, row in enumerate(found.values_list(*_RATED, *_LISTED)[:ON_THE_BOARD], 1)
    ]


def _banned() -> QuerySet[Any, Any]:
    return sanctions.holding().filter(kind=Sanction.Kind.LOCK).values("user")


class LadderLine(NamedTuple):
    """A version on the ladder. `latest` is its last finished match in this game."""

    place: int
    user: Account
    rating: Shown
    version: int
    label: str
    state: ProgramVersion.State
    program: str
    owner: Account
    latest: int | None


def ladder(game: AnyGame) -> Sequence[LadderLine]:
    """Return the versions on the ladder of a game, best first. Two statements.

    Retired versions are left out, and so are those of banned authors. New ones are listed, so that
    authors see theirs soon.
    """
    now, version = timezone.now(), "user__program_version"
    rated = Rating.objects.filter(game=game.slug, pool=Pool.PROGRAMS, user__is_active=True)
    found = (
        rated.exclude(**{version: None})
        .exclude(**{f"{version}__state": ProgramVersion.State.RETIRED})
        .exclude(Q(user__in=_banned()) | Q(**{f"{version}__program__owner__in": _banned()}))
        .order_by(STRENGTH, "user")
    )
    of_version = (f"{version}__{name}" for name in ("number", "label", "state", "program__name"))
    owner = f"{version}__program__owner"
    of_owner = (owner, *(f"{owner}__{name}" for name in ("username", "name", "face")))
    rows = list(found.values_list(*_RATED, *_LISTED, *of_version, *of_owner)[:ON_THE_BOARD])
    latest = _latest([row[4] for row in rows], game)
    return [
        LadderLine(
            place=place,
            user=Account(*row[4:8]),
            rating=_shown(game.slug, Pool.PROGRAMS, now, *row[:4]),
            version=row[8],
            label=row[9],
            state=ProgramVersion.State(row[10]),
            program=row[11],
            owner=Account(*row[12:]),
            latest=latest.get(row[4]),
        )
        for place, row in enumerate(rows, 1)
    ]


def _latest(versions: Sequence[int], game: AnyGame) -> Mapping[int, int | None]:
    """Return the last matches of these users on the ladder of a game."""
    played = Player.objects.filter(
        user=OuterRef("pk"), no__gt=0, match__game=game.slug, match__room__ladder=True
    )
    newest = Subquery(played.order_by("-no").values("match")[:1])
    return dict(User.objects.filter(pk__in=versions).values_list("pk", newest))


def ratings_of(user: User) -> Sequence[Shown]:
    """Return all ratings of a user, in the order of games."""
    now, order = timezone.now(), list(GAMES)
    found = [one for one in Rating.objects.filter(user=user) if one.game in GAMES]
    return [shown(one, now) for one in sorted(found, key=lambda one: order.index(one.game))]


def changes_in(match: Match, players: Iterable[Player]) -> Sequence[Changed]:
    """Return what a match changed about the ratings of its players, in the order of `players`.

    It is empty until the match has been counted.
    """
    found = list(match.rating_changes.order_by("seat")) if match.rated == YES else []
    game = GAMES.get(match.game)
    places: Sequence[tuple[int, int] | None] = [None] * len(found)
    if game is not None and game.rules.sides is None:
        places = expected_places([Skill(one.mu_before, one.sigma_before) for one in found])
    by_seat = {one.seat: (one, place) for one, place in zip(found, places, strict=True)}
    changed = []
    for player in players:
        if player.seat in by_seat:
            one, place = by_seat[player.seat]
            before, now = points(one.mu_before), points(one.mu)
            changed.append(Changed(player, now, f"{now - before:+d}".replace("-", "−"), place))
    return changed


def rating_in(game: AnyGame, user: User) -> Shown | None:
    """Return the rating of a user in this game, or None before the first rated match."""
    rating = Rating.objects.filter(user=user, game=game.slug, pool=Pool.PEOPLE).first()
    return None if rating is None else shown(rating, timezone.now())
