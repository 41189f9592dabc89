"""Newcomers to a game, who get hints in their first two matches.

Lessons do not count as matches.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.models import User
from games.models import Player

NEW_FOR = 2
"""Number of matches of a game that people play with hints."""


def newcomers(slug: str, people: Collection[int | None]) -> frozenset[int]:
    """Return the ids in `people` of users who finished fewer than NEW_FOR matches of this game."""
    asked = {one for one in people if one is not None}
    if not asked:
        return frozenset()
    enough = Subquery(
        _ended(slug).filter(user_id=OuterRef("pk")).values("pk")[NEW_FOR - 1 : NEW_FOR]
    )
    found = User.objects.annotate(enough=enough).filter(pk__in=asked, enough=None)
    return frozenset(found.values_list("pk", flat=True))


def _ended(slug: str) -> QuerySet[Player]:
    found = Player.objects.filter(match__game=slug, match__ended_at__isnull=False)
    return found.filter(match__lesson=False).order_by()
