"""The time to look at what was dealt, before the first question is put on the pages.

It ends when everybody with an open page has looked, at the latest after `Game.deal_wait`. Bots,
programs and people who are away count as having looked. Programs are told of no such time: they
see a later deadline. `Match.dealt` holds who has looked, so that it outlives a restart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from games.models import Match, Player


def is_on(row: Match) -> bool:
    """Whether people look at what they were dealt. The first act after the deal ends that."""
    return row.dealt is not None and row.version == 1 and row.ended_at is None


def seen(row: Match) -> frozenset[int]:
    """The seats that have looked."""
    return frozenset(row.dealt or ())


def ends(row: Match) -> datetime:
    """When everybody counts as having looked."""
    return row.awaited_from or row.started_at


def unread(
    players: Sequence[Player], looking: Iterable[int | None], seen: Collection[int]
) -> list[int]:
    """The seats of people with an open page who have not looked yet."""
    here = set(looking)
    waits = (p for p in players if not p.bot and not p.gone and p.user_id in here)
    return [player.seat for player in waits if player.seat not in seen]
