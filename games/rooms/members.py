"""Members of a room: joining, leaving, the host and the seats.

Call these functions inside commands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sized
from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from django.db.models import F, Q
from django.dispatch import Signal

from accounts import mutes_and_blocks, reserved_names, sanctions, tokens
from accounts.guests import make_guest
from accounts.likeness import login_key, looks_key
from accounts.models import AddressLock, Sanction, User
from accounts.names import BadName, clean_known_name, clean_name, why_taken
from games.contract.core import Ignored, Refused
from games.contract.words import Fact, _
from games.engine import notifications, seats, time_source
from games.engine.snapshots import load_readable, load_snapshot
from games.engine.table_policy import policy_of
from games.models import Invitation, Member, Player, Room
from games.registry import GAMES
from games.rooms import spectator_limit
from games.rooms.finding import member_in

WATCHERS = 50

on_change = Signal()
"""Sent in the writer's thread when a command has changed a room or its members.

`room` is locked and saved. Anything that receivers write is committed with the change.
"""


class Rejected(Refused):
    """Raised if joining is rejected. `code` is a `PlayerJoinRejected.reason`."""


def go(room: Room, member: Member, because: str, note: str = "") -> None:
    """Let a member leave, and store the reason. `note` is shown to the member."""
    now = time_source.now()
    member.left_at, member.left_because, member.left_note = now, because, note
    member.kicked_at = now if because == "kicked" else None
    member.save(update_fields=["left_at", "left_because", "left_note", "kicked_at"])
    if room.match_id and room.status == Room.Status.PLAYING:
        match = load_readable(room.match_id)  # if parked, the seat is given up later
        seat = match.seat_of(member.user_id) if match else None
        if match is not None and seat is not None:
            seats.leave(match, seat, because)
            room.refresh_from_db()
    ensure_host(room)
    changed(room)


def must_be_known(user_id: int | None) -> None:
    """If GUESTS=off, raise Rejected for users without an account."""
    registered = User.objects.filter(is_guest=False)
    if not settings.GUESTS and not (user_id and registered.filter(pk=user_id).exists()):
        raise Rejected("LoginRequired")


def check_welcome(room: Room, user_id: int | None, known: str) -> None:
    why = ""
    if room.visibility == Room.Visibility.INVITED:
        why = "NotInvited"
    elif room.password and known != room.password:
        why = "WrongPassword"
    if why and not is_invited(room, user_id):
        raise Rejected(why)


def is_invited(room: Room, user_id: int | None) -> bool:
    """Whether this user has an invitation to the room."""
    return user_id is not None and room.invitations.filter(user_id=user_id).exists()


def must_be_wanted(room: Room, user_id: int | None) -> None:
    """Raise Rejected("Kicked") if the host blocks this user."""
    if mutes_and_blocks.blocks(room.host_id, user_id):
        raise Rejected("Kicked")


def present(room: Room, user_id: int | None) -> tuple[list[Member], Member | None]:
    """Return the members who have not left, and this user's membership even if they have left."""
    asked = Q(left_at=None) if user_id is None else Q(left_at=None) | Q(user=user_id)
    found = list(room.members.filter(asked).order_by("joined_at", "pk"))
    known = next((m for m in found if user_id is not None and m.user_id == user_id), None)
    return [m for m in found if m.left_at is None], known


def check_space(
    room: Room,
    user_id: int | None,
    here: Sized,
    spectate: bool = False,
    address: str | None = None,
) -> None:
    """Raise Rejected if the room is full, or if too many spectators from `address` are already
    watching. `here` are the members who have not left.

    Users who can take back a seat in the running match do not count as spectators.
    """
    if len(here) >= GAMES[room.game].seats[1] + WATCHERS:
        raise Rejected("RoomFull")
    comes_as = coming_as(room, user_id)
    nobody_watches = room.options.get("spectators") == "none" and not _had_seat(room, user_id)
    if nobody_watches and comes_as == "watcher":
        raise Rejected("RoomFull")
    if address is None or is_invited(room, user_id):
        return
    watches = spectate or comes_as == "watcher"
    watches = watches or (not comes_as and spectator_limit.has_no_seat_left(room))
    if watches and spectator_limit.is_too_many(room, user_id, address):
        raise Rejected("TooManyWatching")


def _had_seat(room: Room, user_id: int | None) -> bool:
    """Whether this user's seat in the running match was given to somebody else.

    If so, they may watch.
    """
    if user_id is None:
        return False
    return Player.objects.filter(match=room.match_id, owner_before=user_id).exists()


