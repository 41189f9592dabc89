"""Commands to follow accounts (`accounts.following`), on pages and at tables."""

from __future__ import annotations

from accounts import limits, mutes_and_blocks
from accounts.following import MOST
from accounts.limits import Asker, TooOften
from accounts.models import Follow, User, account_of
from games.contract.core import Refused
from games.engine.writer import command
from games.models import Member, Room
from games.rooms.authorization import carries_out
from games.wire import commands


@command
def follow(user_id: int, username: str) -> User:
    """Follow the account with this user name, and return it.

    Raise Refused with code `no_account`, or for the same reasons as `keep`.
    """
    _count(user_id)
    other = account_of(username.strip())
    if other is None or not other.is_active:
        raise Refused("no_account")
    keep(user_id, other)
    return other


@command
def unfollow(user_id: int, username: str) -> None:
    """Follow an account no longer. Do nothing if the user does not follow it."""
    if (other := account_of(username)) is not None:
        Follow.objects.filter(user_id=user_id, other=other).delete()


@carries_out(commands.Follow)
def follow_member(room: Room, me: Member, username: str, on: bool) -> None:
    """Follow another member on behalf of this member, or no longer."""
    other = room.members.filter(name=username, user__isnull=False).exclude(pk=me.pk).first()
    if other is None or other.user is None or me.user_id is None:
        raise Refused("bad_target")
    if on:
        _count(me.user_id)
        keep(me.user_id, other.user)
    else:
        Follow.objects.filter(user_id=me.user_id, other=other.user).delete()


def keep(user_id: int, other: User) -> None:
    """Store that a user follows an account. Call this function inside a command.

    Raise Refused with code `follow_needs_account`, `guest_followed`, `bad_target`, `you_block` or
    `too_many_followed`. An account that blocks the user raises nothing, so that the block is not
    revealed.
    """
    me = User.objects.select_for_update().get(pk=user_id)  # so that nobody exceeds the maximum
    if me.is_guest:
        raise Refused("follow_needs_account")
    if other.is_guest:
        raise Refused("guest_followed")
    if other.pk == me.pk:
        raise Refused("bad_target")
    if mutes_and_blocks.blocks(me.pk, other.pk):
        raise Refused("you_block")
    if me.follows.filter(other=other).exists():
        return
    if me.follows.filter(other__is_active=True).count() >= MOST:
        raise Refused("too_many_followed", most=MOST)
    Follow.objects.create(user=me, other=other)


def _count(user_id: int) -> None:
    """Count a new follow. Raise Refused("too_often") if the limit is reached, because somebody may
    be trying names.
    """
    try:
        limits.take("follows", Asker(user_id))
    except TooOften:
        raise Refused("too_often") from None
