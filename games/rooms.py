"""The door for people: open, join, leave, kick, hand over, start, speak.

Functions marked `@door` run in the writer's thread (see `games.writer`). They raise Ignored where
who asks has no business asking, Rejected where somebody cannot come in, Refused for everything
else that could work but does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.utils import timezone

from accounts.guests import make_guest, make_token
from accounts.models import User
from accounts.names import BadName, clean_name, name_key
from chat import messages
from games import hints, matches
from games.live import live
from games.models import Invitation, Member, Room
from games.options import read_options
from games.rules import GAMES
from games.rules.core import Ignored, Refused
from games.rules.data import pack
from games.writer import door

ROOMS_PER_HOST = 20
WATCHERS = 50
BOT_NAMES = (
    *("Ada", "Bela", "Cato", "Dora", "Enzo", "Fay", "Gus", "Hedy"),
    *("Ivo", "Juno", "Kit", "Lux", "Mona", "Nils", "Otto", "Pia"),
)


class Rejected(Refused):
    """Somebody cannot come in; the code is a `PlayerJoinRejected.reason`."""


@dataclass(frozen=True)
class Joined:
    """Who is in now. `token` is for a program that came without a name of its own."""

    room_id: int
    code: str
    user_id: int
    name: str
    again: bool = False
    token: str | None = None


def proof(code: str, password: str) -> str:
    """What shows a door that the password is known ("" if it is wrong). Slow: not in the writer."""
    stored = Room.objects.filter(code=code.upper()).values_list("password", flat=True).first() or ""
    return stored if stored and check_password(password, stored) else ""


def hashed(password: str) -> str:
    """A room's password as it is stored ("" for none). Slow: not in the writer."""
    return make_password(password) if password else ""


@door
def open_room(
    user_id: int | None,
    game: str,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    visibility: str = Room.Visibility.PUBLIC,
    password_hash: str = "",
    bots: Sequence[str] = (),
) -> Joined:
    """A new room with its host in it. Without a user, `name` makes a guest."""
    if game not in GAMES:
        raise Refused("bad_game")
    checked = read_options(GAMES[game], options or {})
    user, token = _person(user_id, name)
    if Room.objects.filter(host=user).exclude(status=Room.Status.CLOSED).count() >= ROOMS_PER_HOST:
        raise Refused("too_many_rooms", most=ROOMS_PER_HOST)
    room = Room.objects.create(
        game=game,
        options=pack(checked),
        host=user,
        visibility=visibility,
        password=password_hash,
    )
    host = _admit(room, user, name or user.name, spectator=False)
    for level in bots:
        _seat_bot(room, level)
    return Joined(room.pk, room.code, user.pk, host.name, token=token)


@door
def join(
    code: str,
    user_id: int | None,
    name: str = "",
    known: str = "",
    spectate: bool = False,
) -> Joined:
    """Somebody comes in, or comes back. `known` is the `proof` of the password."""
    room = Room.objects.select_for_update().filter(code=code.upper()).first()
    if room is None or room.status == Room.Status.CLOSED:
        raise Rejected("InvalidRoom")
    member = room.members.filter(user_id=user_id).first() if user_id else None
    if member is not None and member.kicked_at:
        raise Rejected("Kicked")
    if member is None:
        _check_welcome(room, user_id, known)
    if member is None or member.left_at:
        _check_space(room, spectate)
    user, token = _person(user_id, name)
    if member is not None and member.left_at is None:
        _back(room, member)
        return Joined(room.pk, room.code, user.pk, member.name, again=True)
    member = _admit(room, user, name or user.name, spectate)
    _take_seat(room, member)
    _ensure_host(room)
    _changed(room)
    return Joined(room.pk, room.code, user.pk, member.name, token=token)


@door
def leave(room_id: int, user_id: int) -> None:
    """Somebody goes for good; a seat is given up as the table wants it."""
    room, member = _room(room_id), _member(room_id, user_id)
    _go(room, member, "left")


