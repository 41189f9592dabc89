"""The people somebody has played with lately: a host is likely to invite them again."""

from __future__ import annotations

from dataclasses import dataclass

from accounts import mutes_and_blocks
from accounts.compiled_queries import CompiledQuery
from games.models import Player, opened_by_people

MATCHES = 30
MOST = 12

_matches = CompiledQuery(
    lambda user: (
        Player.objects.filter(opened_by_people("match__room__"), user_id=user)
        .order_by("-match_id")
        .values_list("match_id", flat=True)[:MATCHES]
    )
)
_registered = CompiledQuery(
    lambda matches: (
        Player.objects.filter(match_id__in=matches, user__is_guest=False, user__is_active=True)
        .order_by("-match_id", "seat")
        .values_list("user_id", "user__username", "user__name")
    )
)


@dataclass(frozen=True)
class RecentPlayer:
    """Somebody registered: the user name they are asked by, and what they are called."""

    username: str
    name: str


def recent_players_of(user_id: int | None) -> tuple[RecentPlayer, ...]:
    """People with an account from somebody's latest matches, those met last first.

    Tables of other kinds do not count: there one meets programs. Nor do people of whom one does
    not want to meet the other.
    """
    if user_id is None:
        return ()
    apart = {user_id, *(other for _, other in mutes_and_blocks.apart([user_id]))}
    met = _registered(_matches(user_id))
    people = (RecentPlayer(u, n or u) for number, u, n in met if number not in apart)
    return tuple(dict.fromkeys(people))[:MOST]
