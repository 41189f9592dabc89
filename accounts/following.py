"""Accounts that follow others, and who may see where somebody is.

Following needs no consent. So a follower sees where the other is only if `User.seen_by` allows it,
and nothing if one of the two blocks the other. A blocked follower is not told: the other just seems
to be absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.listed import Account
from accounts.models import Follow, MuteOrBlock, User

MOST = 200
"""Maximum accounts that one account follows."""
MOST_FOLLOWERS = 50
"""Maximum followers in a list, newest first."""
FACTS_OF_USER = ("user_id", "user__username", "user__name", "user__face")
FACTS_OF_OTHER = ("other_id", "other__username", "other__name", "other__face", "other__seen_by")
FACTS = (*FACTS_OF_OTHER, "apart", "returned")
"""Columns of a row, by the end of the relation that they describe."""
HERE_FOR = 90.0
"""Seconds after which somebody whose pages no longer report is not here, for example after a crash.

Pages report more often (`lobby.parts.AT_LEAST_EVERY`).
"""


@dataclass(frozen=True)
class Followed:
    """An account that somebody follows, and whether that somebody may see where it is."""

    account: Account
    shows: bool


@dataclass(frozen=True)
class Relations:
    """The accounts that a user follows, and the newest followers that the user does not follow."""

    followed: Sequence[Followed]
    followers: Sequence[Account]


def relations_of(user_id: int) -> Relations:
    """Return whom a user follows, and who follows the user, with one query.

    A follower is left out if one of the two blocks the other.
    """
    both = _known(Follow.objects.filter(Q(user=user_id) | Q(other=user_id)))
    mine_first = both.annotate(mine=Q(user=user_id)).order_by("-mine", "-pk")
    rows = list(mine_first.values(*FACTS, *FACTS_OF_USER)[: MOST + MOST_FOLLOWERS])
    followed = [_followed(row) for row in rows if row["user_id"] == user_id]
    others = (row for row in rows if row["user_id"] != user_id)
    new = (row for row in others if not (row["apart"] or row["returned"]))
    return Relations(followed, [_account(row, "user") for row in new][:MOST_FOLLOWERS])


def visible_to(user_id: int) -> Sequence[Account]:
    """Return the accounts that a user follows, if the user may see where they are."""
    rows = _known(Follow.objects.filter(user=user_id).exclude(other__seen_by=""))
    found = (_followed(row) for row in rows.values(*FACTS))
    return [one.account for one in found if one.shows]


def followed_among(user_id: int | None, others: Iterable[int]) -> frozenset[int]:
    """Return which of these accounts a user follows."""
    if user_id is None:
        return frozenset()
    found = Follow.objects.filter(user_id=user_id, other__in=others)
    return frozenset(found.values_list("other_id", flat=True))


def come(user: Any) -> bool:
    """Record that a user has a page open. Return whether the user was absent before.

    Nothing is recorded about users who show nobody where they are.
    """
    if not getattr(user, "seen_by", ""):
        return False
    place = _place_of(user.pk)
    return cache.add(place, True, HERE_FOR) or not cache.touch(place, HERE_FOR)


def go(user_id: int) -> None:
    """Record that a user has no page open any longer."""
    cache.delete(_place_of(user_id))


def here_among(user_ids: Iterable[int]) -> frozenset[int]:
    """Return which of these users have a page open."""
    places = {_place_of(user_id): user_id for user_id in user_ids}
    return frozenset(places[place] for place in cache.get_many(places))


def apart(user: Any, other: Any) -> Exists:
    """Return the condition that one user blocks the other. Each is an id or an `OuterRef`."""
    blocks = MuteOrBlock.objects.filter(blocks=True)
    return Exists(blocks.filter(Q(user=user, other=other) | Q(user=other, other=user)))


def _known(rows: QuerySet[Follow]) -> QuerySet[Follow]:
    """Leave out closed accounts, and annotate the facts that decide whether a row is shown."""
    returned = Follow.objects.filter(user=OuterRef("other"), other=OuterRef("user"))
    known = rows.filter(user__is_active=True, other__is_active=True)
    are_apart = apart(OuterRef("user"), OuterRef("other"))
    return known.annotate(apart=are_apart, returned=Exists(returned))


def _followed(row: Mapping[str, Any]) -> Followed:
    wants = row["other__seen_by"]
    allowed = wants == User.SeenBy.FOLLOWERS
    allowed = allowed or (wants == User.SeenBy.FOLLOWED and row["returned"])
    return Followed(_account(row, "other"), allowed and not row["apart"])


def _account(row: Mapping[str, Any], end: str) -> Account:
    name = f"{end}__name"
    return Account(row[f"{end}_id"], row[f"{end}__username"], row[name], row[f"{end}__face"])


def _place_of(user_id: int) -> str:
    return f"here:{user_id}"
