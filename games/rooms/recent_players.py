"""Recent fellow players, suggested to a host for invitations."""

from __future__ import annotations

from dataclasses import dataclass

from accounts import mutes_and_blocks
from games.models import Player, opened_by_people

MATCHES = 30
MOST = 12


@dataclass(frozen=True)
class RecentPlayer:
    """A registered user, with the user name for the invitation and the display name."""

    username: str
    name: str


def recent_players_of(user_id: int | None) -> tuple[RecentPlayer, ...]:
    """Return the registered players of a user's latest matches, most recent first.

    Only tables opened by users count, because at other tables players meet programs. A player is
    left out if either of the two blocks the other.
    """
    if user_id is None:
        return ()
    met = _registered(user_id)
    if not met:  # most players are guests
        return ()
    apart = {user_id, *(other for _, other in mutes_and_blocks.apart([user_id]))}
    people = (RecentPlayer(u, n or u) for number, u, n in met if number not in apart)
    return tuple(dict.fromkeys(people))[:MOST]


def _registered(user_id: int) -> list[tuple[int, str, str]]:
    """Return the id and names of each registered player of a user's latest matches, most recent
    first.
    """
    own = Player.objects.filter(opened_by_people("match__room__"), user_id=user_id)
    matches = own.order_by("-match_id").values("match_id")[:MATCHES]
    others = Player.objects.filter(match_id__in=matches).exclude(user_id=user_id)
    found = others.filter(user__is_guest=False, user__is_active=True)
    fields = ("user_id", "user__username", "user__name")
    return list(found.order_by("-match_id", "seat").values_list(*fields))
