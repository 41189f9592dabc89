"""Giving the seat of an absent player to another user (decision 142).

The host can give it to a member who claimed it when joining, once its owner has had time to refuse.
Returning counts as a refusal. Giving it to anybody else needs a vote (`games.rooms.seat_votes`).
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from accounts.likeness import are_alike, keys, keys_of
from games.contract.core import Refused
from games.contract.data import Seat
from games.engine import notifications, seats, time_source
from games.engine.snapshots import MatchSnapshot, load_readable
from games.engine.writer import command
from games.models import Announcement, Member, Player, Room
from games.models.rooms import read_code
from games.rooms import members
from games.rooms.joining import Joined, join_now

OWNER_ANSWERS = timedelta(seconds=60)
"""Time in which the owner of a claimed seat can refuse."""
KEPT_FOR = timedelta(days=1)
"""Time for which pages show a notice to an owner."""

TRIED = 20
"""Limit of the number appended to a name that is taken by an absent player."""


@command
def ask_for_seat(
    code: str, user_id: int, name: str, known: str = "", address: str | None = None
) -> Joined:
    """Join as a spectator, and claim to be the absent player with this name.

    Joining is checked first, so that users who may not join do not learn who is playing.
    """
    room = Room.objects.filter(code=read_code(code)).first()
    free = _free_name(room, name) if room is not None else name
    joined = join_now(code, user_id, free, known, spectate=True, address=address)
    room = members.room_of(joined.room_id)
    player = absent_player(room, name)
    if player is None:
        raise members.Rejected("UsernameTaken")
    fresh = room.members.filter(user_id=user_id).exclude(says_was=player.name)
    if fresh.update(says_was=player.name, says_was_at=time_source.now()):  # announce it only once
        members.changed(room)
        _tell(room, "says_was", f"{joined.name} → {player.name}")
        _tell(room, "seat_claimed", joined.name, player.user_id)
    return joined


def absent_player(room: Room, name: str) -> Player | None:
    """Return the player with this name in the running match if they are away or have left without
    being kicked. Otherwise return None.
    """
    match = _running(room)
    player = _called(match, name)
    if match is None or player is None:
        return None
    return player if _may_be_given(room, match, player) else None


def is_played(room: Room, name: str) -> bool:
    """Whether a human player has this name in the running match, connected or not."""
    player = _called(_running(room), name)
    return player is not None and player.user_id is not None and not (player.out or player.gone)


def heir_of(room: Room, match: MatchSnapshot, member: int) -> Member:
    """Return this member, who must be present and have no seat. Otherwise raise
    Refused("bad_target").
    """
    heir = room.members.filter(pk=member, left_at=None, bot="").first()
    if heir is None or heir.user_id is None:
        raise Refused("bad_target")
    if any(other.user_id == heir.user_id for other in match.players):
        raise Refused("bad_target")
    return heir


def claims(heir: Member, player: Player) -> bool:
    """Whether this member claimed the seat when joining."""
    return bool(heir.says_was) and heir.says_was == player.name


def seconds_to_refuse(room: Room, player: Player, heir: Member) -> int:
    """Return the seconds left in which the owner of a claimed seat can refuse."""
    until = refusable_until(heir, absent_since(room, player))
    return max(0, math.ceil((until - time_source.now()).total_seconds()))


def refusable_until(heir: Member, absent: datetime | None) -> datetime:
    """Return when a claimed seat can be given away.

    That is OWNER_ANSWERS after the claim was made, or after its owner went away (`absent`),
    whichever is later.
    """
    said = heir.says_was_at or heir.joined_at
    return max(said, absent or said) + OWNER_ANSWERS


def absent_since(room: Room, player: Player) -> datetime | None:
    """Return when a player went away or left, or None if the time is unknown."""
    owner = room.members.filter(user_id=player.user_id or 0).first()
    return None if owner is None else owner.away_since or owner.left_at


def hand_over(room: Room, match: MatchSnapshot, player: Player, heir: Member) -> None:
    """Give a seat to another user, and tell the table and the former owner."""
    assert heir.user_id is not None
    owner = player.user_id
    seats.hand_over(match, Seat(player.seat), heir.user_id, heir.name)
    heir.spectator, heir.says_was = False, ""
    heir.save(update_fields=["spectator", "says_was"])
    members.changed(room)
    _end_notices(room, owner)
    _tell(room, "seat_given", f"{heir.name} → {player.name}")
    _tell(room, "seat_gone", heir.name, owner)


def on_room_changed(sender: Any, room: Room, **more: Any) -> None:
    """Drop all claims to a seat whose owner is back."""
    if room.status != Room.Status.PLAYING:
        return
    for heir in room.members.filter(left_at=None).exclude(says_was=""):
        player = _called(_running(room), heir.says_was)
        if player is not None and _is_here(room, player):
            heir.says_was = ""
            heir.save(update_fields=["says_was"])
            _end_notices(room, player.user_id)
            _tell(room, "seat_kept", player.name)


def _running(room: Room) -> MatchSnapshot | None:
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return None
    return load_readable(room.match_id)


def _called(match: MatchSnapshot | None, name: str) -> Player | None:
    players = match.players if match is not None and not match.over else ()
    return next((one for one in players if are_alike(one.name, name)), None)


def _may_be_given(room: Room, match: MatchSnapshot, player: Player) -> bool:
    if player.user_id is None or player.out or player.gone == "kicked" or match.over:
        return False
    if player.gone and seats.to_take_back(match, player.user_id) is None:
        return False
    return not _is_here(room, player)


def _is_here(room: Room, player: Player) -> bool:
    here = room.members.filter(user_id=player.user_id or 0, left_at=None, away_since=None)
    return player.user_id is not None and here.exists()


def _free_name(room: Room, name: str) -> str:
    taken = keys_of(room.members.filter(left_at=None).values_list("name", flat=True))
    names = (f"{name[:17]} {number}" for number in range(2, TRIED))
    free = (one for one in names if keys(one).isdisjoint(taken))
    return next(free, name)


def _end_notices(room: Room, owner: int | None) -> None:
    """Stop showing an owner the notices of claims that are settled."""
    notices = Announcement.objects.filter(room=room, person_id=owner, code="seat_claimed")
    notices.filter(person__isnull=False).update(until=F("at"))


def _tell(room: Room, code: str, names: str, person: int | None = None) -> None:
    """Post a notice to the table, or to one user (`person`) on all their pages and devices."""
    until = time_source.now() + KEPT_FOR if person is not None else None
    Announcement.objects.create(
        room=room,
        code=code,
        text=names,
        person_id=person,
        level=Announcement.Level.WARNING if person is not None else Announcement.Level.INFO,
        until=until,
    )
    notifications.notify_everybody()
