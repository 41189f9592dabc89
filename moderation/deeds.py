"""What moderators do. Each deed has a reason, is in force at once, and stands in the log."""

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
from games import staff
from games.decks import hide
from games.models import Announcement, Deck, Look, Match, Room
from games.rules.core import Refused
from games.writer import door
from moderation.models import Report, StaffAct

Kind = Sanction.Kind
LENGTHS: Mapping[str, Any] = {
    "hour": _("an hour"),
    "day": _("a day"),
    "week": _("a week"),
    "ever": _("for ever"),
}
_LASTS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


@dataclass(frozen=True, kw_only=True)
class Order:
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
    """What the person was called where it happened, for the deed that takes names away."""


@dataclass(frozen=True)
class Deed:
    """One thing a moderator can do: its words, what it is done to, which right it takes."""

    label: Any
    to: str
    """The field of an Order it needs."""
    right: str
    run: Callable[[Order], str]
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


@door
def do(deed: str, order: Order, settled: Sequence[int] = ()) -> None:
    """Does it, writes it down, and settles these reports by it, the first of which is open.

    Raises Refused (hands_off, gone, already_decided, already_done).
    """
    _must_be_there(order)
    by = User.objects.get(pk=order.by)
    _must_be_open(by, settled)
    whom = User.objects.filter(pk=order.person or _owner(order)).first()
    _must_be_theirs(by, whom, deed)
    if not DEEDS[deed].left(getattr(order, DEEDS[deed].to)):
        raise Refused("already_done")
    name = str(whom) if whom else ""
    what = DEEDS[deed].run(order)
    _log(by, deed, whom, name, what, order)
    _settle(by, deed, settled)


@door
def nothing(order: Order, settled: Sequence[int]) -> None:
    """Reports that need nothing to be done. Raises Refused (hands_off, already_decided)."""
    by = User.objects.get(pk=order.by)
    _must_be_open(by, settled)
    first = Report.objects.get(pk=settled[0])
    _log(by, "nothing", first.about, first.about_name, first.what, order)
    _settle(by, "nothing", settled)


@door
def look(by_id: int, match_id: int, reason: str) -> None:
    """Somebody looks at the secrets of a running match; the table learns of it at the end.

    Raises Refused("own_match") for who plays in it.
    """
    match = Match.objects.get(pk=match_id)
    if match.players.filter(user_id=by_id).exists():
        raise Refused("own_match")
    if match.ended_at is None:
        Look.objects.get_or_create(match=match, reason=reason)
        order = Order(by=by_id, reason=reason)
        by = User.objects.get(pk=by_id)
        _log(by, "look", None, "", f"match {match.pk} ({match.room.code})", order)


@door
def announce(by_id: int, text: str, level: str, end: datetime | None) -> int:
    """A word to everybody, shown on pages until `end`; returns its number."""
    by = User.objects.get(pk=by_id)
    said = staff.say(text, level, until=end)
    _log(by, "say", None, "", "everybody", Order(by=by_id, reason=text, until=end))
    return said.pk


@door
def take_back(by_id: int, announcements: Sequence[int]) -> None:
    """These words are not shown on new pages any more."""
    by = User.objects.get(pk=by_id)
    for said in Announcement.objects.filter(pk__in=announcements):
        Announcement.objects.filter(pk=said.pk).update(until=timezone.now())
        _log(by, "unsay", None, "", said.text, Order(by=by_id, reason=""))


@door
def note(by_id: int, deed: str, what: str, whom_id: int | None = None, reason: str = "") -> None:
    """Something the staff has done by other ways, for the log."""
    by, whom = User.objects.get(pk=by_id), User.objects.filter(pk=whom_id or 0).first()
    _log(by, deed, whom, str(whom or ""), what, Order(by=by_id, reason=reason))


def _decide(kind: str) -> Callable[[Order], str]:
    def run(order: Order) -> str:
        assert order.person is not None
        staff.decide(order.person, kind, order.reason, order.until)
        return ""

    return run


def _let_in(order: Order) -> str:
    assert order.person is not None
    staff.let_in(order.person)
    return ""


def _take_name(order: Order) -> str:
    assert order.person is not None
    before = ", ".join(staff.names_of(order.person, order.name))
    return f"{before} → {staff.take_name(order.person, order.reason, order.name)}"


