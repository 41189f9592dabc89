"""Which finished matches a user finds in the list of matches, a portion at a time.

A portion is ordered by `Match.no` (`games.history.counting`), which changes only with the match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from accounts import sanctions
from accounts.models import User, account_of
from games.engine.rated import YES
from games.models import Act, Match, Member, Player

M = TypeVar("M", bound=Model)
Seats = Mapping[int, Sequence[Player]]

UNREAD = ("state", "plans", "talks", "skip_asked", "dealt", "paused")
"""Fields of a match that no line contains."""
SHOWN = (
    "match_id",
    "seat",
    "name",
    "bot",
    "substitute",
    "gone",
    "gone_at",
    "place",
    "points",
    "user__username",
    "user__is_guest",
    "user__is_active",
)
"""Fields of a player from which the lines are made."""


@dataclass(frozen=True)
class Wanted:
    """A requested portion of the list. `after` is the number after which the portion begins."""

    limit: int
    after: int | None = None
    newest_first: bool = True
    game: str | None = None
    user: str | None = None
    is_rated: bool | None = None


@dataclass(frozen=True)
class Portion:
    """Matches of the list, and whether more follow."""

    matches: Sequence[Match]
    is_last: bool


def portion(wanted: Wanted, viewer: User | None) -> Portion:
    """Return the next matches that this viewer finds: public ones, and those they played.

    If a user is named, these are the matches of that user.
    """
    if wanted.user is not None:
        rows = _of_user(wanted, viewer)
    else:
        rows = [_public(wanted)]
        if viewer is not None:
            rows.append(_played(wanted, viewer.pk))
    found = {match.pk: match for some in rows for match in some}
    matches = sorted(found.values(), key=attrgetter("no"), reverse=wanted.newest_first)
    is_last = all(len(some) <= wanted.limit for some in (*rows, matches))
    return Portion(matches[: wanted.limit], is_last)


def seen_by(viewer: User | None) -> Q:
    """Return a filter for seats in matches that this viewer finds in lists."""
    if viewer is None:
        return Q(match__public=True)
    # Players of a match share its number, and an index of users and numbers finds them quickly.
    theirs = Player.objects.filter(no=OuterRef("no"), user=viewer.pk)
    return Q(match__public=True) | Q(Exists(theirs))


def seats_in(matches: Iterable[Match]) -> tuple[Seats, Mapping[int, Collection[int]]]:
    """Return the players of each match in order of their seats, and the seats of programs."""
    at_page = Member.objects.filter(
        room=OuterRef("match__room"), user=OuterRef("user"), at_page=False
    )
    rows = Player.objects.filter(match__in=[match.pk for match in matches])
    rows = rows.select_related("user").only(*SHOWN).order_by("match_id", "seat")
    seats: dict[int, list[Player]] = {match.pk: [] for match in matches}
    programs: dict[int, list[int]] = {match.pk: [] for match in matches}
    for player in rows.annotate(is_program=Exists(at_page)):
        seats[player.match_id].append(player)
        if player.is_program:
            programs[player.match_id].append(player.seat)
    return seats, programs


def acts_in(matches: Iterable[Match]) -> Mapping[int, Sequence[Act]]:
    """Return the acts of each match in order."""
    rows = Act.objects.filter(match__in=[match.pk for match in matches])
    ordered = rows.order_by("match_id", "number")
    return {pk: list(acts) for pk, acts in groupby(ordered, attrgetter("match_id"))}


def _public(wanted: Wanted) -> list[Match]:
    found = Match.objects.filter(_chosen(wanted), public=True).defer(*UNREAD)
    return _next(found, wanted)


def _played(wanted: Wanted, user_id: int, seen: Q | None = None) -> list[Match]:
    chosen = _chosen(wanted, "match__")
    seats = Player.objects.filter(chosen, seen or Q(), user=user_id, match__no__isnull=False)
    seats = seats.select_related("match").only(*(f"match__{field.name}" for field in _READ))
    return [seat.match for seat in _next(seats, wanted)]


def _of_user(wanted: Wanted, viewer: User | None) -> list[list[Match]]:
    user = account_of(wanted.user or "")
    if user is None or not user.is_active or sanctions.lock_of(user.pk) is not None:
        return []
    if viewer is not None and user.pk == viewer.pk:
        return [_played(wanted, user.pk)]
    if not user.lists_matches:
        if wanted.is_rated is False:
            return []
        wanted = replace(wanted, is_rated=True)
    return [_played(wanted, user.pk, seen_by(viewer))]


def _chosen(wanted: Wanted, match: str = "") -> Q:
    """Return a filter for the matches that are asked for. `match` is the path to a match."""
    chosen = Q() if wanted.game is None else Q(**{f"{match}game": wanted.game})
    if wanted.is_rated is not None:
        is_rated = Q(**{f"{match}rated": YES})
        chosen &= is_rated if wanted.is_rated else ~is_rated
    return chosen


def _next(found: QuerySet[M], wanted: Wanted) -> list[M]:
    """Return one row more than wanted, which says whether another portion follows."""
    after: Any = wanted.after
    found = found.filter(no__gt=0)  # (lists contain no matches without a number)
    if wanted.newest_first:
        found = found.filter(no__lt=after) if after is not None else found
        return list(found.order_by("-no")[: wanted.limit + 1])
    return list(found.filter(no__gt=after or 0).order_by("no")[: wanted.limit + 1])


_READ = [field for field in Match._meta.concrete_fields if field.name not in UNREAD]
