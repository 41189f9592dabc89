"""Moderators' actions on rooms and users. Open pages show their effect at once.

These functions run in the writer's thread, inside a command (`moderation.actions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts import sanctions
from accounts.likeness import keys, keys_of, login_key
from accounts.models import Sanction, User
from chat.models import Message
from games.engine import acts, long_jobs, notifications, seat_owners
from games.engine.long_jobs import Kind, Rows, Step
from games.engine.table_policy import policy_of
from games.history.erasure import memberships_of, messages_of, seats_of, unfinished
from games.models import Announcement, LongJob, Member, Player, Room
from games.rooms.members import call, changed, changed_rooms, go
from games.rooms.talking import of_threads

RENAME, SEND_AWAY, UNSAY = "rename", "send away", "unsay"


def close_room(room_id: int, reason: str) -> None:
    """Close a room: end its match without a result, and remove everybody."""
    room = Room.objects.select_for_update().get(pk=room_id)
    _end_match(room)
    room.refresh_from_db()
    room.status, room.empty_since = Room.Status.CLOSED, timezone.now()
    room.members.filter(left_at=None).update(
        left_at=timezone.now(), left_because="closed", left_note=reason
    )
    changed(room)


def end_match(room_id: int, reason: str) -> None:
    """End the running match without a result, and tell the table why."""
    room = Room.objects.select_for_update().get(pk=room_id)
    if room.status == Room.Status.PLAYING:
        _end_match(room)
        say(reason, Announcement.Level.WARNING, room_id, code="ended")


def say(
    text: str,
    level: str,
    room_id: int | None = None,
    until: datetime | None = None,
    code: str = "",
) -> Announcement:
    """Publish an announcement at a table, or to everybody if `room_id` is None."""
    notifications.notify_everybody()
    return Announcement.objects.create(
        text=text, level=level, room_id=room_id, until=until, code=code
    )


def remove_messages(message_ids: Sequence[int]) -> None:
    """Hide these messages from everybody."""
    messages = Message.objects.filter(pk__in=message_ids)
    threads = set(messages.values_list("thread", flat=True))
    messages.update(hidden=True)
    changed_rooms(of_threads(threads))


def remove_all_messages(user_id: int) -> None:
    """Hide every message that this user has written so far."""
    newest = Message.objects.filter(author=user_id).aggregate(newest=Max("pk"))["newest"]
    long_jobs.begin(UNSAY, user_id, until=newest or 0)


def decide(
    user_id: int, kind: str, reason: str, until: datetime | None = None, about: str = ""
) -> Sanction:
    """Warn, mute or ban a user with immediate effect (`accounts.models.Sanction`).

    A banned user is removed from every table.
    """
    decided = sanctions.decide(user_id, kind, reason, until, about)
    if kind == Sanction.Kind.LOCK:
        long_jobs.begin(SEND_AWAY, user_id, reason=reason)
    notifications.notify_everybody()
    return decided


def let_in(user_id: int) -> None:
    """Lift all of this user's mutes and bans."""
    leaving = LongJob.objects.filter(kind__in=("merge", "erase")).values("person")
    people = User.objects.filter(pk=user_id).exclude(pk__in=unfinished())
    people.exclude(pk__in=leaving).update(is_active=True)
    held = sanctions.in_force(user_id, *sanctions.HOLDING)
    held.update(lifted_at=timezone.now())


