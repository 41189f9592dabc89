"""How eliminated players and spectators leave a match together to start a new game.

The first to leave opens a similar room. The others can join it without a password or invitation.
The new room stores only the match it came from (`Room.from_match`).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from accounts import mutes_and_blocks
from games.contract.core import Refused
from games.engine import notifications
from games.engine.catalogs import usable_options
from games.models import Member, Room
from games.models.rooms import read_code
from games.registry import GAMES
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.joining import Joined, join_now, open_now
from games.wire import commands

BETWEEN = (Room.Status.OPEN, Room.Status.FINISHED)


@dataclass(frozen=True)
class NewGame:
    """A room that can be joined, opened by a member who left the match for it."""

    code: str
    host: str
    host_id: int | None


@carries_out(commands.LeaveForNewGame)
def leave_for_new_game(old: Room, member: Member, room: str | None = None) -> Joined:
    """Move a member who is not in the running match to a new room.

    That is the room with this code, or else the first new room with a free seat, or else a room
    that they open. If Refused is raised, they stay in the old room.
    """
    joined = _come(old, member, room) or _open(old, member)
    members.go(old, member, "left")
    return joined


def new_games_of(room: Room) -> tuple[NewGame, ...]:
    """Return the rooms opened by members who left the running match of this room, oldest first."""
    if room.match_id is None or room.status != Room.Status.PLAYING:
        return ()
    if not Room.objects.filter(from_match=room.match_id).exists():  # usually there is none
        return ()
    found = _to_join(room.match_id).values_list("pk", "code", "host_id")
    return tuple(
        NewGame(code, _name_of_host(number, host_id), host_id) for number, code, host_id in found
    )


def notify_where_from(room: Room) -> None:
    """Refresh the room whose members can leave for this one."""
    if room.from_match is not None:
        notifications.notify_room_changed(room.from_match.room_id)


def _to_join(match_id: int) -> QuerySet[Room]:
    opened = Room.objects.filter(from_match_id=match_id, status__in=BETWEEN, empty_since=None)
    return opened.order_by("pk")


def _name_of_host(room_id: int, host_id: int | None) -> str:
    if host_id is None:
        return ""
    here = Member.objects.filter(room_id=room_id, user_id=host_id, left_at=None)
    return here.values_list("name", flat=True).first() or ""


def _come(old: Room, member: Member, code: str | None) -> Joined | None:
    """Let a member join a new room that another member has opened.

    Return None if there is none. Raise Refused if `code` is unknown.
    """
    if code is not None:
        found = Room.objects.filter(from_match=old.match_id, code=read_code(code)).first()
        if found is None:
            raise Refused("gone")
    else:
        found = next((room for room in _to_join(old.match_id or 0) if _fits(room, member)), None)
    if found is None:
        return None
    return join_now(found.code, member.user_id, member.name, welcome=True, plays=member.plays)


def _fits(room: Room, member: Member) -> bool:
    """Whether the room has a free seat, and neither its host nor the member blocks the other."""
    blocks, host = mutes_and_blocks.blocks, room.host_id
    apart = blocks(host, member.user_id) or blocks(member.user_id, host)
    return not apart and members.players_now(room).count() < GAMES[room.game].seats[1]


def _open(old: Room, member: Member) -> Joined:
    game = GAMES[old.game]
    options = usable_options(game, old.options, member.user_id)
    joined = open_now(
        member.user_id,
        old.game,
        member.name,
        options,
        old.visibility,
        old.password,
        plays=member.plays,
        at_page=member.at_page,
    )
    Room.objects.filter(pk=joined.room_id).update(from_match=old.match_id)
    return joined
