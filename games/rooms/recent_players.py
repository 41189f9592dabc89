"""People a host knows, as suggestions for invitations: followed accounts and recent players."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef

from accounts.following import apart
from accounts.models import Follow
from games.models import Player, opened_by_people

MATCHES = 30
MOST = 12


@dataclass(frozen=True)
class RecentPlayer:
    """A registered user, with the user name for the invitation and the display name."""

    username: str
    name: str
    face: str = ""

    def __str__(self) -> str:
        return self.name


def known_to(user_id: int | None) -> tuple[RecentPlayer, ...]:
    """Return the accounts that a user follows, newest first, and then recent players.

    A person is left out if either of the two blocks the other.
    """
    if user_id is None:
        return ()
    return tuple(dict.fromkeys([*_followed(user_id), *recent_players_of(user_id)]))[:MOST]


def recent_players_of(user_id: int | None) -> tuple[RecentPlayer, ...]:
    """Return the registered players of a user's latest matches, most recent first.

    Only tables opened by users count, because at other tables players meet programs. A player is
    left out if either of the two blocks the other.
    """
    if user_id is None:
        return ()
    own = Player.objects.filter(opened_by_people("match__room__"), user_id=user_id)
    # An index has this order. SQLite puts matches that are not counted yet last, PostgreSQL first.
    matches = own.order_by("-no").values("match_id")[:MATCHES]
    others = Player.objects.filter(match_id__in=matches).exclude(user_id=user_id)
    others = others.filter(~apart(user_id, OuterRef("user")))
    found = others.filter(user__is_guest=False, user__is_active=True)
    fields = ("user__username", "user__name", "user__face")
    rows = found.order_by("-match_id", "seat").values_list(*fields)
    return tuple(dict.fromkeys(RecentPlayer(u, n or u, face) for u, n, face in rows))


def _followed(user_id: int) -> list[RecentPlayer]:
    to_others = Follow.objects.filter(user=user_id, other__is_active=True)
    rows = to_others.filter(~apart(user_id, OuterRef("other"))).order_by("-pk")
    found = rows.values_list("other__username", "other__name", "other__face")
    return [RecentPlayer(u, n or u, face) for u, n, face in found[:MOST]]
