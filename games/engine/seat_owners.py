"""Changes of a seat's owner or name without a move, after accounts were merged, renamed or erased.

Call these functions in a job of the writer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F

from games.contract.core import Change
from games.engine.act_log import Step
from games.engine.acts import PlayerChanges, commit
from games.engine.snapshots import cache, load_readable
from games.models import Act, Match, Player


def reseat(match_id: int, owners: Mapping[int, int | None]) -> None:
    """Change the owners of seats (seat → user id) after accounts were merged.

    In a running match this is an act, so that every process is notified.
    """
    change_people(match_id, {at: {"user_id": owner} for at, owner in owners.items()})


def anonymize(match_id: int, seat: int, name: str) -> None:
    """Remove the user from a seat, and replace the name with `name`."""
    change_people(match_id, {seat: {"user_id": None, "name": name}})


def change_ended(seats: Collection[Player], **change: Any) -> None:
    """Change these fields of seats in finished matches."""
    Player.objects.filter(pk__in=[seat.pk for seat in seats]).update(**change)
    revise({seat.match_id for seat in seats})


def rename(match_id: int, user_id: int | None, name: str) -> None:
    """Change the name shown for a user's seat, if the user has one."""
    held = Player.objects.filter(match_id=match_id, user_id=user_id).first() if user_id else None
    if held is not None:
        change_people(match_id, {held.seat: {"name": name}})


def change_people(match_id: int, changes: PlayerChanges) -> None:
    """Change the owners or names of seats without a move.

    In a running match, the change is stored as an act, so that other processes notice it. In a
    finished match, they notice the new revision of the match.
    """
    runs = Match.objects.filter(pk=match_id, ended_at=None).exists()
    match = load_readable(match_id) if runs else None
    if match is not None:
        step = Step(Act.Kind.JOIN, Act.By.SERVER, seat=next(iter(changes)))
        commit(match, Change(match.state, ()), step, players=changes)
        return
    for at, change in changes.items():
        Player.objects.filter(match_id=match_id, seat=at).update(**change)
    revise({match_id})


def revise(match_ids: set[int]) -> None:
    """Make every process reload these matches although their versions do not change.

    Finished matches get a new number, so that mirrors of the list receive them again
    (`games.history.counting`).
    """
    Match.objects.filter(pk__in=match_ids).update(revision=F("revision") + 1, no=None)
    for match_id in match_ids:
        transaction.on_commit(partial(cache.evict, match_id), robust=True)
