"""The time that players get to look at what was dealt, before pages show the first question.

It ends when everybody with an open page has looked, or after `Rules.deal_wait`, whichever comes
first. Bots, programs and players who are away count as having looked. Programs only see a later
deadline. `Match.dealt` stores who has looked, so that a restart does not lose it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from games.models import Match, Player


def is_on(row: Match) -> bool:
    """Whether players still have time to look at what they were dealt. The first act after the deal
    ends that time.
    """
    return row.dealt is not None and row.version == 1 and row.ended_at is None


def seen(row: Match) -> frozenset[int]:
    """Return the seats that have confirmed looking at what they were dealt."""
    return frozenset(row.dealt or ())


def ends(row: Match) -> datetime:
    """Return the latest time at which the first question is shown."""
    return row.awaited_from or row.started_at


def unread(
    players: Sequence[Player], looking: Iterable[int | None], seen: Collection[int]
) -> list[int]:
    """Return the seats of human players with an open page who have not yet looked at what they were
    dealt.
    """
    here = set(looking)
    waits = (p for p in players if not p.bot and not p.gone and p.user_id in here)
    return [player.seat for player in waits if player.seat not in seen]