def coming_as(room: Room, user_id: int | None) -> Literal["", "watcher", "latecomer", "returner"]:
    """Return the role in the running match that this user would get by joining.

    Return "" if the match is parked or there is none.
    """
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return ""
    match = load_readable(room.match_id)
    if match is None:
        return ""
    if seats.to_take_back(match, user_id) or seats.free_again(match, user_id) is not None:
        return "returner"
    return "watcher" if match.game.rules.join(match.state, match.luck()) is None else "latecomer"


def person(user_id: int | None, name: str) -> tuple[User, str | None]:
    """Return this user. Without a user, create a guest called `name`, with a token for
    returning.
    """
    if user_id is not None:
        user = User.objects.filter(pk=user_id).first()
        if user is None:
            raise Rejected("Banned")
        if (locked := locked_out(user)) is not None:
            raise locked
        return user, None
    try:
        guest = make_guest(name)
    except BadName as bad:
        raise Rejected(bad.code, **bad.facts) from None
    return guest, tokens.make(guest)


def locked_out(user: User) -> Rejected | None:
    """Return the rejection if the user is banned or their account is closed, else None.

    A program is locked out with its owner.
    """
    if not user.is_active:
        reason = _("An administrator closed this account.")
        return Rejected("Banned", reason=reason, until=_("forever"))
    lock = sanctions.lock_of(user.pk)
    if lock is None and user.is_program:
        owner = User.objects.filter(programs__versions__user=user).first()
        return locked_out(owner) if owner is not None else None
    return None if lock is None else Rejected("Banned", **why(lock))


def must_not_be_muted(user_id: int) -> None:
    """Raise Refused("muted") if this user is muted."""
    mute = sanctions.mute_of(user_id)
    if mute is not None:
        raise Refused("muted", **why(mute))


def why(held: Sanction | AddressLock) -> dict[str, Fact]:
    """Return the reason and the end of a sanction, as facts of a message."""
    if held.until is None:
        return {"reason": held.reason, "until": _("forever")}
    return {"reason": held.reason, "until": _("until %(end)s", end=ending(held.until))}


def ending(until: datetime) -> str:
    """Return the end of a sanction as text."""
    return f"{until:%Y-%m-%d %H:%M} UTC"


def admit(
    room: Room,
    user: User,
    name: str,
    spectator: bool,
    here: Iterable[Member],
    known: Member | None = None,
    **more: Any,
) -> Member:
    """Let a user in under this name, with the fields `more`. Return the saved member.

    `here` are the members who have not left. `known` is the membership of a user who returns.
    Raise Rejected if they cannot have the name.
    """
    is_known = name in (str(user), known.name if known else None)
    try:
        name = clean_known_name(name) if is_known else clean_name(name)
        if not is_known:
            reserved_names.check(name, user)
    except BadName as bad:
        raise Rejected(bad.code, **bad.facts) from None
    if sanctions.was_taken_away(user.pk, name):
        raise Rejected("UsernameRemoved")
    policy = policy_of(room)
    if why := policy.refuse_name(name, user.pk):
        raise Rejected(why)
    if why := _why_taken_here(room, user, name, here):
        raise Rejected(why)
    if not is_known:
        must_not_be_muted(user.pk)
    if known is not None and known.name != name:
        call(room, known, name)
    now = time_source.now()
    member = known or Member(room=room, user=user)
    fresh = {
        "name": name,
        "key": looks_key(name),
        "joined_at": now,
        "seen_at": now,
        "spectator": spectator,
        "left_at": None,
        "left_because": "",
        "left_note": "",
        "away_since": None,
        **more,
    }
    for field, value in fresh.items():
        setattr(member, field, value)
    member.save(update_fields=list(fresh) if known is not None else None)
    policy.on_admitted(name, user.pk)
    return member


def call(room: Room, member: Member, name: str) -> None:
    """Rename a member, including in the room's standings and invitations.

    The caller must save `room`.
    """
    if won := room.standings.pop(member.name, 0):
        room.standings[name] = room.standings.get(name, 0) + won
    Invitation.objects.filter(room=room, by=member.name).update(by=name)
    if member.name != name:
        member.share = ""  # made with the former name
        if room.mixing_until is None:
            room.mixing = None  # it may still have the former name
    member.name, member.key = name, looks_key(name)
    member.save(update_fields=["name", "key", "share"])


