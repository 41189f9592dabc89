"""The actions of moderators: each has a reason, is in force at once, and is logged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from chat.models import Message
from games.decks import hide
from games.engine.writer import command
from games.models import Announcement, Deck, Look, Match, Room
from games.people import staff
from games.rules.core import Refused
from moderation.models import Report, StaffAct

Kind = Sanction.Kind
LENGTHS: Mapping[str, Any] = {
    "hour": _("an hour"),
    "day": _("a day"),
    "week": _("a week"),
    "ever": _("forever"),
}
_LASTS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


@dataclass(frozen=True, kw_only=True)
class ActionRequest:
    """Who does something of the staff, why, for how long, and to what (rows by number)."""

    by: int
    reason: str
    until: datetime | None = None
    person: int | None = None
    message: int | None = None
    deck: int | None = None
    room: int | None = None
    level: str = "info"
    name: str = ""
    """What the person was called where it happened, for the action that takes names away."""


@dataclass(frozen=True)
class Action:
    """One thing a moderator can do: its words, what it is done to, which right it takes."""

    label: Any
    to: str
    """The field of an ActionRequest it needs."""
    right: str
    run: Callable[[ActionRequest], str]
    """Does it; returns what it was done with, for the log."""
    lasts: bool = False
    left: Callable[[int], bool] = lambda _row: True
    """Whether there is something left to do it to, in the row of this number."""


def reports_for(by: User) -> QuerySet[Report]:
    """What somebody of the staff reads and decides: about the staff, superusers alone."""
    reports = Report.objects.all()
    return reports if by.is_superuser else reports.exclude(about__is_staff=True)


def until(length: str) -> datetime | None:
    """When a length that begins now ends; None for ever."""
    return timezone.now() + _LASTS[length] if length in _LASTS else None


@command
def do(action: str, request: ActionRequest, settled: Sequence[int] = ()) -> None:
    """Do it, write it down, and settle these reports by it, the first of which is open.

    Raise Refused (hands_off, gone, already_decided, already_done).
    """
    _must_be_there(request)
    by = User.objects.get(pk=request.by)
    _must_be_open(by, settled)
    whom = User.objects.filter(pk=request.person or _owner(request)).first()
    _must_be_theirs(by, whom, action)
    if not ACTIONS[action].left(getattr(request, ACTIONS[action].to)):
        raise Refused("already_done")
    name = str(whom) if whom else ""
    what = ACTIONS[action].run(request)
    _log(by, action, whom, name, what, request)
    _settle(by, action, settled)


@command
def nothing(request: ActionRequest, settled: Sequence[int]) -> None:
    """Reports that need nothing to be done. Raise Refused (hands_off, already_decided)."""
    by = User.objects.get(pk=request.by)
    _must_be_open(by, settled)
    first = Report.objects.get(pk=settled[0])
    _log(by, "nothing", first.about, first.about_name, first.what, request)
    _settle(by, "nothing", settled)


@command
def look(by_id: int, match_id: int, reason: str) -> None:
    """Somebody looks at the secrets of a running match; the table learns of it at the end.

    Raise Refused("own_match") for who plays in it.
    """
    match = Match.objects.get(pk=match_id)
    if match.players.filter(user_id=by_id).exists():
        raise Refused("own_match")
    if match.ended_at is None:
        Look.objects.get_or_create(match=match, reason=reason)
        request = ActionRequest(by=by_id, reason=reason)
        by = User.objects.get(pk=by_id)
        _log(by, "look", None, "", f"match {match.pk} ({match.room.code})", request)


@command
def announce(by_id: int, text: str, level: str, end: datetime | None) -> int:
    """A word to everybody, shown on pages until `end`; return its number."""
    by = User.objects.get(pk=by_id)
    said = staff.say(text, level, until=end)
    _log(by, "say", None, "", "everybody", ActionRequest(by=by_id, reason=text, until=end))
    return said.pk


@command
def retract(by_id: int, announcements: Sequence[int]) -> None:
    """These words are not shown on new pages any more."""
    by = User.objects.get(pk=by_id)
    for said in Announcement.objects.filter(pk__in=announcements):
        Announcement.objects.filter(pk=said.pk).update(until=timezone.now())
        _log(by, "unsay", None, "", said.text, ActionRequest(by=by_id, reason=""))


@command
def note(by_id: int, action: str, what: str, whom_id: int | None = None, reason: str = "") -> None:
    """Something the staff has done by other ways, for the log."""
    by, whom = User.objects.get(pk=by_id), User.objects.filter(pk=whom_id or 0).first()
    _log(by, action, whom, str(whom or ""), what, ActionRequest(by=by_id, reason=reason))


def _decide(kind: str) -> Callable[[ActionRequest], str]:
    def run(request: ActionRequest) -> str:
        assert request.person is not None
        staff.decide(request.person, kind, request.reason, request.until)
        return ""

    return run


def _let_in(request: ActionRequest) -> str:
    assert request.person is not None
    staff.let_in(request.person)
    return ""


def _take_name(request: ActionRequest) -> str:
    assert request.person is not None
    before = ", ".join(staff.names_of(request.person, request.name))
    return f"{before} → {staff.take_name(request.person, request.reason, request.name)}"


def _remove(request: ActionRequest) -> str:
    assert request.message is not None
    message = Message.objects.get(pk=request.message)
    staff.remove_messages([message.pk])
    if message.author_id is not None:
        staff.decide(message.author_id, Kind.MESSAGE, request.reason, about=message.text)
    return message.text


def _take_out(request: ActionRequest) -> str:
    assert request.deck is not None
    deck = Deck.objects.get(pk=request.deck)
    hide(deck.pk, True)
    staff.decide(deck.owner_id, Kind.DECK, request.reason, about=deck.name)
    return deck.slug


def _put_back(request: ActionRequest) -> str:
    assert request.deck is not None
    hide(request.deck, False)
    return Deck.objects.get(pk=request.deck).slug


def _close(request: ActionRequest) -> str:
    assert request.room is not None
    staff.close_room(request.room, request.reason)
    return str(Room.objects.get(pk=request.room))


def _end(request: ActionRequest) -> str:
    assert request.room is not None
    staff.end_match(request.room, request.reason)
    return str(Room.objects.get(pk=request.room))


def _say(request: ActionRequest) -> str:
    assert request.room is not None
    staff.say(request.reason, request.level, request.room)
    return str(Room.objects.get(pk=request.room))


def _is_named(user_id: int) -> bool:
    """Whether this person is still called as they chose to be."""
    return bool(staff.names_of(user_id))


def _is_left(rows: QuerySet[Any]) -> Callable[[int], bool]:
    return lambda pk: rows.filter(pk=pk).exists()


PEOPLE, ROOMS = "accounts.add_sanction", "games.change_room"
MESSAGES, DECKS = "chat.change_message", "games.change_deck"
_shown = _is_left(Message.objects.filter(hidden=False))
_in, _out = (_is_left(Deck.objects.filter(hidden=hidden)) for hidden in (False, True))
_playing = _is_left(Room.objects.filter(status=Room.Status.PLAYING))
_there = _is_left(Room.objects.exclude(status=Room.Status.CLOSED))
ACTIONS: Mapping[str, Action] = {
    "warn": Action(_("Warn, until it is read"), "person", PEOPLE, _decide(Kind.WARNING)),
    "mute": Action(_("Mute in every chat"), "person", PEOPLE, _decide(Kind.MUTE), lasts=True),
    "lock": Action(_("Lock out of the site"), "person", PEOPLE, _decide(Kind.LOCK), lasts=True),
    "rename": Action(_("Take the name away"), "person", PEOPLE, _take_name, left=_is_named),
    "let_in": Action(_("Lift mutes and lock-outs"), "person", PEOPLE, _let_in),
    "remove": Action(_("Remove the message"), "message", MESSAGES, _remove, left=_shown),
    "take_out": Action(_("Take the deck out"), "deck", DECKS, _take_out, left=_in),
    "put_back": Action(_("Put the deck back"), "deck", DECKS, _put_back, left=_out),
    "end": Action(_("End the match without a result"), "room", ROOMS, _end, left=_playing),
    "close": Action(_("Close the table for everybody"), "room", ROOMS, _close, left=_there),
    "tell": Action(_("Say something to the table"), "room", ROOMS, _say, left=_there),
}


def _owner(request: ActionRequest) -> int:
    """Whom it concerns that something is done to a message or a deck."""
    if request.message is not None:
        return Message.objects.values_list("author_id", flat=True).get(pk=request.message) or 0
    if request.deck is not None:
        return Deck.objects.values_list("owner_id", flat=True).get(pk=request.deck)
    return 0


def _must_be_open(by: User, settled: Sequence[int]) -> None:
    """Of two moderators who decide a report at the same time, one does it."""
    if reports_for(by).filter(pk__in=settled).count() < len(settled):
        raise Refused("hands_off")
    open_ = Report.objects.select_for_update().filter(pk__in=settled[:1], decided_at=None)
    if settled and open_.first() is None:
        raise Refused("already_decided")


def _must_be_there(request: ActionRequest) -> None:
    """Between looking at something and doing something about it, it may have gone."""
    for model, number in (
        (User, request.person),
        (Message, request.message),
        (Deck, request.deck),
        (Room, request.room),
    ):
        if number is not None and not model._default_manager.filter(pk=number).exists():
            raise Refused("gone")


def _must_be_theirs(by: User, whom: User | None, action: str) -> None:
    """Nobody decides about themselves, and only superusers about the staff."""
    if whom is None or ACTIONS[action].to != "person":
        return
    if whom.pk == by.pk or (whom.is_staff and not by.is_superuser):
        raise Refused("hands_off")


def _settle(by: User, action: str, reports: Sequence[int]) -> None:
    open_ = Report.objects.filter(pk__in=reports, decided_at=None)
    open_.update(decided_at=timezone.now(), decided_by=by, decision=action)


def _log(
    by: User, action: str, whom: User | None, name: str, what: str, request: ActionRequest
) -> None:
    StaffAct.objects.create(
        by=by,
        by_name=by.username,
        action=action,
        whom=whom,
        whom_name=name,
        what=what[:500],
        reason=request.reason,
        until=request.until,
    )
