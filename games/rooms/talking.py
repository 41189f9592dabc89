"""What people say at a table, and who is to hear it (conventions C9)."""

from __future__ import annotations

from collections.abc import Iterable

from chat import messages
from games.engine.snapshots import load_readable
from games.models import Member, Player, Room
from games.protocol import commands
from games.rooms import claims, members
from games.rooms.authorization import carries_out
from games.rules.core import Refused, Said


@carries_out(commands.SendNewChatMessage)
def say(room: Room, member: Member, message: str, claim: Said | None = None) -> None:
    """A chat message, for whom conventions C9 says; with a claim it may be empty."""
    user_id = member.user_id
    assert user_id is not None
    members.must_not_be_muted(user_id)
    text = "" if claim is not None and not message.strip() else _cleaned(message)
    audience, chapter, closed = "table", None, room.options.get("chat") == "off"
    asserted, after = None, None
    if room.status == Room.Status.PLAYING and room.match_id:
        match, chapter = load_readable(room.match_id), room.match_id
        held = Player.objects.filter(match=chapter, user=user_id, gone="", out=False).first()
        audience = "table" if held else "gallery"
        quiet = room.options.get("chat") == "quiet_votes"
        if held and quiet and (match is None or match.phase == "vote"):
            raise Refused("chat_closed")
        seat = match.seat_of(user_id) if match else None
        if claim is not None and match is not None and seat is not None and held:
            asserted = claims.asserted(match, seat, claim.kind, claim.values)
            after = match.row.version
    if claim is not None and asserted is None:
        raise Refused("not_your_hand")
    if closed and asserted is None:
        raise Refused("chat_closed")
    text = "" if closed else text
    try:
        messages.post(
            thread(room.pk), user_id, member.name, text, audience, chapter, asserted, after
        )
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None
    members.changed(room)


def thread(room_id: int) -> str:
    """The name of a room's chat."""
    return f"room:{room_id}"


def of_threads(threads: Iterable[str]) -> set[int]:
    """The rooms whose chats have these names."""
    return {int(name.removeprefix("room:")) for name in threads if name.startswith("room:")}


def _cleaned(text: str) -> str:
    try:
        return messages.clean(text)
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None
