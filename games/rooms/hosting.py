"""Changing a room's settings and players, and starting its next match."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from accounts import limits
from accounts.limits import Asker, TooOften
from games.contract.core import Refused
from games.contract.data import pack
from games.engine import draining, matches, seat_owners
from games.engine import rated as rating
from games.engine.acts import end_without_result
from games.engine.catalogs import finder
from games.engine.options import read_options
from games.engine.snapshots import load_snapshot
from games.engine.table_policy import policy_of
from games.engine.writer import command
from games.models import Match, Member, Room
from games.registry import GAMES
from games.rooms import members, mixing, spectator_limit
from games.rooms.authorization import carries_out
from games.rooms.bots import step_aside
from games.wire import commands


@carries_out(commands.SetHost)
def set_host(room: Room, host: Member, username: str) -> None:
    """Make another member the host."""
    heir = room.members.filter(left_at=None, name=username, bot="").first()
    if heir is None:
        raise Refused("bad_target")
    room.host_id = heir.user_id
    members.changed(room)


@carries_out(commands.SetOptions)
def set_options(room: Room, host: Member, options: Mapping[str, Any]) -> None:
    """Set options for the next match. Options that are not given keep their values."""
    given = {**room.options, **options} | dict(policy_of(room).fixed_options)
    played = GAMES[room.game]
    room.options = pack(read_options(played, given, finder(played, room.host_id)))
    members.changed(room)


@carries_out(commands.SetRoom)
def set_room(
    room: Room,
    host: Member,
    visibility: str | None = None,
    password: str | None = None,
    rated: bool | None = None,
) -> None:
    """Set who may find and join the room, and whether its matches are rated.

    `password` is a hash, or empty to remove the password. Raise Refused("cannot_be_rated").
    """
    if visibility is not None:
        room.visibility = visibility
    if password is not None:
        room.password = password
    if not rating.is_open_enough(room):
        room.rated = False
    if rated is not None and rated != room.rated:
        if rated and (host.user is None or not rating.may_ask(room, host.user)):
            raise Refused("cannot_be_rated")
        room.rated = rated
    if room.match_id and not matches.anybody_may_watch(room):
        public = Match.objects.filter(pk=room.match_id, ended_at=None, public=True)
        if public.update(public=False):
            seat_owners.revise({room.match_id})
    members.changed(room)


@carries_out(commands.SetSpectating)
def set_spectating(room: Room, member: Member, spectating: bool) -> None:
    """Let a member watch or play the next match.

    Raise Refused("TooManyWatching") if the limit of spectators is reached.
    """
    if spectating and not member.spectator and spectator_limit.is_too_many(room, member.user_id):
        raise Refused("TooManyWatching")
    member.spectator = spectating
    member.save(update_fields=["spectator"])
    members.changed(room)


@carries_out(commands.SetOthersSpectating)
def set_watching(room: Room, host: Member, username: str, spectating: bool) -> None:
    """Let another member watch or play the next match, at the host's request."""
    if not room.members.filter(left_at=None, name=username, bot="").update(spectator=spectating):
        raise Refused("bad_target")
    members.changed(room)


@carries_out(commands.SetNonce)
def set_nonce(room: Room, member: Member, nonce: str) -> None:
    """Do nothing. Programs of earlier versions send this before a match."""


@carries_out(commands.StartGame, commands.PlayAgain)
def start(room: Room, host: Member) -> int | None:
    """Start the next match. Return its id, or None while its luck is mixed."""
    count_start(Asker(host.user_id, room=room.pk))
    return _begin(room)


@carries_out(commands.Restart)
def restart(room: Room, host: Member) -> int | None:
    """Stop a match in which only bots are left, and start the next one. Return the id of the new
    match, or None while its luck is mixed.

    Raise Refused("not_allowed_now") while human players are still in.
    """
    running = load_snapshot(room.match_id or 0)
    if not running.only_bots:
        raise Refused("not_allowed_now")
    count_start(Asker(host.user_id, room=room.pk))
    end_without_result(copy(running.row))
    room.refresh_from_db()
    return _begin(room)


@command
def start_first(room_id: int) -> int | None:
    """Start the first match of a room that was opened just now, before the page of its host is
    open. Return the id of the match.
    """
    room = Room.objects.select_for_update().get(pk=room_id)
    count_start(Asker(room.host_id, room=room.pk))
    return _begin(room, pages_are_open=False)


def start_by_server(room: Room) -> int | None:
    """Start the next match of a locked room without its host. Return the id of the match, or None
    while its luck is mixed.

    Raise Refused if it cannot start.
    """
    return _begin(room)


def count_start(who: Asker) -> None:
    """Count a start of a match towards the limit. A start costs much more than a move.

    Raise Refused("too_often") if the limit is reached.
    """
    try:
        limits.take("starts", who)
    except TooOften:
        raise Refused("too_often") from None


def _begin(room: Room, pages_are_open: bool = True) -> int | None:
    if policy_of(room).continuous or draining.is_draining():
        raise Refused("not_allowed_now")
    here, _ = members.present(room, None)
    step_aside(room, here)
    seated = list(members.players_now(room)[: GAMES[room.game].seats[1]])
    return mixing.start(room, seated, pages_are_open=pages_are_open)
