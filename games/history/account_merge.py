"""Merge a guest into an account when the guest logs in.

If both have a membership at one table, or a seat in one match, one of them is kept. Tables where
the guest is present come first. Then older data follows, in portions.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from accounts import mutes_and_blocks
from accounts.models import MuteOrBlock, PushSubscription, Sanction, Token, User
from chat.models import Message
from games.contract.core import Ignored
from games.engine import long_jobs, seat_owners
from games.engine.long_jobs import Kind, Rows, Step
from games.engine.writer import command
from games.history import tallies
from games.history.erasure import (
    anonymize_member,
    anonymize_player,
    memberships_of,
    messages_of,
    seats_of,
)
from games.models import (
    Announcement,
    Deck,
    Invitation,
    LongJob,
    Member,
    Player,
    Room,
    Seek,
    UdpName,
)
from games.rooms.members import changed, ensure_host, go

MERGE, SHOW = "merge", "show"


@command
def merge_accounts(guest_id: int, user_id: int) -> None:
    """Move seats, matches, decks, tokens, invitations, messages and points to an account.

    The guest can no longer log in. Its row is deleted after everything was moved
    (`games.engine.long_jobs`). Raise Ignored if there is no such guest or account.
    """
    here = User.objects.select_for_update().filter(is_active=True)  # not users being erased
    guest = here.filter(pk=guest_id, is_guest=True).first()
    user = here.filter(pk=user_id, is_guest=False).first()
    if guest is None or user is None:
        raise Ignored
    guest.is_active = False
    guest.save(update_fields=["is_active"])
    Token.objects.filter(user=guest).update(user=user)
    PushSubscription.objects.filter(user=guest).update(user=user)
    Sanction.objects.filter(user=guest).update(user=user)
    Player.objects.filter(owner_before=guest).update(owner_before=user)
    Announcement.objects.filter(person=guest).update(person=user)
    known = list(Seek.objects.filter(user=user).values_list("game", flat=True))
    Seek.objects.filter(user=guest).exclude(game__in=known).update(user=user)
    UdpName.objects.filter(user=guest).update(user=user)
    Deck.objects.filter(owner=guest).update(owner=user)
    long_jobs.begin(MERGE, guest.pk, into=user.pk)


@command
def show_registered(user_id: int) -> None:
    """Update the tables of a guest who has just registered."""
    long_jobs.begin(SHOW, user_id, after=0)


def on_return(sender: Any, guest: User, user: User, **_: Any) -> int:
    """Merge a guest who logs in (`accounts.signals.returned`).

    Return the number of rows that are still to be merged.
    """
    merge_accounts(guest.pk, user.pk).result()
    return long_jobs.work(guest.pk)


def on_registered(sender: Any, user: User, **_: Any) -> None:
    """Handle `accounts.signals.registered`: a guest has registered."""
    show_registered(user.pk)


def into(job: LongJob) -> int:
    """Return the id of the account into which this job merges a guest."""
    return int(job.facts["into"])


def _merge_memberships(job: LongJob, members: Rows) -> None:
    """Move the guest's memberships to the account.

    Each moves together with its seat and, if the guest is host there, the role of host.
    """
    rooms = set()
    for member in members:
        if _merge_membership(member, into(job)):
            rooms.add(member.room_id)
        if member.room.match_id is not None:
            _merge_seats(job, Player.objects.filter(match=member.room.match_id, user=job.person_id))
        _merge_titles(job, [member.room])
        if member.room.host_id == job.person_id:
            rooms.add(member.room_id)
    for room in Room.objects.select_for_update().filter(pk__in=rooms):
        ensure_host(room)
        changed(room)


def _merge_membership(member: Member, user_id: int) -> bool:
    """Move a guest's membership to an account, or drop one of the two if the account has one, too.

    Return whether the guest was in the room.
    """
    was_present = member.left_at is None
    other = Member.objects.filter(room=member.room_id, user=user_id).first()
    if other is not None and other.left_at and member.kicked_at:
        other.kicked_at = other.kicked_at or member.kicked_at
        other.save(update_fields=["kicked_at"])
    if other is not None and _stays(other, member):
        _drop(member, "kicked" if other.kicked_at else "left", other.name)
        return was_present
    if other is not None:
        _drop(other, "left", member.name)
    member.user_id = user_id
    member.save(update_fields=["user"])
    return was_present


def _stays(account: Member, guest: Member) -> bool:
    """Whether to keep the account's membership rather than the guest's.

    Compare who was kicked, who has left, and who has a seat in the running match, in this order.
    If all are equal, keep the account's membership.
    """
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
    """End and anonymize a membership, because no later erasure would find its name.

    Its points are credited to the name that is kept.
    """
    room = Room.objects.select_for_update().get(pk=member.room_id)
    if member.left_at is None:
        host = room.host_id
        go(room, member, because)
        if host == member.user_id:
            Room.objects.filter(pk=room.pk).update(host_id=host)  # the user is still the host
    anonymize_member(member, heir)


def _merge_seats(job: LongJob, seats: Rows | QuerySet[Player]) -> None:
    theirs = Player.objects.filter(user=into(job), match__in=[one.match_id for one in seats])
    held = {one.match_id: one for one in theirs}
    over = [one for one in seats if one.match.ended_at and one.match_id not in held]
    seat_owners.change_ended(over, user_id=into(job))
    for mine in (one for one in seats if one not in over):
        _merge_seat(mine, held.get(mine.match_id), into(job))


def _merge_seat(mine: Player, theirs: Player | None, user_id: int) -> None:
    if theirs is None:
        owners: dict[int, int | None] = {mine.seat: user_id}
    elif theirs.gone and not mine.gone:
        owners = {theirs.seat: None, mine.seat: user_id}
    else:
        owners = {mine.seat: None}
    seat_owners.reseat(mine.match_id, owners)
    for nobodys in Player.objects.filter(match=mine.match_id, seat__in=owners, user=None):
        anonymize_player(nobodys)


def _hosted(job: LongJob) -> QuerySet[Room]:
    return Room.objects.filter(host=job.person_id).order_by("pk")


def _merge_titles(job: LongJob, rooms: Rows) -> None:
    hosted = Room.objects.filter(pk__in=[room.pk for room in rooms], host=job.person_id)
    hosted.update(host=into(job))


def _invitations(job: LongJob) -> QuerySet[Invitation]:
    return Invitation.objects.filter(user=job.person_id).order_by("pk")


def _merge_invitations(job: LongJob, invitations: Rows) -> None:
    asked = Invitation.objects.filter(pk__in=[one.pk for one in invitations])
    known = Invitation.objects.filter(user=into(job), room__in=[one.room_id for one in invitations])
    asked.filter(room__in=list(known.values_list("room", flat=True))).delete()
    asked.update(user=into(job))


def _merge_messages(job: LongJob, messages: Rows) -> None:
    Message.objects.filter(pk__in=[one.pk for one in messages]).update(author=into(job))


def _distances(job: LongJob) -> QuerySet[MuteOrBlock]:
    mine = Q(user=job.person_id) | Q(other=job.person_id)
    return MuteOrBlock.objects.filter(mine).order_by("pk")


def _merge_distances(job: LongJob, kept: Rows) -> None:
    mutes_and_blocks.move(kept, job.person_id, into(job))


def _remove_guest(job: LongJob) -> None:
    User.objects.filter(pk=job.person_id).delete()
    tallies.ask_recount(into(job))


def _tables_to_show(job: LongJob) -> QuerySet[Room]:
    present = Member.objects.filter(user=job.person_id, left_at=None).values("room_id")
    rooms = Room.objects.select_for_update().filter(pk__in=present, pk__gt=job.facts["after"])
    return rooms.order_by("pk")


def _show_tables(job: LongJob, rooms: Rows) -> None:
    for room in rooms:
        changed(room)
    job.facts["after"] = rooms[-1].pk


STEPS = [
    Step(memberships_of, _merge_memberships, most=10),
    Step(seats_of, _merge_seats, most=20),
    Step(_hosted, _merge_titles, most=100),
    Step(_invitations, _merge_invitations, most=100),
    Step(messages_of, _merge_messages, most=200),
    Step(_distances, _merge_distances, most=20),
]
"""Steps of a merge. Apps that store more about users add their own steps."""


def connect() -> None:
    """Register the long jobs of this module."""
    long_jobs.register(MERGE, Kind(STEPS, _remove_guest))
    long_jobs.register(SHOW, Kind([Step(_tables_to_show, _show_tables, most=20)]))
