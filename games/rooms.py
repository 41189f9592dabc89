"""The commands for people: open, join, leave, kick, hand over, start, speak.

Functions marked `@command` run in the writer's thread (see `games.writer`), and so do those that
carry out a command of the table, for whom `games.authorization` has looked who asks, and when. They
raise Rejected where somebody cannot come in, Refused for everything else that could work but does
not; Ignored where who asks has no business asking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from accounts import mutes_and_blocks
from accounts.models import User
from chat import messages
from games import claims, grace, matches, members, nudging, time_source, timing
from games.authorization import carries_out
from games.catalogs import finder
from games.models import Invitation, Match, Member, Player, Room
from games.options import read_options
from games.packets import commands
from games.rules import GAMES
from games.rules.core import Ignored, Refused, Said
from games.rules.data import Seat, pack
from games.snapshots import MatchSnapshot, load_readable, load_snapshot
from games.table_policy import policy_of
from games.writer import Conflict, command

ROOMS_PER_HOST = 20


@dataclass(frozen=True)
class Joined:
    """Who is in now. `token` is for a program that came without a name of its own."""

    room_id: int
    code: str
    user_id: int
    name: str
    again: bool = False
    token: str | None = None


@command
def open_room(
    user_id: int | None,
    game: str,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    visibility: str = Room.Visibility.PUBLIC,
    password_hash: str = "",
    bots: Sequence[str] = (),
    invite: Sequence[str] = (),
) -> Joined:
    """A new room with its host in it. Without a user, `name` makes a guest.

    There is no room where one of those to `invite` is nobody.
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
    )
    host = members.admit(room, user, name or user.name, spectator=False)
    for level in bots:
        members.seat_bot(room, level)
    for guest in invite:
        members.ask_in(room, host, guest)
    members.changed(room)
    return Joined(room.pk, room.code, user.pk, host.name, token=token)


@command
def join(
    code: str,
    user_id: int | None,
    name: str = "",
    known: str = "",
    spectate: bool = False,
) -> Joined:
    """Somebody comes in, or comes back. `known`: see `games.passwords.proof`."""
    members.must_be_known(user_id)
    room = Room.objects.select_for_update().filter(code=code.upper()).first()
    if room is None or room.status == Room.Status.CLOSED:
        raise members.Rejected("InvalidRoom")
    member = room.members.filter(user_id=user_id).first() if user_id else None
    if member is not None and member.kicked_at:
        raise members.Rejected("Kicked")
    if member is None or member.left_at:
        members.must_be_wanted(room, user_id)
    if member is None:
        members.check_welcome(room, user_id, known)
    if member is None or member.left_at:
        members.check_space(room, user_id)
    user, token = members.person(user_id, name)
    if member is not None and member.left_at is None:
        members.is_back(room, member)
        return Joined(room.pk, room.code, user.pk, member.name, again=True)
    member = members.admit(room, user, name or user.name, spectate)
    members.take_seat(room, member)
    members.ensure_host(room)
    members.changed(room)
    return Joined(room.pk, room.code, user.pk, member.name, token=token)


@carries_out(commands.LeaveGame)
def leave(room: Room, member: Member) -> None:
    """Somebody goes for good; a seat is given up as the table wants it."""
    members.go(room, member, "left")


@carries_out(commands.KickPlayer)
def kick(room: Room, host: Member, username: str) -> None:
    """The host sends somebody away (conventions C5): not_allowed_now for who is playing along."""
    target = room.members.filter(left_at=None, name=username).exclude(pk=host.pk).first()
    if target is None:
        raise Refused("bad_target")
    if room.status == Room.Status.PLAYING and not members.may_be_kicked(room, target):
        raise Refused("not_allowed_now")
    members.go(room, target, "kicked")


@carries_out(commands.Mute)
def mute(room: Room, me: Member, username: str, on: bool) -> None:
    """Somebody here does not read another, or no longer so (`accounts.mutes_and_blocks`)."""
    _keep_apart(room, me, username, mutes=on)


@carries_out(commands.Block)
def block(room: Room, me: Member, username: str, on: bool) -> None:
    """Somebody here does not want to meet another, or no longer so."""
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
    return other.user


@carries_out(commands.SetHost)
def set_host(room: Room, host: Member, username: str) -> None:
    """The host hands over to another person."""
    heir = room.members.filter(left_at=None, name=username, bot="").first()
    if heir is None:
        raise Refused("bad_target")
    room.host_id = heir.user_id
    members.changed(room)


