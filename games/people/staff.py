"""What moderators can do to rooms and people; in force at once in every open page.

These functions run in the writer's thread, within a command (`moderation.actions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from accounts import sanctions
from accounts.likeness import keys, keys_of, login_key
from accounts.models import Sanction, User
from chat.models import Message
from games.engine import acts, matches, notifications
from games.engine.table_policy import policy_of
from games.models import Announcement, Member, Player, Room
from games.people.erasure import unfinished
from games.rooms.members import call, changed, go


def close_room(room_id: int, reason: str) -> None:
    """The match ends without a result, everybody is sent away, the room is closed."""
    room = Room.objects.select_for_update().get(pk=room_id)
    _end_match(room)
    room.refresh_from_db()
    room.status, room.empty_since = Room.Status.CLOSED, timezone.now()
    room.members.filter(left_at=None).update(
        left_at=timezone.now(), left_because="closed", left_note=reason
    )
    changed(room)


def end_match(room_id: int, reason: str) -> None:
    """The running match ends without a result; the table is told why."""
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
    """A word to a table, or to everybody."""
    notifications.notify_house_changed()
    return Announcement.objects.create(
        text=text, level=level, room_id=room_id, until=until, code=code
    )


def remove_messages(message_ids: Sequence[int]) -> None:
    """These messages are not shown any more."""
    messages = Message.objects.filter(pk__in=message_ids)
    threads = set(messages.values_list("thread", flat=True))
    messages.update(hidden=True)
    rooms = [int(thread.partition(":")[2]) for thread in threads if thread.startswith("room:")]
    for room in Room.objects.filter(pk__in=rooms):
        changed(room)


def decide(
    user_id: int, kind: str, reason: str, until: datetime | None = None, about: str = ""
) -> Sanction:
    """Warns, mutes or locks somebody out (`accounts.models.Sanction`); in force at once.

    One who is locked out leaves every table.
    """
    decided = sanctions.decide(user_id, kind, reason, until, about)
    if kind == Sanction.Kind.LOCK:
        for member in Member.objects.filter(user_id=user_id, left_at=None):
            go(Room.objects.select_for_update().get(pk=member.room_id), member, "banned", reason)
    notifications.notify_house_changed()
    return decided


def let_in(user_id: int) -> None:
    """No mute and no lock-out holds this person any more."""
    User.objects.filter(pk=user_id).exclude(pk__in=unfinished()).update(is_active=True)
    held = sanctions.in_force(user_id, *sanctions.HOLDING)
    held.update(lifted_at=timezone.now())


def take_name(user_id: int, reason: str, worn: str = "") -> str:
    """Another name, at once and everywhere; return it. None they had so far comes back, nor the
    one that was `worn`.

    Where names have points of their own, the person leaves instead and may sit down anew.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    taken, user.name = names_of(user_id, worn), _given(user)
    user.save(update_fields=["name"])
    for member in Member.objects.filter(user=user).select_related("room"):
        room = Room.objects.select_for_update().get(pk=member.room_id)
        take = policy_of(room).take_name
        if take is not None:
            if member.left_at is None:
                go(room, member, "left")
            take(user.pk, member.name)
        _rename(room, member, user.name)
    Message.objects.filter(author=user).update(name=user.name)
    Player.objects.filter(user=user, match__ended_at__isnull=False).update(name=user.name)
    for name in taken:
        decide(user_id, Sanction.Kind.NAME, reason, about=name)
    return user.name


def names_of(user_id: int, worn: str = "") -> list[str]:
    """Every name this person chose: their own, those they bear at tables, and one that was `worn`;
    alike ones once.
    """
    user = User.objects.get(pk=user_id)
    borne = Member.objects.filter(user=user).order_by("pk").values_list("name", flat=True)
    found = {login_key(name): name for name in (worn, *borne, str(user)) if name}
    given = keys_of(_names_given(user))
    return [name for name in found.values() if keys(name).isdisjoint(given)]


def _names_given(user: User) -> list[str]:
    return [f"Player {user.pk}", *(f"Player {user.pk}-{number}" for number in range(2, 20))]


def _given(user: User) -> str:
    """The first of the names we give that nobody else bears at a table of this person's."""
    rooms = Member.objects.filter(user=user).values("room")
    others = Member.objects.filter(room__in=rooms, left_at=None).exclude(user=user)
    borne = keys_of(others.values_list("name", flat=True))
    return next(name for name in _names_given(user) if keys(name).isdisjoint(borne))


def _rename(room: Room, member: Member, name: str) -> None:
    call(room, member, name)
    if room.match_id is not None:
        matches.rename(room.match_id, member.user_id, name)
    changed(room)


def _end_match(room: Room) -> None:
    if room.status == Room.Status.PLAYING and room.match is not None:
        acts.end_without_result(room.match)