def take_name(user_id: int, reason: str, worn: str = "") -> str:
    """Rename a user everywhere, and return the new name.

    The user cannot choose any former name again, nor `worn`. At a table where names have
    points, the user is not renamed but leaves. They may join again.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    taken, user.name = names_of(user_id, worn), _given(user)
    user.save(update_fields=["name"])
    Sanction.objects.bulk_create(
        Sanction(user=user, kind=Sanction.Kind.NAME, reason=reason, about=name) for name in taken
    )
    notifications.notify_everybody()
    long_jobs.begin(RENAME, user_id)
    return user.name


def names_of(user_id: int, worn: str = "") -> list[str]:
    """Return every name that this user has chosen, including `worn` and names at tables.

    If several names look alike, only one is returned.
    """
    user = User.objects.get(pk=user_id)
    borne = Member.objects.filter(user=user).order_by("name").values_list("name", flat=True)
    borne = borne.distinct()
    found = {login_key(name): name for name in (worn, *borne, str(user)) if name}
    given = keys_of(_names_given(user))
    return [name for name in found.values() if keys(name).isdisjoint(given)]


def _names_given(user: User) -> list[str]:
    return [f"Player {user.pk}", *(f"Player {user.pk}-{number}" for number in range(2, 20))]


def _given(user: User) -> str:
    """Return the first generated name that nobody else has at this user's tables."""
    rooms = Member.objects.filter(user=user).values("room")
    others = Member.objects.filter(room__in=rooms, left_at=None).exclude(user=user)
    borne = keys_of(others.values_list("name", flat=True))
    return next(name for name in _names_given(user) if keys(name).isdisjoint(borne))


def _tables_to_rename(job: LongJob) -> QuerySet[Member]:
    return memberships_of(job).exclude(name=job.person.name)


def _rename_at_tables(job: LongJob, members: Rows) -> None:
    for member in members:
        room = Room.objects.select_for_update().get(pk=member.room_id)
        take = policy_of(room).take_name
        if take is not None:
            if member.left_at is None:
                go(room, member, "left")
            take(job.person_id, member.name)
        call(room, member, job.person.name)
        if room.match_id is not None:
            seat_owners.rename(room.match_id, job.person_id, job.person.name)
        changed(room)


def _messages_to_rename(job: LongJob) -> QuerySet[Message]:
    return messages_of(job).exclude(name=job.person.name)


def _rename_messages(job: LongJob, messages: Rows) -> None:
    numbers = [message.pk for message in messages]
    Message.objects.filter(pk__in=numbers).update(name=job.person.name)


def _seats_to_rename(job: LongJob) -> QuerySet[Player]:
    return seats_of(job).filter(match__ended_at__isnull=False).exclude(name=job.person.name)


def _rename_seats(job: LongJob, seats: Rows) -> None:
    seat_owners.change_ended(seats, name=job.person.name)


def _tables_to_leave(job: LongJob) -> QuerySet[Member]:
    """Return the memberships that a banned user must end, or none if the ban was lifted."""
    locked = sanctions.in_force(job.person_id, Sanction.Kind.LOCK).values("user_id")
    there = Member.objects.filter(user=job.person_id, left_at=None, user__in=locked)
    return there.order_by("pk")


def _send_away(job: LongJob, members: Rows) -> None:
    for member in members:
        room = Room.objects.select_for_update().get(pk=member.room_id)
        go(room, member, "banned", job.facts["reason"])


def _messages_to_remove(job: LongJob) -> QuerySet[Message]:
    return messages_of(job).filter(hidden=False, pk__lte=job.facts["until"])


def _remove_messages(job: LongJob, messages: Rows) -> None:
    remove_messages([message.pk for message in messages])


def connect() -> None:
    """Register the long jobs of this module."""
    long_jobs.register(
        RENAME,
        Kind(
            [
                Step(_tables_to_rename, _rename_at_tables, most=10),
                Step(_messages_to_rename, _rename_messages, most=200),
                Step(_seats_to_rename, _rename_seats, most=100),
            ]
        ),
    )
    long_jobs.register(SEND_AWAY, Kind([Step(_tables_to_leave, _send_away, most=10)]))
    long_jobs.register(UNSAY, Kind([Step(_messages_to_remove, _remove_messages, most=50)]))


def _end_match(room: Room) -> None:
    if room.status == Room.Status.PLAYING and room.match is not None:
        acts.end_without_result(room.match)