@carries_out(commands.SetOptions)
def set_options(room: Room, host: Member, options: Mapping[str, Any]) -> None:
    """New options for the next match; those not named keep their values."""
    given = {**room.options, **options} | dict(policy_of(room).fixed_options)
    played = GAMES[room.game]
    room.options = pack(read_options(played, given, finder(played, room.host_id)))
    members.changed(room)


@carries_out(commands.SetRoom)
def set_room(
    room: Room, host: Member, visibility: str | None = None, password: str | None = None
) -> None:
    """Who may find the room and come in. `password` is hashed; an empty one takes it off."""
    if visibility is not None:
        room.visibility = visibility
    if password is not None:
        room.password = password
    if room.match_id and not matches.anybody_may_watch(room):
        Match.objects.filter(pk=room.match_id, ended_at=None).update(public=False)
    members.changed(room)


@carries_out(commands.SetSpectating)
def set_spectating(room: Room, member: Member, spectating: bool) -> None:
    """Somebody watches the next match, or plays it."""
    member.spectator = spectating
    member.save(update_fields=["spectator"])
    members.changed(room)


@carries_out(commands.SetOthersSpectating)
def set_watching(room: Room, host: Member, username: str, spectating: bool) -> None:
    """The host has another person watch the next match, or play it."""
    if not room.members.filter(left_at=None, name=username, bot="").update(spectator=spectating):
        raise Refused("bad_target")
    members.changed(room)


@carries_out(commands.SetNonce)
def set_nonce(room: Room, member: Member, nonce: str) -> None:
    """A player's own part in the luck of the next match: 1 to 64 characters."""
    member.nonce = nonce
    member.save(update_fields=["nonce"])


@carries_out(commands.AddBot)
def add_bot(room: Room, host: Member, level: str | None = None) -> None:
    """The host seats a built-in bot (the best level but where one is named)."""
    level = _level(room, level)
    if members.players_now(room).count() >= GAMES[room.game].seats[1]:
        raise Refused("table_full", most=GAMES[room.game].seats[1])
    members.seat_bot(room, level)
    members.changed(room)


@carries_out(commands.FillWithBots)
def fill(room: Room, host: Member, level: str | None = None, up_to: int | None = None) -> None:
    """The host seats as many bots of a level as make a good round, or take the last seats.

    Where a page has said how many will sit there then (`up_to`), asking twice seats no more.
    """
    level = _level(room, level)
    present = members.players_now(room).count()
    many = members.to_fill(room.game, present)
    if many == 0:
        raise Refused("table_full", most=GAMES[room.game].seats[1])
    for _each in range(many if up_to is None else min(many, up_to - present)):
        members.seat_bot(room, level)
    members.changed(room)


@carries_out(commands.SetBotLevel)
def set_level(room: Room, host: Member, username: str, level: str) -> None:
    """The host has a bot play at another level from the next match on."""
    bot = room.members.filter(left_at=None, name=username).exclude(bot="").first()
    if bot is None:
        raise Refused("bad_target")
    bot.bot = _level(room, level)
    bot.save(update_fields=["bot"])
    members.changed(room)


@carries_out(commands.Invite)
def invite(room: Room, host: Member, username: str) -> None:
    """The host asks a registered person of this user name to come."""
    members.ask_in(room, host, username.strip())
    members.changed(room)


@carries_out(commands.InviteAgain)
def invite_again(room: Room, host: Member, member: int) -> None:
    """The host asks somebody back who was here, a guest or not, sent away or not."""
    members.count_asking(host)
    gone = room.members.filter(pk=member, user__isnull=False).exclude(left_at=None).first()
    if gone is None or gone.user is None:
        raise Refused("bad_target")
    members.ask(room, host, gone.user)
    members.changed(room)


@carries_out(commands.WithdrawInvitation)
def withdraw(room: Room, host: Member, invitation: int) -> None:
    """The host takes an invitation back. Who has come already stays."""
    if not room.invitations.filter(pk=invitation).delete()[0]:
        raise Refused("bad_target")
    members.changed(room)


@command
def decline(code: str, user_id: int) -> None:
    """Somebody does not follow an invitation: it is gone. Where there is none, nothing happens."""
    room = Room.objects.select_for_update().filter(code=code.upper()).first()
    if room is not None and room.invitations.filter(user_id=user_id).delete()[0]:
        members.changed(room)


@carries_out(commands.StartGame, commands.PlayAgain)
def start(room: Room, host: Member) -> int:
    """The host starts the next match; return its number."""
    if policy_of(room).continuous:
        raise Refused("not_allowed_now")
    seated = list(members.players_now(room)[: GAMES[room.game].seats[1]])
    room.version += 1
    return matches.begin(room, seated).row.pk