@door
def kick(room_id: int, user_id: int, name: str) -> None:
    """The host sends somebody away (conventions C5): not_allowed_now for who is playing along."""
    room, host = _as_host(room_id, user_id)
    target = room.members.filter(left_at=None, name=name).exclude(pk=host.pk).first()
    if target is None:
        raise Refused("bad_target")
    if room.status == Room.Status.PLAYING and not _may_be_kicked(room, target):
        raise Refused("not_allowed_now")
    _go(room, target, "kicked")


@door
def set_host(room_id: int, user_id: int, name: str) -> None:
    """The host hands over to another person."""
    room, _ = _as_host(room_id, user_id)
    heir = room.members.filter(left_at=None, name=name, bot="").first()
    if heir is None:
        raise Refused("bad_target")
    room.host_id = heir.user_id
    _changed(room)


@door
def set_options(room_id: int, user_id: int, options: Mapping[str, Any]) -> None:
    """New options for the next match; those not named keep their values."""
    room, _ = _as_host(room_id, user_id)
    _must_be_open(room)
    room.options = pack(read_options(GAMES[room.game], {**room.options, **options}))
    _changed(room)


@door
def set_room(
    room_id: int, user_id: int, visibility: str | None = None, password_hash: str | None = None
) -> None:
    """Who may find the room and come in. An empty hash takes the password off."""
    room, _ = _as_host(room_id, user_id)
    if visibility is not None:
        room.visibility = visibility
    if password_hash is not None:
        room.password = password_hash
    _changed(room)


@door
def set_spectating(room_id: int, user_id: int, spectating: bool) -> None:
    """Somebody watches the next match, or plays it."""
    room, member = _room(room_id), _member(room_id, user_id)
    _must_be_open(room)
    member.spectator = spectating
    member.save(update_fields=["spectator"])
    _changed(room)


@door
def set_nonce(room_id: int, user_id: int, nonce: str) -> None:
    """A player's own part in the luck of the next match: 1 to 64 characters."""
    room, member = _room(room_id), _member(room_id, user_id)
    _must_be_open(room)
    member.nonce = nonce
    member.save(update_fields=["nonce"])


@door
def add_bot(room_id: int, user_id: int, level: str | None = None) -> None:
    """The host seats a built-in bot (the best level but where one is named)."""
    room, _ = _as_host(room_id, user_id)
    _must_be_open(room)
    levels = GAMES[room.game].bots
    if level is not None and level not in levels:
        raise Refused("bad_level", allowed=", ".join(levels))
    if _players(room).count() >= GAMES[room.game].seats[1]:
        raise Refused("table_full", most=GAMES[room.game].seats[1])
    _seat_bot(room, level or list(levels)[-1])
    _changed(room)


@door
def invite(room_id: int, user_id: int, name: str) -> None:
    """The host asks a registered person of this user name to come."""
    room, host = _as_host(room_id, user_id)
    guest = User.objects.filter(username__iexact=name, is_guest=False, is_active=True).first()
    if guest is None:
        raise Refused("bad_target")
    Invitation.objects.get_or_create(room=room, user=guest, defaults={"by": host.name})
    _changed(room)


@door
def start(room_id: int, user_id: int) -> int:
    """The host starts the next match; returns its number."""
    room, _ = _as_host(room_id, user_id)
    _must_be_open(room)
    seated = list(_players(room)[: GAMES[room.game].seats[1]])
    room.version += 1
    return matches.begin(room, seated).row.pk


@door
def nudge(room_id: int, user_id: int) -> None:
    """The host gives a table without a clock sixty seconds."""
    room, _ = _as_host(room_id, user_id)
    if room.status != Room.Status.PLAYING or room.match_id is None:
        raise Refused("not_allowed_now")
    matches.nudge(live(room.match_id))