def _why_taken_here(room: Room, user: User, name: str, here: Iterable[Member]) -> str:
    """Return the rejection code if another member or a player of the running match has this name,
    or "" if it is free."""
    others = {one.name: one.key for one in here if one.user_id != user.pk}
    if login_key(name) in map(login_key, others):
        return "UsernameTaken"
    if looks_key(name) in others.values():
        return "UsernameLookalike"
    if room.status != Room.Status.PLAYING or room.match_id is None:
        return ""
    held = Player.objects.filter(match=room.match_id).exclude(user=user)
    return why_taken(name, held.values_list("name", flat=True))


def take_seat(room: Room, member: Member) -> None:
    """Give a member their seat back. If they had none and the match allows late joining, give them
    a new one.
    """
    if room.status != Room.Status.PLAYING or not room.match_id or member.user_id is None:
        return
    match = load_readable(room.match_id)
    if match is None:
        return
    played_as = next((p.name for p in match.players if p.user_id == member.user_id), None)
    if played_as is not None:
        if played_as != member.name:
            call(room, member, played_as)
        seats.come_back(match, member.user_id)
    elif (free := seats.free_again(match, member.user_id)) is not None:
        seats.hand_over(match, free, member.user_id, member.name)
    elif not member.spectator:
        seats.join_late(match, member)


def is_at_seat(room: Room, member: Member) -> None:
    """Replace the bot that keeps this member's seat warm, because the member is acting again."""
    if room.status != Room.Status.PLAYING or not room.match_id or member.user_id is None:
        return
    match = load_readable(room.match_id)
    if match is not None:
        seats.give_back(match, member.user_id)


def is_back(room: Room, member: Member) -> None:
    member.seen_at, was_away, member.away_since = time_source.now(), member.away_since, None
    member.save(update_fields=["seen_at", "away_since"])
    if was_away:
        changed(room)


def ensure_host(room: Room) -> None:
    """If the host has left, make the member who has been present longest the new host."""
    if policy_of(room).may_host is not None:
        return
    people = room.members.filter(left_at=None, bot="").order_by("joined_at", "pk")
    if room.host_id is None or not people.filter(user_id=room.host_id).exists():
        heir = people.filter(away_since=None).first() or people.first()
        room.host_id = heir.user_id if heir else None
    is_empty = room.host_id is None
    room.empty_since = room.empty_since or time_source.now() if is_empty else None


def may_be_kicked(room: Room, target: Member) -> bool:
    """Whether this member may be kicked during a match.

    They must be disconnected, idle, watching or out.
    """
    if target.away_since is not None:
        return True
    match = load_snapshot(room.match_id) if room.match_id else None
    seat = match.seat_of(target.user_id) if match else None
    if match is None or seat is None:
        return not target.bot
    return match.players[seat].idle > 0 or match.players[seat].out


def players_now(room: Room) -> Any:
    """Return the members who would play if a match started now, in the order in which they
    joined.
    """
    present = room.members.filter(left_at=None, spectator=False, away_since=None)
    return present.order_by("joined_at", "pk")


def room_of(room_id: int) -> Room:
    room = Room.objects.select_for_update().get(pk=room_id)
    if room.status == Room.Status.CLOSED:
        raise Ignored
    return room


def member_of(room_id: int, user_id: int) -> Member:
    member = member_in(room_id, user_id)
    if member is None:
        raise Ignored
    return member


def is_host(room: Room, user_id: int | None) -> bool:
    """Whether this user is the host of the room.

    If the room has no host, whether they may act as host.
    """
    may_host = policy_of(room).may_host
    if may_host is not None:
        return may_host(user_id)
    return user_id is not None and room.host_id == user_id


def must_be_open(room: Room) -> None:
    """Raise Refused while a match is running or its luck is mixed.

    If rounds start automatically, changes are always allowed and apply from the next round on.
    """
    between = (Room.Status.OPEN, Room.Status.FINISHED)
    if policy_of(room).continuous:
        return
    if room.status not in between or room.mixing_until is not None:
        raise Refused("not_allowed_now")


def changed(room: Room) -> None:
    room.version += 1
    room.save()
    notifications.notify_room_changed(room.pk)
    on_change.send(Room, room=room)


def changed_rooms(room_ids: Collection[int]) -> None:
    """Refresh rooms in which only names or messages have changed."""
    Room.objects.filter(pk__in=room_ids).update(version=F("version") + 1)
    for room_id in room_ids:
        notifications.notify_room_changed(room_id)