def _remove(order: Order) -> str:
    assert order.message is not None
    message = Message.objects.get(pk=order.message)
    staff.remove_messages([message.pk])
    if message.author_id is not None:
        staff.decide(message.author_id, Kind.MESSAGE, order.reason, about=message.text)
    return message.text


def _take_out(order: Order) -> str:
    assert order.deck is not None
    deck = Deck.objects.get(pk=order.deck)
    hide(deck.pk, True)
    staff.decide(deck.owner_id, Kind.DECK, order.reason, about=deck.name)
    return deck.slug


def _put_back(order: Order) -> str:
    assert order.deck is not None
    hide(order.deck, False)
    return Deck.objects.get(pk=order.deck).slug


def _close(order: Order) -> str:
    assert order.room is not None
    staff.close_room(order.room, order.reason)
    return str(Room.objects.get(pk=order.room))


def _end(order: Order) -> str:
    assert order.room is not None
    staff.end_match(order.room, order.reason)
    return str(Room.objects.get(pk=order.room))


def _say(order: Order) -> str:
    assert order.room is not None
    staff.say(order.reason, order.level, order.room)
    return str(Room.objects.get(pk=order.room))


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
DEEDS: Mapping[str, Deed] = {
    "warn": Deed(_("Warn, until it is read"), "person", PEOPLE, _decide(Kind.WARNING)),
    "mute": Deed(_("Mute in every chat"), "person", PEOPLE, _decide(Kind.MUTE), lasts=True),
    "lock": Deed(_("Lock out of the site"), "person", PEOPLE, _decide(Kind.LOCK), lasts=True),
    "rename": Deed(_("Take the name away"), "person", PEOPLE, _take_name, left=_is_named),
    "let_in": Deed(_("Lift mutes and lock-outs"), "person", PEOPLE, _let_in),
    "remove": Deed(_("Remove the message"), "message", MESSAGES, _remove, left=_shown),
    "take_out": Deed(_("Take the deck out"), "deck", DECKS, _take_out, left=_in),
    "put_back": Deed(_("Put the deck back"), "deck", DECKS, _put_back, left=_out),
    "end": Deed(_("End the match without a result"), "room", ROOMS, _end, left=_playing),
    "close": Deed(_("Close the room and send everybody away"), "room", ROOMS, _close, left=_there),
    "tell": Deed(_("Say something to the table"), "room", ROOMS, _say, left=_there),
}


def _owner(order: Order) -> int:
    """Whom it concerns that something is done to a message or a deck."""
    if order.message is not None:
        return Message.objects.values_list("author_id", flat=True).get(pk=order.message) or 0
    if order.deck is not None:
        return Deck.objects.values_list("owner_id", flat=True).get(pk=order.deck)
    return 0


def _must_be_open(by: User, settled: Sequence[int]) -> None:
    """Of two moderators who decide a report at the same time, one does it."""
    if reports_for(by).filter(pk__in=settled).count() < len(settled):
        raise Refused("hands_off")
    open_ = Report.objects.select_for_update().filter(pk__in=settled[:1], decided_at=None)
    if settled and open_.first() is None:
        raise Refused("already_decided")


def _must_be_there(order: Order) -> None:
    """Between looking at something and doing something about it, it may have gone."""
    for model, number in (
        (User, order.person),
        (Message, order.message),
        (Deck, order.deck),
        (Room, order.room),
    ):
        if number is not None and not model._default_manager.filter(pk=number).exists():
            raise Refused("gone")


def _must_be_theirs(by: User, whom: User | None, deed: str) -> None:
    """Nobody decides about themselves, and only superusers about the staff."""
    if whom is None or DEEDS[deed].to != "person":
        return
    if whom.pk == by.pk or (whom.is_staff and not by.is_superuser):
        raise Refused("hands_off")


def _settle(by: User, deed: str, reports: Sequence[int]) -> None:
    open_ = Report.objects.filter(pk__in=reports, decided_at=None)
    open_.update(decided_at=timezone.now(), decided_by=by, decision=deed)


def _log(by: User, deed: str, whom: User | None, name: str, what: str, order: Order) -> None:
    StaffAct.objects.create(
        by=by,
        by_name=by.username,
        deed=deed,
        whom=whom,
        whom_name=name,
        what=what[:500],
        reason=order.reason,
        until=order.until,
    )