@door
def say(room_id: int, user_id: int, text: str) -> None:
    """A chat message, for whom conventions C9 says."""
    room, member = _room(room_id), _member(room_id, user_id)
    text = _cleaned(text)
    audience, chapter = "table", None
    if room.options.get("chat") == "off":
        raise Refused("chat_closed")
    if room.status == Room.Status.PLAYING and room.match_id:
        match = live(room.match_id)
        chapter = match.row.pk
        seat = match.seat_of(user_id)
        playing = seat is not None and not match.players[seat].out
        audience = "table" if playing else "gallery"
        quiet = room.options.get("chat") == "quiet_votes" and match.phase == "vote"
        if playing and quiet:
            raise Refused("chat_closed")
    try:
        messages.post(thread(room_id), member.user_id, member.name, text, audience, chapter)
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None
    _changed(room)


@door
def time_is_up(match_id: int, clock: int) -> None:
    """The clock has run out on a question; who was silent too often goes."""
    match = live(match_id)
    deadline = match.row.deadline
    if match.over or match.state.clock != clock or deadline is None or deadline > timezone.now():
        raise Ignored
    room = _room(match.row.room_id)
    after, idle = matches.lapse(match)
    for seat in idle:
        member = room.members.filter(name=after.names[seat], left_at=None).first()
        if member is not None and not after.over:
            _go(room, member, "idle")
            after = live(match_id)


@door
def seen(member_ids: Sequence[int]) -> None:
    """These people are connected now (said again every few seconds while they are)."""
    members = Member.objects.filter(pk__in=member_ids, left_at=None)
    back = set(members.exclude(away_since=None).values_list("room_id", flat=True))
    members.update(seen_at=timezone.now(), away_since=None)
    for room in Room.objects.filter(pk__in=back):
        _changed(room)


@door
def gone_away(member_ids: Sequence[int]) -> None:
    """These people have had no connection for so long that the others are shown it."""
    now = timezone.now()
    members = Member.objects.filter(pk__in=member_ids, left_at=None, away_since=None)
    rooms = set(members.values_list("room_id", flat=True))
    members.update(away_since=now)
    for room in Room.objects.filter(pk__in=rooms):
        _changed(room)


def thread(room_id: int) -> str:
    """The name of a room's chat."""
    return f"room:{room_id}"


def go(room: Room, member: Member, because: str) -> None:
    """A member goes: called from within a job, by whoever has the right to decide it."""
    _go(room, member, because)


def _go(room: Room, member: Member, because: str) -> None:
    now = timezone.now()
    member.left_at, member.left_because = now, because
    member.kicked_at = now if because == "kicked" else None
    member.save(update_fields=["left_at", "left_because", "kicked_at"])
    if room.match_id and room.status == Room.Status.PLAYING:
        match = live(room.match_id)
        seat = match.seat_of(member.user_id)
        if seat is not None:
            matches.leave(match, seat, because)
            room.refresh_from_db()
    _ensure_host(room)
    _changed(room)


def _check_welcome(room: Room, user_id: int | None, known: str) -> None:
    invited = user_id is not None and room.invitations.filter(user_id=user_id).exists()
    if room.visibility == Room.Visibility.INVITED and not invited:
        raise Rejected("NotInvited")
    if room.password and known != room.password and not invited:
        raise Rejected("WrongPassword")


def _check_space(room: Room, spectate: bool) -> None:
    most = GAMES[room.game].seats[1] + WATCHERS
    if room.members.filter(left_at=None).count() >= most:
        raise Rejected("RoomFull")
    if room.status == Room.Status.PLAYING and room.options.get("spectators") == "none":
        raise Rejected("RoomFull")


def _person(user_id: int | None, name: str) -> tuple[User, str | None]:
    """Who this is; a new guest, with the token to come back, for who has no name yet."""
    if user_id is not None:
        user = User.objects.get(pk=user_id)
        if not user.is_active:
            raise Rejected("Banned")
        return user, None
    try:
        guest = make_guest(name)
    except BadName as bad:
        raise Rejected(bad.args[0]) from None
    return guest, make_token(guest)


