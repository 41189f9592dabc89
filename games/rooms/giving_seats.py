"""A seat is a person's: the host gives the seat of somebody absent to who says at the door that it
was theirs, and the table is told (decision 97)."""

from __future__ import annotations

from accounts.likeness import are_alike, keys, keys_of
from games.engine import matches, notifications, time_source
from games.engine.snapshots import MatchSnapshot, load_readable, load_snapshot
from games.engine.writer import command
from games.models import Announcement, Member, Player, Room
from games.models.rooms import read_code
from games.protocol import commands
from games.rooms import members
from games.rooms.authorization import carries_out
from games.rooms.joining import Joined, join_now
from games.rules.core import Refused

TRIED = 20
"""So many names are tried for who comes under one that an absent player bears."""


@command
def ask_for_seat(
    code: str, user_id: int, name: str, known: str = "", address: str | None = None
) -> Joined:
    """Somebody comes in to watch, and says that they were the absent player of this name.

    The door is asked first: it says nothing of who plays to those it does not let in.
    """
    room = Room.objects.filter(code=read_code(code)).first()
    free = _free_name(room, name) if room is not None else name
    joined = join_now(code, user_id, free, known, spectate=True, address=address)
    room = members.room_of(joined.room_id)
    player = absent_player(room, name)
    if player is None:
        raise members.Rejected("UsernameTaken")
    fresh = room.members.filter(user_id=user_id).exclude(says_was=player.name)
    if fresh.update(says_was=player.name):  # (who comes and goes says it once)
        _tell(room, "says_was", f"{joined.name} → {player.name}")
    return joined


def absent_player(room: Room, name: str) -> Player | None:
    """Who plays the running match under this name, and is away or has left: not by being kicked."""
    match = _running(room)
    player = _called(match, name)
    if match is None or player is None:
        return None
    return player if _may_be_given(room, match, player) else None


def is_played(room: Room, name: str) -> bool:
    """Whether somebody plays the running match under this name: their device may have just died."""
    player = _called(_running(room), name)
    return player is not None and player.user_id is not None and not (player.out or player.gone)


@carries_out(commands.GiveSeat)
def give_seat(room: Room, host: Member, username: str, member: int) -> None:
    """An absent player's seat is another person's from now on, with its name and its cards."""
    match, player = _running(room), absent_player(room, username)
    if match is None or player is None:
        raise Refused("not_absent")
    heir = room.members.filter(pk=member, left_at=None, bot="").first()
    if heir is None or heir.user_id is None:
        raise Refused("bad_target")
    if any(other.user_id == heir.user_id for other in match.players):
        raise Refused("bad_target")
    called = heir.name
    _make_room(room, player)
    matches.reseat(match.row.pk, {player.seat: heir.user_id})
    given = load_snapshot(match.row.pk)
    matches.give_back(given, heir.user_id) or matches.come_back(given, heir.user_id)
    members.call(room, heir, player.name)
    heir.spectator, heir.says_was = False, ""
    heir.save(update_fields=["spectator", "says_was"])
    members.changed(room)
    _tell(room, "seat_given", f"{called} → {player.name}")


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
    if player.gone and matches.to_take_back(match, player.user_id) is None:
        return False
    here = room.members.filter(user_id=player.user_id, left_at=None, away_since=None)
    return not here.exists()


def _make_room(room: Room, player: Player) -> None:
    """Whose seat it was is not at the table any more, and can come back to watch."""
    owner = room.members.filter(user=player.user, left_at=None)
    owner.update(left_at=time_source.now(), left_because="disconnected")


def _free_name(room: Room, name: str) -> str:
    taken = keys_of(room.members.filter(left_at=None).values_list("name", flat=True))
    names = (f"{name[:17]} {number}" for number in range(2, TRIED))
    free = (one for one in names if keys(one).isdisjoint(taken))
    return next(free, name)


def _tell(room: Room, code: str, names: str) -> None:
    """Everybody at the table reads who says what, and what the host has done."""
    Announcement.objects.create(room=room, code=code, text=names)
    notifications.notify_house_changed()
