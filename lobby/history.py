"""Finished matches: the user's list, and a page per match."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.following import followed_among
from accounts.models import User
from accounts.people import user_of
from games.history import match_history
from games.history.leaderboard import changes_in
from games.models import Match, Player, opened_by_people
from games.pages.files import parts_of
from games.pages.region import Region
from games.pages.templating import render as draw
from games.registry import GAMES
from games.tables.sentences import rating
from games.tables.table import Table

log = logging.getLogger(__name__)

Json = dict[str, Any]
ON_A_PAGE = 10
SHOWN = (
    *("seat", "no", "place", "gone", "substitute"),
    *("match__game", "match__ended_at", "match__lesson"),
)
"""Fields of a seat from which a line of the list is made."""
NUMBER = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True)
class Past:
    """One page of a user's matches."""

    matches: Sequence[Json]
    is_newest: bool
    earlier: int | None
    """Number before which the next page begins, or None if this is the last one."""


def past(user: Any, before: str = "", seen: Q | None = None) -> Past:
    """Return a page of a user's matches, latest first. `seen` limits them to some seats.

    `before` is the number of a match (`Match.no`). Anything else selects the newest page. Without
    `seen`, it begins with matches that have just ended and have no number yet.
    """
    end = int(before) if NUMBER.fullmatch(before) else None
    played = _played(user).filter(seen or Q())
    seats: list[Player] = []
    if end is None and seen is None:
        seats = list(played.filter(no=None).order_by("-match__ended_at", "-match_id")[:ON_A_PAGE])
    counted = played.filter(no__gt=0) if end is None else played.filter(no__gt=0, no__lt=end)
    seats += counted.order_by("-no")[: ON_A_PAGE + 1 - len(seats)]
    shown = seats[:ON_A_PAGE]
    names = _names(seat.match_id for seat in shown)
    lines = [_line(seat, names[seat.match_id]) for seat in shown]
    earlier = next((1 + (seat.no or 0) for seat in seats[ON_A_PAGE:]), None)
    return Past(lines, end is None, earlier)


@never_cache
@require_safe
def match(request: HttpRequest, number: int) -> HttpResponse:
    """Show a finished match to those who may view it. Everybody else gets a 404."""
    row = Match.objects.select_related("room").filter(pk=number).first()
    user = user_of(request)
    user_id = user.pk if user else None
    if row is None or not match_history.may_view(row, user_id):
        raise Http404
    players = list(
        row.players.select_related("user").order_by(F("place").asc(nulls_last=True), "seat")
    )
    context = {
        "match": row,
        "game": GAMES[row.game].name if row.game in GAMES else row.game,
        "players": players,
        "followable": _followable(user_id, players),
        "rating": rating(row.rated),
        "changes": changes_in(row, players),
        "own": parts_of(row.game),
        **_told(row, user_id),
    }
    return render(request, "lobby/match.html", context)


def _followable(user_id: int | None, players: Sequence[Player]) -> frozenset[int]:
    """Return the ids of the players whose accounts this user does not follow yet."""
    others = {
        one.user_id: one.pk
        for one in players
        if one.user and _is_followable(one.user) and one.user_id != user_id
    }
    followed = followed_among(user_id, [number for number in others if number])
    return frozenset(pk for number, pk in others.items() if number not in followed)


def _is_followable(user: User) -> bool:
    return user.is_active and not user.is_guest and not user.is_program


def _told(row: Match, user_id: int | None) -> Json:
    """Render the result, log and random numbers of a match.

    Return nothing if its acts have been deleted, or if this code can no longer read the match.
    """
    if row.pruned:
        return {}
    try:
        table = match_history.table_of(row)
        return {
            "end": _drawn(table, match_history.end_of(row, user_id)),
            "story": _drawn(table, match_history.story_of(row, user_id)),
            "luck": match_history.luck_of(row.pk),
            "check": _drawn(table, match_history.check_of(row)) if row.revealed else "",
        }
    except Exception:  # the match was played with older rules
        log.exception("match %s cannot be shown", row.pk)
        return {}


def _drawn(table: Table, region: Region) -> SafeString:
    """Render a region and mark it as safe, because the templates escape user text."""
    return SafeString(draw(table, region, get_language() or "en"))


def _played(user: Any) -> QuerySet[Player]:
    """Return a user's seats in finished matches, except those against programs over UDP.

    Matches on the ladder are only listed for the programs themselves.
    """
    over = Player.objects.filter(user_id=user.pk, match__ended_at__isnull=False)
    kinds = Q(match__room__ladder=True) if user.is_program else opened_by_people("match__room__")
    return over.filter(kinds).select_related("match").only(*SHOWN)


def _names(matches: Iterable[int]) -> Mapping[int, Mapping[int, str]]:
    """Return the names of the players of each match by seat, in order."""
    found: defaultdict[int, dict[int, str]] = defaultdict(dict)
    players = Player.objects.filter(match_id__in=list(matches)).order_by("seat")
    for match_id, seat, name in players.values_list("match_id", "seat", "name"):
        found[match_id][seat] = name
    return found


def _line(own: Player, names: Mapping[int, str]) -> Json:
    return {
        "number": own.match_id,
        "game": GAMES[own.match.game].name if own.match.game in GAMES else own.match.game,
        "ended": own.match.ended_at,
        "lesson": own.match.lesson,
        "with": [name for seat, name in names.items() if seat != own.seat],
        "place": own.place,
        "of": len(names),
        "left": bool(own.gone) or own.substitute,
    }
