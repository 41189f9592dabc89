"""Authorization: who may use a command, and when. It is checked in the writer's thread.

The rights are declared in `games.wire.commands`. The function that carries out a command gets the
locked room and the calling member. It only has to check the `provided` conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, TypeVar, assert_never

from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_readable
from games.engine.table_policy import policy_of
from games.engine.writer import Pending, command
from games.models import Match, Member, Room
from games.rooms import members
from games.wire.declaration import Command, When, Who

P = ParamSpec("P")
R = TypeVar("R")

ENTRANCES: dict[type[Command], Callable[..., Pending[Any]]] = {}
"""Functions that carry out commands. Arguments: room id, user id, and the fields."""
PREPARED: set[type[Command]] = set()
"""Commands whose entrance may block. Call it in a thread."""


def carries_out(
    *kinds: type[Command],
) -> Callable[
    [Callable[Concatenate[Room, Member, P], R]], Callable[Concatenate[int, int, P], Pending[R]]
]:
    """Make `function(room, member, fields…)` carry out these commands in the writer's thread.

    Call it as `function(room_id, user_id, fields…)`. It raises Ignored if the caller may not use
    the command, and Refused (`not_allowed_now`, `paused`) if the room is in the wrong state. All
    `kinds` must have the same rights.
    """
    ((_who, _when),) = {(kind.who, kind.when) for kind in kinds}

    def decorate(
        function: Callable[Concatenate[Room, Member, P], R],
    ) -> Callable[Concatenate[int, int, P], Pending[R]]:
        @command
        def enter(room_id: int, user_id: int, /, *args: P.args, **kwargs: P.kwargs) -> R:
            room, member = _authorized(kinds, room_id, user_id)
            return function(room, member, *args, **kwargs)

        update_wrapper(enter, function)
        ENTRANCES.update(dict.fromkeys(kinds, enter))
        return enter

    return decorate


def prepares(
    kind: type[Command],
) -> Callable[
    [Callable[Concatenate[int, int, P], Pending[R]]], Callable[Concatenate[int, int, P], Pending[R]]
]:
    """Make `function(room_id, user_id, fields…)` the entry point of a command.

    The entry point runs in the caller's thread before the command is carried out. It is meant for
    limits, cleaning and other work that must not delay the writer.
    """

    def decorate(
        function: Callable[Concatenate[int, int, P], Pending[R]],
    ) -> Callable[Concatenate[int, int, P], Pending[R]]:
        ENTRANCES[kind] = function
        PREPARED.add(kind)
        return function

    return decorate


def _authorized(kinds: Sequence[type[Command]], room_id: int, user_id: int) -> tuple[Room, Member]:
    room, member = members.room_of(room_id), members.member_of(room_id, user_id)
    if kinds[0].__name__ in policy_of(room).forbidden or not _may(kinds[0].who, room, member):
        raise Ignored
    must_be(kinds[0].when, room)
    return room, member


def _may(who: Who, room: Room, member: Member) -> bool:
    match who:
        case Who.ANYBODY | Who.MEMBER:
            return True
        case Who.PLAYER:
            return not member.spectator
        case Who.HOST:
            return members.is_host(room, member.user_id)
        case Who.HOST_OR_SEATED:
            return members.is_host(room, member.user_id) or _is_seated(room, member)
        case Who.SPECTATOR:
            return not _is_seated(room, member)
        case _:
            assert_never(who)


def _is_seated(room: Room, member: Member) -> bool:
    """Whether the member plays in the running match and has not been eliminated."""
    if room.match_id is None or room.status != Room.Status.PLAYING:
        return False
    match = load_readable(room.match_id)
    seat = match.seat_of(member.user_id) if match is not None else None
    return match is not None and seat is not None and seat not in match.game.rules.out(match.state)


def must_be(when: When, room: Room) -> None:
    """Raise Refused (`not_allowed_now`, `paused`) if the state of the room does not allow the
    command.
    """
    match when:
        case When.ANY:
            return
        case When.OPEN:
            members.must_be_open(room)
        case When.PLAYING:
            if _is_paused(room):
                raise Refused("paused")
        case When.RUNNING:
            _is_paused(room)
        case When.PAUSED:
            if not _is_paused(room):
                raise Refused("not_allowed_now")
        case _:
            assert_never(when)


def _is_paused(room: Room) -> bool:
    """Whether the running match is paused.

    Raise Refused if no match is running, or if rounds start automatically.
    """
    if policy_of(room).continuous or room.status != Room.Status.PLAYING or room.match_id is None:
        raise Refused("not_allowed_now")
    return Match.objects.filter(pk=room.match_id, paused__isnull=False).exists()
