"""Receive reports from tables and from deck pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from accounts import limits
from accounts.limits import Asker, TooOften
from accounts.models import User
from chat.messages import BadMessage, plain
from chat.models import Message
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine.writer import Pending, command
from games.models import Match, Member, Room
from games.rooms.authorization import carries_out, prepares
from games.rooms.decks import visible
from games.tables.loading import load
from games.tables.report_reasons import REASONS
from games.wire import commands
from moderation.models import Report

AN_HOUR = timedelta(hours=1)
PER_HOUR = 10
AROUND = 5
"""Number of messages stored before and after the reported one."""
LONGEST_NOTE = 300

Json = dict[str, Any]


@carries_out(commands.Report)
def _from_table(room: Room, member: Member, what: str, which: str, reason: str, note: str) -> None:
    """Store a report from a table. Raise Ignored or Refused if it is not accepted."""
    assert member.user_id is not None
    if what == Report.Kind.MESSAGE:
        message = _message(room.pk, member.user_id, which)
        _of_message(member.user_id, room, message, reason, note)
    else:
        _of_person(member.user_id, room, what, which, reason, note)


@prepares(commands.Report)
def from_table(
    room_id: int, user_id: int, what: str, which: str, reason: str, note: str = ""
) -> Pending[None]:
    """Report a message, or a member of the same table.

    Raise Refused with code `too_many_reports` or `bad_note`.
    """
    return _from_table(room_id, user_id, what, which, reason, _cleaned(user_id, note))


def of_deck(user_id: int, slug: str, reason: str, note: str) -> Pending[None]:
    """Report a deck. Raise Refused with code `too_many_reports` or `bad_note`."""
    return _of_deck(user_id, slug, reason, _cleaned(user_id, note))


def _cleaned(user_id: int, note: str) -> str:
    """Count the report against the limit, and return the cleaned note."""
    try:
        limits.take("reports", Asker(user_id))
        return plain(note, LONGEST_NOTE)
    except TooOften:
        raise Refused("too_many_reports", most=PER_HOUR) from None
    except BadMessage:
        raise Refused("bad_note", most=LONGEST_NOTE) from None


def _of_message(user_id: int, room: Room, message: Message, reason: str, note: str) -> None:
    """Report a message, with the messages around it."""
    _report(
        user_id,
        reason,
        note,
        kind=Report.Kind.MESSAGE,
        what=message.text,
        about_id=message.author_id,
        about_name=message.name,
        room=room,
        match=Match.objects.filter(pk=message.chapter or 0).first(),
        message=message,
        context=_around(message),
    )


def _of_person(user_id: int, room: Room, kind: str, name: str, reason: str, note: str) -> None:
    """Report the name or behaviour of a member, with the last messages at the table."""
    if kind not in (Report.Kind.NAME, Report.Kind.BEHAVIOUR):
        raise Ignored
    people = Member.objects.filter(room=room, user__isnull=False).exclude(user_id=user_id)
    other = people.filter(name=name).order_by("-joined_at").first()
    if other is None:
        raise Ignored
    _report(
        user_id,
        reason,
        note,
        kind=kind,
        what=other.name,
        about_id=other.user_id,
        about_name=other.name,
        room=room,
        match=room.match,
        context=_said_lately(room, other.user_id),
    )


def _said_lately(room: Room, about_id: int | None) -> list[Json]:
    """Return the last messages at a table. Mark those by the user `about_id`."""
    said = Message.objects.filter(thread=rooms.thread(room.pk)).order_by("-pk")[: 2 * AROUND]
    return [_line(message, about_id) for message in list(said)[::-1]]


def on_removed(sender: Any, room: Room, member: Member, by: int, **more: Any) -> None:
    """Report a member whom the table has voted to remove, with the last messages at the table."""
    asked = Member.objects.filter(pk=by).first()
    Report.objects.create(
        kind=Report.Kind.BEHAVIOUR,
        reason="other",
        note=gettext("Removed by a vote of the table."),
        what=member.name,
        by_id=asked.user_id if asked is not None else None,
        by_name=asked.name if asked is not None else "",
        about_id=member.user_id,
        about_name=member.name,
        room=room,
        match=room.match,
        context=_said_lately(room, member.user_id),
    )


@command
def _of_deck(user_id: int, slug: str, reason: str, note: str) -> None:
    """Report a deck that the user can see but does not own."""
    deck = visible(user_id).filter(slug=slug).exclude(owner_id=user_id).first()
    if deck is None:
        raise Ignored
    _report(
        user_id,
        reason,
        note,
        kind=Report.Kind.DECK,
        what=deck.name,
        about_id=deck.owner_id,
        about_name=str(deck.owner),
        deck=deck,
    )


def _report(user_id: int, reason: str, note: str, **of: Any) -> None:
    """Store a report, unless the same report is already open.

    Raise Ignored for an unknown reason or a report about oneself. Raise Refused("too_many_reports")
    if the hourly limit is reached.
    """
    if reason not in REASONS or of["about_id"] == user_id:
        raise Ignored
    since = timezone.now() - AN_HOUR
    if Report.objects.filter(by=user_id, at__gt=since).count() >= PER_HOUR:
        raise Refused("too_many_reports", most=PER_HOUR)
    same = {name: of.get(name) for name in ("kind", "about_id", "room", "message", "deck")}
    if Report.objects.filter(by=user_id, decided_at=None, **same).exists():
        return
    by = User.objects.get(pk=user_id)
    Report.objects.create(by=by, by_name=str(by), reason=reason, note=note, **of)


def _message(room_id: int, user_id: int, number: str) -> Message:
    """Return a message of this table that the user can see. Raise Ignored if there is none."""
    table = load(room_id)
    shown = {str(message.pk): message for message in table.in_chat(user_id)}
    if table.member(user_id) is None or number not in shown:
        raise Ignored
    return shown[number]


def _around(message: Message) -> list[Json]:
    thread = Message.objects.filter(thread=message.thread)
    before = list(thread.filter(pk__lt=message.pk).order_by("-pk")[:AROUND])
    after = list(thread.filter(pk__gt=message.pk).order_by("pk")[:AROUND])
    lines = [_line(one, None) for one in (*before[::-1], message, *after)]
    lines[len(before)]["reported"] = True
    return lines


def _line(message: Message, about_id: int | None) -> Json:
    return {
        "person": message.author_id,
        "name": message.name,
        "text": message.text,
        "at": message.at.isoformat(timespec="seconds"),
        "reported": about_id is not None and message.author_id == about_id,
    }