def _admit(room: Room, user: User, name: str, spectator: bool) -> Member:
    try:
        name = clean_name(name)
    except BadName as bad:
        raise Rejected(bad.args[0]) from None
    key = name_key(name)
    if room.members.filter(left_at=None, key=key).exclude(user=user).exists():
        raise Rejected("UsernameTaken")
    if _name_is_kept(room, user, key):
        raise Rejected("UsernameTaken")
    now = timezone.now()
    fresh = {
        "name": name,
        "key": key,
        "joined_at": now,
        "seen_at": now,
        "spectator": spectator,
        "left_at": None,
        "left_because": "",
        "away_since": None,
    }
    member, _ = Member.objects.update_or_create(room=room, user=user, defaults=fresh)
    return member


def _name_is_kept(room: Room, user: User, key: str) -> bool:
    """Whether somebody else plays the running match under this name, though absent."""
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return False
    return any(
        name_key(player.name) == key and player.user_id != user.pk
        for player in live(room.match_id).players
    )


def _take_seat(room: Room, member: Member) -> None:
    """The own seat again, or a late one, where the running match allows it."""
    if room.status != Room.Status.PLAYING or not room.match_id or member.user_id is None:
        return
    match = live(room.match_id)
    played_as = next((p.name for p in match.players if p.user_id == member.user_id), None)
    if played_as is not None:
        if played_as != member.name:
            member.name, member.key = played_as, name_key(played_as)
            member.save(update_fields=["name", "key"])
        matches.come_back(match, member.user_id)
    elif not member.spectator:
        matches.join_late(match, member)


def _back(room: Room, member: Member) -> None:
    member.seen_at, was_away, member.away_since = timezone.now(), member.away_since, None
    member.save(update_fields=["seen_at", "away_since"])
    if was_away:
        _changed(room)


def _seat_bot(room: Room, level: str) -> None:
    taken = set(room.members.filter(left_at=None).values_list("key", flat=True))
    free = [f"{name} (bot)" for name in BOT_NAMES if name_key(f"{name} (bot)") not in taken]
    name = free[room.members.count() % len(free)]
    Member.objects.create(room=room, name=name, key=name_key(name), bot=level)


def _ensure_host(room: Room) -> None:
    """A host who has gone is followed by the person present longest."""
    people = room.members.filter(left_at=None, bot="").order_by("joined_at", "pk")
    if room.host_id is None or not people.filter(user_id=room.host_id).exists():
        heir = people.filter(away_since=None).first() or people.first()
        room.host_id = heir.user_id if heir else None
    room.empty_since = None if people.exists() else room.empty_since or timezone.now()


def _may_be_kicked(room: Room, target: Member) -> bool:
    """During play: who is shown disconnected, was idle, only watches, or is out already."""
    if target.away_since is not None:
        return True
    match = live(room.match_id) if room.match_id else None
    seat = match.seat_of(target.user_id) if match else None
    if match is None or seat is None:
        return not target.bot
    return match.players[seat].idle > 0 or match.players[seat].out


def _players(room: Room) -> Any:
    """Who would sit down if the match started now, in order of joining."""
    present = room.members.filter(left_at=None, spectator=False, away_since=None)
    return present.order_by("joined_at", "pk")


def _cleaned(text: str) -> str:
    try:
        return messages.clean(text)
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None


def _room(room_id: int) -> Room:
    room = Room.objects.select_for_update().get(pk=room_id)
    if room.status == Room.Status.CLOSED:
        raise Ignored
    return room


def _member(room_id: int, user_id: int) -> Member:
    member = Member.objects.filter(room_id=room_id, user_id=user_id, left_at=None).first()
    if member is None:
        raise Ignored
    return member


def _as_host(room_id: int, user_id: int) -> tuple[Room, Member]:
    room, member = _room(room_id), _member(room_id, user_id)
    if room.host_id != user_id:
        raise Ignored
    return room, member


def _must_be_open(room: Room) -> None:
    if room.status not in (Room.Status.OPEN, Room.Status.FINISHED):
        raise Refused("not_allowed_now")


def _changed(room: Room) -> None:
    room.version += 1
    room.save()
    hints.room_changed(room.pk)