@carries_out(commands.Nudge)
def nudge(room: Room, member: Member) -> None:
    """A question without a clock is given sixty seconds (conventions C5): by the host at once, by
    whoever plays when it has stood for a while. Raise Refused("not_allowed_now")."""
    match = load_snapshot(room.match_id or 0)
    host = members.is_host(room, member.user_id)
    if nudging.may_nudge_from(match, match.seat_of(member.user_id), host) > time_source.now():
        raise Refused("not_allowed_now")
    matches.nudge(match)


@carries_out(commands.SendNewChatMessage)
def say(room: Room, member: Member, message: str, claim: Said | None = None) -> None:
    """A chat message, for whom conventions C9 says; with a claim it may be empty."""
    user_id = member.user_id
    assert user_id is not None
    members.must_not_be_muted(user_id)
    text = "" if claim is not None and not message.strip() else _cleaned(message)
    audience, chapter, closed = "table", None, room.options.get("chat") == "off"
    asserted = None
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
    if claim is not None and asserted is None:
        raise Refused("not_your_hand")
    if closed and asserted is None:
        raise Refused("chat_closed")
    text = "" if closed else text
    try:
        messages.post(
            thread(room.pk), member.user_id, member.name, text, audience, chapter, asserted
        )
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None
    members.changed(room)


@command
def time_is_up(match_id: int, clock: int) -> None:
    """The clock has run out on a question; who was silent too often goes.

    Where nobody of the house looked at it for long after its end, it is asked a little longer.
    """
    match = load_snapshot(match_id)
    deadline, now = match.row.deadline, time_source.source.judged()
    if match.over or match.state.clock != clock or deadline is None or deadline > now:
        raise Ignored
    if now - deadline > timing.LATE and match.game.awaited(match.state):
        if not grace.ask_again(copy(match.row), now):
            raise Conflict
        return
    room = members.room_of(match.row.room_id)
    after, idle = matches.lapse(match)
    room.refresh_from_db()
    for seat in idle:
        member = room.members.filter(name=after.names[seat], left_at=None).first()
        if member is not None and (policy_of(room).continuous or not after.over):
            members.go(room, member, "idle")
            after = load_snapshot(match_id)
    for seat in _left_behind(room, after):
        after = after if after.over else matches.leave(after, seat, "left")


def _left_behind(room: Room, match: MatchSnapshot) -> list[Seat]:
    """Seats of people who left while the match was parked, and could not give them up."""
    if policy_of(room).continuous:  # whoever leaves between two rounds is not in the next
        return []
    here = set(room.members.filter(left_at=None).values_list("user_id", flat=True))
    held = [p for p in match.players if p.user_id and not p.gone and not p.out]
    return [Seat(player.seat) for player in held if player.user_id not in here]


@command
def seen(member_ids: Sequence[int]) -> None:
    """These people are connected now (said again every few seconds while they are)."""
    people = Member.objects.filter(pk__in=member_ids, left_at=None)
    back = set(people.exclude(away_since=None).values_list("room_id", flat=True))
    people.update(seen_at=time_source.now(), away_since=None)
    for room in Room.objects.select_for_update().filter(pk__in=back):
        members.changed(room)


@command
def opened_page(member_id: int) -> None:
    """A page of this member is open: there is somebody who looks."""
    people = Member.objects.filter(pk=member_id, at_page=False)
    rooms = list(Room.objects.filter(members__in=people))
    if rooms and people.update(at_page=True):
        members.changed(rooms[0])


@command
def gone_away(member_ids: Sequence[int]) -> None:
    """These people have had no connection for so long that the others are shown it."""
    now = time_source.now()
    people = Member.objects.filter(pk__in=member_ids, left_at=None, away_since=None)
    rooms = set(people.values_list("room_id", flat=True))
    people.update(away_since=now)
    for room in Room.objects.select_for_update().filter(pk__in=rooms):
        members.changed(room)


def thread(room_id: int) -> str:
    """The name of a room's chat."""
    return f"room:{room_id}"


def of_threads(threads: Iterable[str]) -> set[int]:
    """The rooms whose chats have these names."""
    return {int(name.removeprefix("room:")) for name in threads if name.startswith("room:")}


def _level(room: Room, level: str | None) -> str:
    """A level there is: the best but where one is named. Raise Refused("bad_level")."""
    levels = list(GAMES[room.game].bots)
    if level is not None and level not in levels:
        raise Refused("bad_level", allowed=", ".join(levels))
    return level or levels[-1]


def _cleaned(text: str) -> str:
    try:
        return messages.clean(text)
    except messages.BadMessage as bad:
        raise Refused(bad.args[0]) from None
