"""Invitations: inviting users, inviting former members again, withdrawing and declining."""

from __future__ import annotations

from datetime import timedelta

from accounts import limits, mutes_and_blocks
from accounts.limits import Asker, TooOften
from accounts.models import User, account_of
from games.contract.core import Refused
from games.engine import time_source
from games.engine.writer import command
from games.models import Invitation, Member, Room
from games.models.rooms import read_code
from games.rooms import members
from games.rooms.authorization import carries_out
from games.wire import commands

ASKED_AGAIN = timedelta(minutes=1)
"""Minimum time between two notifications of the same invitation."""
MOST_ASKED = 60
"""Maximum invitations of one table, including those of users who have already joined."""


@carries_out(commands.Invite)
def invite(room: Room, host: Member, username: str) -> None:
    """Invite the registered user with this user name."""
    ask_in(room, host, username.strip())
    members.changed(room)


@carries_out(commands.InviteAgain)
def invite_again(room: Room, host: Member, member: int) -> None:
    """Invite a former member again, who may be a guest or may have been kicked."""
    count_asking(host)
    gone = room.members.filter(pk=member, user__isnull=False).exclude(left_at=None).first()
    if gone is None or gone.user is None:
        raise Refused("bad_target")
    ask(room, host, gone.user)
    members.changed(room)


@carries_out(commands.WithdrawInvitation)
def withdraw(room: Room, host: Member, invitation: int) -> None:
    """Withdraw an invitation. Users who have already joined may stay."""
    if not room.invitations.filter(pk=invitation).delete()[0]:
        raise Refused("bad_target")
    members.changed(room)


@command
def decline(code: str, user_id: int) -> None:
    """Decline an invitation, which deletes it. Do nothing if there is none."""
    room = Room.objects.select_for_update().filter(code=read_code(code)).first()
    if room is not None and room.invitations.filter(user_id=user_id).delete()[0]:
        members.changed(room)


def ask_in(room: Room, host: Member, name: str) -> None:
    """Invite the registered user with this user name. Raise Refused for the same reasons as `ask`.

    The result is the same for an unknown name and for a user who blocks the host.
    """
    count_asking(host)
    guest = account_of(name)
    if guest is None:
        raise Refused("bad_target")
    ask(room, host, guest)


def count_asking(host: Member) -> None:
    """Count an invitation by this host. Raise Refused("too_often") if the limit is reached."""
    try:
        limits.take("invitations", Asker(host.user_id))
    except TooOften:
        raise Refused("too_often") from None


def may_ask(host: Member, guest: User) -> bool:
    """Whether this host may invite this user.

    If not, the response must be `bad_target`, as for an unknown name, so that a block is not
    revealed.
    """
    return guest.is_active and not mutes_and_blocks.blocks(guest.pk, host.user_id)


def ask(room: Room, host: Member, guest: User) -> None:
    """Invite a user. This also lifts a kick.

    Raise Refused with code `bad_target`, `already_here` or `too_many_asked`.
    """
    if not may_ask(host, guest):
        raise Refused("bad_target")
    known = room.members.filter(user=guest).first()
    if known is not None and known.left_at is None:
        raise Refused("already_here")
    if room.invitations.exclude(user=guest).count() >= MOST_ASKED:
        raise Refused("too_many_asked", most=MOST_ASKED)
    room.members.filter(user=guest).update(kicked_at=None)
    now = time_source.now()
    told = room.invitations.filter(user=guest, at__gte=now - ASKED_AGAIN).unanswered()
    if not told.exists():
        asked = {"by": host.name, "at": now}
        Invitation.objects.update_or_create(room=room, user=guest, defaults=asked)
