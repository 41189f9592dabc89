"""Commands to open, join and leave rooms, and to kick, mute and block others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts import mutes_and_blocks
from accounts.models import User
from games.contract.core import Refused
from games.contract.data import pack
from games.engine.catalogs import finder
from games.engine.options import read_options
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.models import Invitation, Member, Room, Seek
from games.models.rooms import read_code
from games.registry import GAMES
from games.rooms import members, spectator_limit
from games.rooms.authorization import carries_out
from games.rooms.bots import seat_bot, step_aside
from games.rooms.inviting import ask_in
from games.wire import commands

ROOMS_PER_HOST = 20


@dataclass(frozen=True)
class Joined:
    """The result of joining. `token` is set if a guest was created."""

    room_id: int
    code: str
    user_id: int
    name: str
    again: bool = False
    token: str | None = None
    is_host: bool = False


def open_now(
    user_id: int | None,
    game: str,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    visibility: str = Room.Visibility.PUBLIC,
    password_hash: str = "",
    bots: Sequence[str] = (),
    invite: Sequence[str] = (),
    plays: Sequence[str] | None = None,
    at_page: bool = False,
    rated: bool = False,
) -> Joined:
    """Open a room with its host in it. Without a user, a guest called `name` is created.

    No room is opened if a user in `invite` does not exist. For `plays`, see `join_now`. `at_page`
    says that the host uses a page, which may open only after the match has begun.
    """
    members.must_be_known(user_id)
    if game not in GAMES:
        raise Refused("bad_game")
    checked = read_options(GAMES[game], options or {}, finder(GAMES[game], user_id))
    user, token = members.person(user_id, name)
    if Room.objects.filter(host=user).exclude(status=Room.Status.CLOSED).count() >= ROOMS_PER_HOST:
        raise Refused("too_many_rooms", most=ROOMS_PER_HOST)
    room = Room.objects.create(
        game=game,
        options=pack(checked),
        host=user,
        visibility=visibility,
        password=password_hash,
        rated=rated,
    )
    host = members.admit(
        room, user, name or user.name, False, (), at_page=at_page, plays=_games(room, plays)
    )
    for level in bots:
        seat_bot(room, level)
    for guest in invite:
        ask_in(room, host, guest)
    members.changed(room)
    return Joined(room.pk, room.code, user.pk, host.name, token=token, is_host=True)


open_room = command(open_now)


def join_now(
    code: str,
    user_id: int | None,
    name: str = "",
    known: str = "",
    spectate: bool = False,
    welcome: bool = False,
    plays: Sequence[str] | None = None,
    address: str | None = None,
) -> Joined:
    """Join a room, or return to it.

    * `known`: see `games.rooms.passwords.proof`.
    * `welcome`: skip the checks for strangers.
    * `plays`: the games a program plays (empty: the one of this room). None for a page.
    * `address`: IP address of the user, for limits.
    """
    members.must_be_known(user_id)
    room = Room.objects.select_for_update().filter(code=read_code(code)).first()
    if room is None or room.status == Room.Status.CLOSED:
        raise members.Rejected("InvalidRoom")
    here, member = members.present(room, user_id)
    if member is not None and member.kicked_at:
        raise members.Rejected("Kicked")
    if member is None or member.left_at:
        members.must_be_wanted(room, user_id)
    if member is None and not welcome:
        members.check_welcome(room, user_id, known)
    if member is None or member.left_at:
        members.check_space(room, user_id, here, spectate, address)
    user, token = members.person(user_id, name)
    if member is not None and member.left_at is None:
        members.is_back(room, member)
        members.is_at_seat(room, member)
        _note_arrival(room, user)
        policy_of(room).on_arrived(room)
        return Joined(room.pk, room.code, user.pk, member.name, again=True)
    played = None if spectate else _games(room, plays)
    member = members.admit(room, user, name or user.name, spectate, here, member, plays=played)
    spectator_limit.note(room, user.pk, address)
    members.take_seat(room, member)
    step_aside(room, [*here, member])
    members.ensure_host(room)
    Seek.objects.filter(user=user, room=None).delete()  # joining a table ends all waits
    members.changed(room)
    return Joined(room.pk, room.code, user.pk, member.name, token=token)


join = command(join_now)


def _note_arrival(room: Room, user: User) -> None:
    """Record that a user has come to the table of a quick match (`games.rooms.seeking`)."""
    Seek.objects.filter(room=room, user=user, arrived=False).update(arrived=True)


def _games(room: Room, plays: Sequence[str] | None) -> list[str] | None:
    """Return the games that a program plays. If none are given, that is the game of this room."""
    return None if plays is None else list(plays) or [room.game]


@carries_out(commands.LeaveGame)
def leave(room: Room, member: Member) -> None:
    """Leave the room. The options decide what happens to the member's seat."""
    members.go(room, member, "left")


@carries_out(commands.KickPlayer)
def kick(room: Room, host: Member, username: str) -> None:
    """Remove a member at the host's request (docs/rules/conventions.md C5).

    Raise Refused if that is not allowed.
    """
    target = room.members.filter(left_at=None, name=username).exclude(pk=host.pk).first()
    if target is None:
        raise Refused("bad_target")
    if room.status == Room.Status.PLAYING and not members.may_be_kicked(room, target):
        raise Refused("not_allowed_now")
    members.go(room, target, "kicked")


@carries_out(commands.Mute)
def mute(room: Room, me: Member, username: str, on: bool) -> None:
    """Mute or unmute another member, for this member only (`accounts.mutes_and_blocks`)."""
    _keep_apart(room, me, username, mutes=on)


@carries_out(commands.Block)
def block(room: Room, me: Member, username: str, on: bool) -> None:
    """Block or unblock another member on behalf of this member."""
    host = _keep_apart(room, me, username, blocks=on)
    if on:
        Invitation.objects.filter(user=me.user, room__host=host).delete()


def _keep_apart(
    room: Room, me: Member, name: str, mutes: bool | None = None, blocks: bool | None = None
) -> User:
    other = room.members.filter(name=name, user__isnull=False).exclude(pk=me.pk).first()
    if other is None or other.user is None or me.user_id is None:
        raise Refused("bad_target")
    mutes_and_blocks.keep(me.user_id, other.user, other.name, mutes, blocks)
    members.changed(room)
    if blocks:
        _ask_screens_again(me.user_id, but=room)
    return other.user


def _ask_screens_again(host_id: int, but: Room) -> None:
    """Make the screens of the host's other tables check their permissions again."""
    hosted = Room.objects.filter(host=host_id, screen_seen_at__isnull=False).exclude(pk=but.pk)
    for room in hosted.select_for_update().order_by("pk"):
        members.changed(room)
