"""Leaderboards, and ratings as pages show them (docs/ratings.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, Q
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction, User
from games.contract.game import AnyGame
from games.engine.rated import YES
from games.history.ratings import MONTH_S
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


_READ = (
    "game",
    "mu",
    "sigma",
    "matches",
    "last_at",
    "user__username",
    "user__name",
    "user__face",
)
_READ_OF_VERSIONS = (
    *("number", "label", "state", "program__name", "user__username", "user__name", "user__face"),
    *("program__owner__username", "program__owner__name"),
)


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


@dataclass(frozen=True)
class Line:
    """A line of a leaderboard."""

    place: int
    user: User
    rating: Shown


def shown(rating: Rating, now: datetime) -> Shown:
    """Return a rating as pages show it."""
    months = (now - rating.last_at).total_seconds() / MONTH_S
    sigma = Skill(rating.mu, rating.sigma).aged(months).sigma
    game = GAMES.get(rating.game)
    left = max(0, least(game) - rating.matches)
    return Shown(
        game=rating.game,
        game_name=game.name if game else rating.game,
        value=points(rating.mu),
        deviation=round(POINTS * sigma),
        matches=rating.matches,
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
    """Return the leaderboard of a game. Two statements.

    Players are ordered by the strength that they almost certainly have, `mu` minus twice `sigma`.
    Users are only read for the best of them, because reading all takes twice as long.
    """
    now = timezone.now()
    active = Rating.objects.filter(
        game=game.slug,
        pool=Pool.PEOPLE,
        matches__gte=least(game),
        last_at__gte=now - ACTIVE_FOR,
    )
    strength = (F("mu") - 2 * F("sigma")).desc()
    best = list(active.order_by(strength, "user").values_list("pk", flat=True)[:ON_THE_BOARD])
    banned = sanctions.holding().filter(kind=Sanction.Kind.LOCK).values("user")
    found = Rating.objects.filter(pk__in=best, user__is_active=True).exclude(user__in=banned)
    found = found.select_related("user").only(*_READ).order_by(strength, "user")
    return [Line(place, one.user, shown(one, now)) for place, one in enumerate(found, 1)]


@dataclass(frozen=True)
class LadderLine:
    """A line of the ladder of programs."""

    place: int
    version: ProgramVersion
    rating: Shown


def ladder(game: AnyGame) -> Sequence[LadderLine]:
    """Return the versions on the ladder of a game, best first. Two statements.

    Retired versions are left out, and so are those of banned authors. New ones are listed, so that
    authors see theirs soon.
    """
    now = timezone.now()
    strength = (F("mu") - 2 * F("sigma")).desc()
    banned = sanctions.holding().filter(kind=Sanction.Kind.LOCK).values("user")
    rated = Rating.objects.filter(game=game.slug, pool=Pool.PROGRAMS, user__is_active=True)
    listed = (
        rated.exclude(user__program_version=None)
        .exclude(user__program_version__state=ProgramVersion.State.RETIRED)
        .exclude(Q(user__in=banned) | Q(user__program_version__program__owner__in=banned))
        .order_by(strength, "user")
    )
    best = {one.user_id: one for one in listed[:ON_THE_BOARD]}
    versions = ProgramVersion.objects.filter(user__in=best).select_related("user", "program__owner")
    versions = versions.only(*_READ_OF_VERSIONS)
    by_user = {version.user_id: version for version in versions}
    return [
        LadderLine(place, by_user[user_id], shown(rating, now))
        for place, (user_id, rating) in enumerate(best.items(), 1)
    ]


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
