"""People somebody has recently played with, suggested to a host for invitations."""

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
    """A registered person: user name for the invitation, and display name."""

    username: str
    name: str


def recent_players_of(user_id: int | None) -> tuple[RecentPlayer, ...]:
    """Return people with an account from somebody's latest matches, most recent first.

    Only tables opened by people count; at others you meet programs. People are left out if either
    blocks the other.
    """
    if user_id is None:
        return ()
    apart = {user_id, *(other for _, other in mutes_and_blocks.apart([user_id]))}
    met = _registered(_matches(user_id))
    people = (RecentPlayer(u, n or u) for number, u, n in met if number not in apart)
    return tuple(dict.fromkeys(people))[:MOST]
