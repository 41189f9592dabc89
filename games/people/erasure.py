"""Erase somebody: seats and words are anonymized, decks and the row itself go, matches stay.

In steps, each in the writer: first nobody can come back as this person, then the past is gone
through in portions that keep nobody waiting, last the row goes. Who was interrupted half-way
(`unfinished`) is finished by `games.people.retention`.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Model, QuerySet
from django.utils import timezone

from accounts.likeness import looks_key
from accounts.models import RegistrationLink, User
from accounts.names import FORMER
from accounts.signals import erased
from chat.models import Message
from games import rooms
from games.engine import matches
from games.engine.table_policy import TablePolicy, policy_of
from games.engine.writer import command
from games.models import Member, Player, Room, UdpName
from games.rooms.members import call, changed, ensure_host, go
from games.rules.core import Refused

AT_ONCE = 20
_GOING = "gone-"


def erase(user_id: int) -> None:
    """Remove somebody for good; return when it is done. Raise Refused("staff_stay").

    Not in an event loop. Who looks at a table of theirs is shown it at once.
    """
    begin_and_finish(user_id)
    end_sessions({user_id})


def begin_and_finish(user_id: int) -> None:
    """All but the sessions, which are looked for one by one: for many people, once is enough.

    They let nobody in any more, since there is nobody whose they are.
    """
    deactivate(user_id).result()
    while clear_some(user_id).result():
        pass
    remove(user_id).result()


def unfinished() -> QuerySet[User]:
    """People whose erasure was interrupted."""
    return User.objects.filter(is_active=False, username__startswith=_GOING, name=FORMER)


@command
def deactivate(user_id: int) -> None:
    """Nobody can be this person any more: no name, no password, no token, no seat."""
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_staff or user.is_superuser:
        raise Refused("staff_stay")
    user.is_active, user.name, user.email = False, FORMER, ""
    user.username = f"{_GOING}{secrets.token_hex(8)}"
    user.set_unusable_password()
    user.save()
    user.tokens.all().delete()
    EmailAddress.objects.filter(user=user).delete()
    for member in Member.objects.filter(user=user, left_at=None):
        go(Room.objects.select_for_update().get(pk=member.room_id), member, "left")


@command
def clear_some(user_id: int) -> int:
    """One portion of the past; return how much of it there was, 0 when nothing is left."""
    members = list(Member.objects.filter(user_id=user_id).order_by("pk")[:AT_ONCE])
    players = list(Player.objects.filter(user_id=user_id).order_by("pk")[:AT_ONCE])
    said = Message.objects.filter(author_id=user_id).order_by("pk")
    words = dict(said.values_list("pk", "thread")[: AT_ONCE * 10])
    for member in members:
        anonymize_member(member)
    for player in players:
        anonymize_player(player)
    _retract(list(words))
    touched = {member.room_id for member in members} | rooms.of_threads(words.values())
    touched |= set(Room.objects.filter(matches__players__in=players).values_list("pk", flat=True))
    for room in Room.objects.select_for_update().filter(pk__in=touched):
        ensure_host(room)
        changed(room)
    return len(members) + len(players) + len(words)


@command
def remove(user_id: int) -> None:
    """The row itself, and what hangs on it: decks, invitations, a name at the UDP table."""
    user = User.objects.get(pk=user_id)
    erased.send(User, user=user)
    UdpName.objects.filter(user=user).delete()
    links = RegistrationLink.objects.filter(used_by=user)
    _entries(RegistrationLink, links.values_list("pk", flat=True)).update(object_repr=FORMER)
    links.update(note="")
    _entries(User, [user_id]).update(object_repr=FORMER)
    user.delete()


def end_sessions(user_ids: Collection[int]) -> None:
    """What is stored of every browser in which one of these people was logged in goes."""
    theirs = {str(user_id) for user_id in user_ids}
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") in theirs:
            session.delete()


def anonymize_member(member: Member, heir: str = FORMER) -> None:
    """A membership that is nobody's now; what was won under its name stands under the heir's."""
    room = Room.objects.select_for_update().get(pk=member.room_id)
    call(room, member, heir)
    room.save(update_fields=["standings"])
    member.user, member.name, member.key = None, FORMER, looks_key(FORMER)
    member.left_note = ""
    member.save(update_fields=["user", "name", "key", "left_note"])


def anonymize_player(player: Player) -> None:
    """A seat that is nobody's now."""
    taken = set(Player.objects.filter(match=player.match_id).values_list("name", flat=True))
    policy = policy_of(Room.objects.get(matches=player.match_id))
    name = free_name(taken, policy)
    policy.anonymize(player.match_id, player.name, name)
    matches.anonymize(player.match_id, player.seat, name)


def free_name(taken: set[str], policy: TablePolicy) -> str:
    """The name as it is written at that table, numbered where somebody in the match has it."""
    numbered = (f"{FORMER} {number}" for number in range(2, len(taken) + 3))
    names = (policy.person_name(name) for name in (FORMER, *numbered))
    return next(name for name in names if name not in taken)


def _retract(numbers: list[int]) -> None:
    """These messages are shown to nobody any more, and say nothing."""
    _entries(Message, numbers).update(object_repr=FORMER)
    Message.objects.filter(pk__in=numbers).update(
        author=None, name=FORMER, text="", claim=None, hidden=True
    )


def _entries(model: type[Model], numbers: Iterable[int]) -> QuerySet[LogEntry]:
    """What the log of staff says about these rows."""
    kind = ContentType.objects.get_for_model(model)
    return LogEntry.objects.filter(content_type=kind, object_id__in=map(str, numbers))
