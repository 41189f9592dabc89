"""Erase a user: anonymize seats and messages, delete decks and the account, keep matches.

The account is closed first. Then the data is erased in portions (`games.engine.long_jobs`), and the
user's row is deleted last.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import CASCADE, F, Model, QuerySet
from django.utils import timezone

from accounts.likeness import looks_key
from accounts.models import RegistrationLink, User
from accounts.names import FORMER
from chat.models import Message
from games import rooms
from games.contract.core import Refused
from games.engine import long_jobs, seat_owners
from games.engine.long_jobs import Kind, Rows, Step
from games.engine.table_policy import TablePolicy, policy_of
from games.engine.writer import command
from games.models import (
    Announcement,
    LongJob,
    Member,
    Player,
    Program,
    ProgramVersion,
    Room,
    UdpName,
)
from games.rooms import mixing
from games.rooms.members import call, changed_rooms, ensure_host, go

ERASE = "erase"
FOREVER = float("inf")
_GOING = "gone-"


def erase(user_id: int) -> None:
    """Erase a user, and block until everything is erased. Raise Refused("staff_stay") for staff.

    Do not call it in an event loop. Open pages of the user's tables are updated at once.
    """
    finish(user_id)
    end_sessions_of_nobody()


def begin(user_id: int) -> int:
    """Erase a user as far as a time limit allows. Return the number of rows left to erase."""
    start(user_id).result()
    end_sessions({user_id})
    return long_jobs.work(user_id)


def finish(user_id: int) -> None:
    """Erase a user completely, except for sessions, which are no longer valid."""
    programs = list(_accounts_of_programs(user_id))
    start(user_id).result()
    for person_id in (*programs, user_id):
        long_jobs.work(person_id, seconds=FOREVER)


def unfinished() -> QuerySet[User]:
    """Users whose erasure has begun but has not finished."""
    return User.objects.filter(is_active=False, username__startswith=_GOING, name=FORMER)


@command
def delete_program(owner_id: int, program_id: int) -> None:
    """Delete a program of a user, and erase the accounts of its versions.

    Raise Refused("gone") if the user has no such program.
    """
    program = Program.objects.filter(pk=program_id, owner=owner_id).first()
    if program is None:
        raise Refused("gone")
    for version in program.versions.all():
        close(version.user_id)
    _forget_entries(Program.objects.filter(pk=program_id))
    _forget_entries(program.versions.all())
    program.delete()


@command
def start(user_id: int) -> None:
    """Close the account and erase the first portion. Raise Refused("staff_stay") for staff."""
    close(user_id)
    long_jobs.begin(ERASE, user_id)


def close(user_id: int) -> None:
    """Close the account: remove name, password and tokens. Call it inside a command.

    Guests who are still being merged into the account are erased as well, and so are the accounts
    of its programs.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_staff or user.is_superuser:
        raise Refused("staff_stay")
    if not user.is_guest:
        said = Announcement.objects.filter(room=None, person=None, at__gte=user.date_joined)
        for name in {user.name, user.username} - {""}:
            _take_out(said, name)
    user.is_active, user.name, user.email = False, FORMER, ""
    user.username = f"{_GOING}{secrets.token_hex(8)}"
    user.set_unusable_password()
    user.save()
    for found in (user.tokens.all(), EmailAddress.objects.filter(user=user)):
        _forget_entries(found)
        found.delete()
    long_jobs.ask(ERASE, user_id)
    for merging in LongJob.objects.filter(kind="merge", facts__into=user_id):
        close(merging.person_id)
        merging.delete()
    for program_id in list(_accounts_of_programs(user_id)):
        close(program_id)


def _accounts_of_programs(user_id: int) -> Iterable[int]:
    """Return the ids of the accounts of this user's programs on the ladder."""
    versions = ProgramVersion.objects.filter(program__owner=user_id)
    return versions.values_list("user", flat=True)


def end_sessions(user_ids: set[int]) -> None:
    """Delete the sessions of these users."""
    _end_sessions_if(lambda person: person in user_ids)


def end_sessions_of_nobody() -> None:
    """Delete the sessions of users who no longer exist."""
    known = set(User.objects.values_list("pk", flat=True))
    _end_sessions_if(lambda person: person not in known)


def _end_sessions_if(ends: Callable[[int], bool]) -> None:
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        person = session.get_decoded().get(SESSION_KEY)
        if person is not None and ends(int(person)):
            session.delete()


def memberships_of(job: LongJob) -> QuerySet[Member]:
    """Return the user's memberships, starting with rooms in which the user is present."""
    found = Member.objects.filter(user=job.person_id).select_related("room")
    return found.order_by(F("left_at").asc(nulls_first=True), "pk")


def _erase_memberships(job: LongJob, members: Rows) -> None:
    for member in members:
        if member.left_at is None:
            go(Room.objects.select_for_update().get(pk=member.room_id), member, "left")
        anonymize_member(member)
    room_ids = {member.room_id for member in members}
    for room in Room.objects.filter(pk__in=room_ids, host=job.person_id):
        ensure_host(room)
        room.save(update_fields=["host", "empty_since"])
    changed_rooms(room_ids)


def seats_of(job: LongJob) -> QuerySet[Player]:
    """Return the user's seats in all matches, without the states of the matches."""
    return (
        Player.objects.filter(user=job.person_id)
        .select_related("match__room")
        .defer("match__state")
        .order_by("pk")
    )


