"""Merge a guest into an account: everything of the guest's becomes the account's at the login.

One person then, where there were two: at one table one membership stays, in one match one seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accounts import mutes_and_blocks
from accounts.models import PushSubscription, Sanction, Token, User
from chat.models import Message
from games.engine import matches
from games.engine.writer import command
from games.models import Deck, Invitation, Member, Player, Room, UdpName
from games.people.erasure import anonymize_member, anonymize_player
from games.rooms.members import changed, ensure_host, go
from games.rules.core import Ignored

also: dict[str, Callable[[User, User], None]] = {}
"""What rooms of the house above this one move along, from the guest to the account."""


@command
def merge_accounts(guest_id: int, user_id: int) -> None:
    """Seats, matches, decks, tokens, invitations, words and points go to an account.

    The guest is no more afterwards. Raises Ignored where there is no such guest or account.
    """
    here = User.objects.select_for_update().filter(is_active=True)  # (nobody is being erased)
    guest = here.filter(pk=guest_id, is_guest=True).first()
    user = here.filter(pk=user_id, is_guest=False).first()
    if guest is None or user is None:
        raise Ignored
    rooms = _memberships(guest, user)
    _seats(guest, user)
    rooms |= _hosted(guest, user)
    _invitations(guest, user)
    Deck.objects.filter(owner=guest).update(owner=user)
    Token.objects.filter(user=guest).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)
    Message.objects.filter(author=guest).update(author=user)
    UdpName.objects.filter(user=guest).update(user=user)
    Sanction.objects.filter(user=guest).update(user=user)
    mutes_and_blocks.move(guest.pk, user.pk)
    for move in also.values():
        move(guest, user)
    guest.delete()
    for room in Room.objects.select_for_update().filter(pk__in=rooms):
        ensure_host(room)
        changed(room)


@command
def show_registered(user_id: int) -> None:
    """The others at the tables of somebody who has just registered see that."""
    present = Member.objects.filter(user_id=user_id, left_at=None).values("room_id")
    for room in Room.objects.select_for_update().filter(pk__in=present):
        changed(room)


def on_return(sender: Any, guest: User, user: User, **_: Any) -> None:
    """A guest logs in (`accounts.signals.returned`): waits until everything is moved."""
    merge_accounts(guest.pk, user.pk).result()


def on_registered(sender: Any, user: User, **_: Any) -> None:
    """A guest has become an account (`accounts.signals.registered`)."""
    show_registered(user.pk)


def _memberships(guest: User, user: User) -> set[int]:
    """Return the rooms where the guest was present."""
    rooms = set()
    for member in Member.objects.filter(user=guest).select_related("room"):
        if member.left_at is None:
            rooms.add(member.room_id)
        other = Member.objects.filter(room=member.room_id, user=user).first()
        if other is not None and other.left_at and member.kicked_at:
            other.kicked_at = other.kicked_at or member.kicked_at
            other.save(update_fields=["kicked_at"])
        if other is not None and _stays(other, member):
            _drop(member, "kicked" if other.kicked_at else "left", other.name)
            continue
        if other is not None:
            _drop(other, "left", member.name)
        member.user = user
        member.save(update_fields=["user"])
    return rooms


def _stays(account: Member, guest: Member) -> bool:
    """Which of two memberships of one person counts: one who was sent away stays away; then who
    has a seat in the running match, then who is present, then the account's."""
    if account.kicked_at or guest.left_at:
        return True
    if account.left_at:
        return False
    return _is_seated(account) or not _is_seated(guest)


def _is_seated(member: Member) -> bool:
    room = member.room
    held = Player.objects.filter(match=room.match_id, user=member.user_id, gone="", out=False)
    return room.status == Room.Status.PLAYING and held.exists()


def _drop(member: Member, because: str, heir: str) -> None:
    """This one goes, as far as it has not yet, and was nobody's in the end: nothing would find its
    name when the person is erased. What was won stands under the name that stays."""
    room = Room.objects.select_for_update().get(pk=member.room_id)
    if member.left_at is None:
        host = room.host_id
        go(room, member, because)
        if host == member.user_id:
            Room.objects.filter(pk=room.pk).update(host_id=host)  # still this person's title
    anonymize_member(member, heir)


def _seats(guest: User, user: User) -> None:
    for mine in Player.objects.filter(user=guest):
        theirs = Player.objects.filter(match=mine.match_id, user=user).first()
        if theirs is None:
            owners: dict[int, int | None] = {mine.seat: user.pk}
        elif theirs.gone and not mine.gone:
            owners = {theirs.seat: None, mine.seat: user.pk}
        else:
            owners = {mine.seat: None}
        matches.reseat(mine.match_id, owners)
        for nobodys in Player.objects.filter(match=mine.match_id, seat__in=owners, user=None):
            anonymize_player(nobodys)


def _hosted(guest: User, user: User) -> set[int]:
    """The title goes along. Return the rooms."""
    rooms = set(Room.objects.filter(host=guest).values_list("pk", flat=True))
    Room.objects.filter(host=guest).update(host=user)
    return rooms


def _invitations(guest: User, user: User) -> None:
    known = Invitation.objects.filter(user=user).values("room_id")
    Invitation.objects.filter(user=guest).exclude(room_id__in=known).update(user=user)
