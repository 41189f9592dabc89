"""Chat messages at a table and their audience (docs/rules/conventions.md C9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from accounts import limits
from accounts.limits import Asker, TooOften
from chat import messages
from games.contract.core import Refused, Said
from games.contract.words import Text, _
from games.engine.snapshots import MatchSnapshot, load_readable
from games.engine.writer import Pending
from games.models import Member, Player, Room
from games.rooms import claims, members
from games.rooms.authorization import carries_out, prepares
from games.wire import commands

WHY: Mapping[str, Text] = {
    "too_long": _("it has more than %(most)s characters", most=messages.LONGEST),
    "not_visible": _("it has no visible characters"),
    "blocked_word": _("it contains a blocked word"),
}
"""Reasons why a message cannot be sent, by the code of BadMessage."""


@carries_out(commands.SendNewChatMessage)
def _say(room: Room, member: Member, message: str, claim: Said | None) -> None:
    """Post a cleaned message to those who may read it (docs/rules/conventions.md C9).

    The message may be empty if it has a claim.
    """
    user_id = member.user_id
    assert user_id is not None
    members.must_not_be_muted(user_id)
    floor = floor_of(room, user_id)
    asserted = _asserted(floor, user_id, claim)
    after = floor.match.row.version if asserted is not None and floor.match else None
    if claim is not None and asserted is None:
        raise Refused("not_your_hand")
    if floor.is_closed and asserted is None:
        raise Refused("chat_closed")
    text = "" if floor.is_closed else message
    messages.post(
        thread(room.pk),
        user_id,
        member.name,
        text,
        audience=floor.audience,
        chapter=floor.match_id,
        claim=asserted,
        after=after,
    )
    members.changed(room)


@prepares(commands.SendNewChatMessage)
def say(room_id: int, user_id: int, message: str, claim: Said | None = None) -> Pending[None]:
    """Count a message against the limit, remove unsafe characters, and post it.

    Refused messages count as well. Raise Refused with code `busy` or `bad_message`.
    """
    try:
        limits.take("messages", Asker(user_id))
        text = "" if claim is not None and not message.strip() else messages.clean(message)
    except TooOften:
        raise Refused("busy") from None
    except messages.BadMessage as bad:
        raise Refused("bad_message", why=WHY[bad.code]) from None
    return _say(room_id, user_id, text, claim)


@dataclass(frozen=True)
class Floor:
    """The audience of a user's messages, and the running match."""

    audience: Literal["table", "gallery"]
    match_id: int | None
    match: MatchSnapshot | None
    """The running match, or None if none is running or the match is parked."""
    is_closed: bool
    """Whether chat is off at this table."""


def floor_of(room: Room, user_id: int) -> Floor:
    """Return the audience of this user's messages, and the running match (docs/rules/conventions.md
    C9).

    Raise Refused("chat_closed") during a vote if the options say so.
    """
    closed = room.options.get("chat") == "off"
    if room.status != Room.Status.PLAYING or not room.match_id:
        return Floor("table", None, None, closed)
    match = load_readable(room.match_id)
    held = Player.objects.filter(match=room.match_id, user=user_id, gone="", out=False).exists()
    quiet = room.options.get("chat") == "quiet_votes"
    if held and quiet and (match is None or match.phase == "vote"):
        raise Refused("chat_closed")
    return Floor("table" if held else "gallery", room.match_id, match, closed)


def _asserted(floor: Floor, user_id: int, claim: Said | None) -> Mapping[str, Any] | None:
    """Return the claim in its stored form.

    Return None if there is no claim, or if its author is not in the match.
    """
    seat = floor.match.seat_of(user_id) if floor.match else None
    if claim is None or floor.match is None or seat is None or floor.audience != "table":
        return None
    return claims.asserted(floor.match, seat, claim.kind, claim.values)


def thread(room_id: int) -> str:
    """Return the name of a room's chat."""
    return f"room:{room_id}"


def of_threads(threads: Iterable[str]) -> set[int]:
    """Return the ids of the rooms whose chats have these names."""
    return {int(name.removeprefix("room:")) for name in threads if name.startswith("room:")}
