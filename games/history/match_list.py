"""Which finished matches a user finds in the list of matches, a portion at a time.

A portion is ordered by `Match.no` (`games.history.counting`), which changes only with the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from django.db.models import Exists, OuterRef, Q

from accounts import sanctions
from accounts.models import User
from games.engine.rated import YES
from games.history.match_lines import Seated
from games.models import Act, Match, Member, Player

LISTED = (
    *("no", "revision", "game", "game_version", "options", "rated", "lesson", "pruned"),
    *("started_at", "ended_at"),
)
"""Fields of a match from which its first line is made."""
UNREAD = ("state", "plans", "talks", "skip_asked", "dealt", "paused")
"""Fields of a match that no line contains."""
SHOWN = ("seat", "name", "bot", "substitute", "gone", "gone_at", "place", "points")
"""Fields of a player from which the lines are made, in the order of `Seated`."""


@dataclass(frozen=True)
class Wanted:
    """A requested portion of the list. `after` is the number after which the portion begins.

    `in_full` asks for all that is in the lines of a match, not only in its first one.
    """

    limit: int
    in_full: bool = False
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
        rows = [_next(wanted, Q(public=True))]
        if viewer is not None:
            until = rows[0][-1].no if len(rows[0]) > wanted.limit else None
            rows.append(_played(wanted, viewer.pk, Q(public=False), until))
    found = [match for some in rows for match in some]
    matches = sorted(found, key=attrgetter("no"), reverse=wanted.newest_first)
    is_last = all(len(some) <= wanted.limit for some in (*rows, matches))
    return Portion(matches[: wanted.limit], is_last)


def seen_by(viewer: User | None, match: str = "match__") -> Q:
    """Return a filter for seats in matches that this viewer finds in lists.

    `match` is the path to the match, which is empty for a filter of matches.
    """
    public = Q(**{f"{match}public": True})
    if viewer is None:
        return public
    # Players of a match share its number, and an index of users and numbers finds them quickly.
    theirs = Player.objects.filter(no=OuterRef("no"), user=viewer.pk)
    return public | Q(Exists(theirs))


def seats_in(matches: Iterable[Match]) -> Mapping[int, Sequence[Seated]]:
    """Return the seats of each match in order."""
    at_page = Member.objects.filter(
        room=OuterRef("match__room"), user=OuterRef("user"), at_page=False
    )
    seats: dict[int, list[Seated]] = {match.pk: [] for match in matches}
    rows = Player.objects.filter(match__in=list(seats)).order_by("match_id", "seat")
    account = ("user__username", "user__is_guest", "user__is_active")
    for match_id, username, is_guest, is_active, is_program, *fields in rows.values_list(
        "match_id", *account, Exists(at_page), *SHOWN
    ):
        name = username if is_active and not is_guest else None
        seats[match_id].append(Seated._make((*fields, name, username is not None, is_program)))
    return seats


def acts_in(matches: Iterable[Match]) -> Mapping[int, Sequence[Act]]:
    """Return the acts of each match in order."""
    rows = Act.objects.filter(match__in=[match.pk for match in matches])
    ordered = rows.order_by("match_id", "number")
    return {pk: list(acts) for pk, acts in groupby(ordered, attrgetter("match_id"))}


def _played(
    wanted: Wanted, user_id: int, which: Q | None = None, until: int | None = None
) -> list[Match]:
    theirs = Q(players__user=user_id, no__isnull=False) & (which or Q())
    return _next(wanted, theirs, "players__no", until)


def _of_user(wanted: Wanted, viewer: User | None) -> list[list[Match]]:
    user = sanctions.account_in_good_standing(wanted.user or "")
    if user is None:
        return []
    if viewer is not None and user.pk == viewer.pk:
        return [_played(wanted, user.pk)]
    if not user.lists_matches:
        if wanted.is_rated is False:
            return []
        wanted = replace(wanted, is_rated=True)
    return [_played(wanted, user.pk, seen_by(viewer, match=""))]


def _next(wanted: Wanted, among: Q, no: str = "no", until: int | None = None) -> list[Match]:
    """Return one match more than wanted, which says whether another portion follows.

    `no` is the path to the numbers: that of matches, or of seats, which have the same. The portion
    ends before the number `until`.
    """
    order, then, before = (f"-{no}", "lt", "gt") if wanted.newest_first else (no, "gt", "lt")
    among &= Q(**{f"{no}__gt": 0})  # (lists contain no matches without a number)
    if wanted.after is not None:
        among &= Q(**{f"{no}__{then}": wanted.after})
    if until is not None:
        among &= Q(**{f"{no}__{before}": until})
    if wanted.game is not None:
        among &= Q(game=wanted.game)
    if wanted.is_rated is not None:
        among &= Q(rated=YES) if wanted.is_rated else ~Q(rated=YES)
    found = Match.objects.filter(among).order_by(order)
    found = found.defer(*UNREAD) if wanted.in_full else found.only(*LISTED)
    return list(found[: wanted.limit + 1])