def _erase_seats(job: LongJob, seats: Rows) -> None:
    """Anonymize seats. Seats of finished matches are changed in bulk."""
    names = _names_in([seat.match_id for seat in seats])
    over: dict[str, list[Player]] = {}
    for seat in seats:
        name = _anonymous_name(seat, seat.match.room, names[seat.match_id])
        names[seat.match_id].add(name)
        if seat.match.ended_at is not None:
            over.setdefault(name, []).append(seat)
        else:
            seat_owners.anonymize(seat.match_id, seat.seat, name)
    for name, together in over.items():
        seat_owners.change_ended(together, user=None, name=name)
    changed_rooms({seat.match.room_id for seat in seats})


def messages_of(job: LongJob) -> QuerySet[Message]:
    """Return the user's messages in all chats, oldest first."""
    return Message.objects.filter(author=job.person_id).order_by("pk")


def _erase_messages(job: LongJob, messages: Rows) -> None:
    """Hide these messages and empty their text."""
    found = Message.objects.filter(pk__in=[message.pk for message in messages])
    _forget_entries(found)
    found.update(author=None, name=FORMER, text="", claim=None, hidden=True)
    changed_rooms(rooms.of_threads(message.thread for message in messages))


def _belongings() -> Iterator[Step]:
    """Yield a step for each model whose rows are deleted with the user."""
    for relation in User._meta.related_objects:
        model, field = relation.related_model, relation.field.name
        if relation.on_delete is CASCADE and model is not LongJob:
            yield Step(partial(_belonging, model, field), _delete_belongings, most=100)


def _belonging(model: type[Model], field: str, job: LongJob) -> QuerySet[Any]:
    return model._base_manager.filter(**{field: job.person_id}).order_by("pk")


def _delete_belongings(job: LongJob, rows: Rows) -> None:
    found = type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows])
    _forget_entries(found)
    found.delete()


def _remove(job: LongJob) -> None:
    """Delete the user, the user's name at the UDP table, and staff notes about the user."""
    UdpName.objects.filter(user=job.person_id).delete()
    links = RegistrationLink.objects.filter(used_by=job.person_id)
    _forget_entries(links)
    links.update(note="")
    person = User.objects.filter(pk=job.person_id)
    _forget_entries(person)
    person.delete()


STEPS = [
    Step(memberships_of, _erase_memberships, most=10),
    Step(seats_of, _erase_seats, most=20),
    Step(messages_of, _erase_messages, most=100),
]
"""Steps of an erasure. Apps that store more about users insert their steps at the front."""


def connect() -> None:
    """Register erasures as long jobs."""
    STEPS.extend(_belongings())
    long_jobs.register(ERASE, Kind(STEPS, _remove))


def anonymize_member(member: Member, heir: str = FORMER) -> None:
    """Anonymize a membership. Points won under its name are credited to `heir`."""
    room = Room.objects.select_for_update().get(pk=member.room_id)
    forget_name(room, member.name)
    mixing.forget(room, member.name)
    call(room, member, heir)
    room.save(update_fields=["standings", "mixing"])
    member.user, member.name, member.key = None, FORMER, looks_key(FORMER)
    member.left_note = member.says_was = ""
    member.save(update_fields=["user", "name", "key", "left_note", "says_was"])


def forget_name(room: Room, name: str) -> None:
    """Remove a name from a table's announcements, and from members who claim that it was theirs."""
    Member.objects.filter(room=room, says_was=name).update(says_was="")
    _take_out(Announcement.objects.filter(room=room), name)


def _take_out(announcements: QuerySet[Announcement], name: str) -> None:
    """Replace a name in announcements with FORMER."""
    told = announcements.filter(text__contains=name)
    alone = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for announcement in told:
        announcement.text = alone.sub(FORMER, announcement.text)[:300]
    Announcement.objects.bulk_update(told, ["text"])


def anonymize_player(player: Player) -> None:
    """Anonymize the name of a seat that no user owns."""
    room = Room.objects.get(matches=player.match_id)
    name = _anonymous_name(player, room, _names_in([player.match_id])[player.match_id])
    seat_owners.anonymize(player.match_id, player.seat, name)


def _names_in(match_ids: list[int]) -> dict[int, set[str]]:
    """Return the names of the players in each of these matches."""
    names: dict[int, set[str]] = {match_id: set() for match_id in match_ids}
    seats = Player.objects.filter(match__in=match_ids)
    for match_id, name in seats.values_list("match_id", "name"):
        names[match_id].add(name)
    return names


def _anonymous_name(player: Player, room: Room, taken: set[str]) -> str:
    """Choose an anonymous name for a player.

    Remove the old name from data outside the log of the match.
    """
    policy = policy_of(room)
    name = free_name(taken, policy)
    forget_name(room, player.name)
    policy.anonymize(player.match_id, player.name, name)
    return name


def free_name(taken: set[str], policy: TablePolicy) -> str:
    """Return an anonymous name that is not taken, in the form that the table uses."""
    numbered = (f"{FORMER} {number}" for number in range(2, len(taken) + 3))
    names = (policy.person_name(name) for name in (FORMER, *numbered))
    return next(name for name in names if name not in taken)


def _forget_entries(found: QuerySet[Any]) -> None:
    """Anonymize the entries about these rows in the admin site's log."""
    numbers = [str(number) for number in found.values_list("pk", flat=True)]
    kind = ContentType.objects.get_for_model(found.model)
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=numbers)
    entries.update(object_repr=FORMER)
