"""Table of moderator actions, with label, target and permission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import address_locks
from accounts.models import AddressLock, Sanction
from chat.models import Message
from games.contract.core import Refused
from games.engine.rated import YES
from games.history import ratings, staff
from games.models import Deck, Match, Member, ProgramVersion, Room
from games.rooms.decks import hide
from games.rooms.programs import retire_now

Kind = Sanction.Kind
SHORT = ("hour", "day", "week")
LENGTHS: Mapping[str, Any] = {
    "hour": _("an hour"),
    "day": _("a day"),
    "week": _("a week"),
    "ever": _("forever"),
}
_LASTS = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1)}


@dataclass(frozen=True, kw_only=True)
class ActionRequest:
    """A request for an action: who acts, why, until when, and on which row ids."""

    by: int
    reason: str
    until: datetime | None = None
    person: int | None = None
    message: int | None = None
    deck: int | None = None
    room: int | None = None
    match: int | None = None
    version: int | None = None
    """A version of a program."""
    level: str = "info"
    name: str = ""
    """The user's name at the table, for the action that renames users."""


@dataclass(frozen=True)
class Action:
    """A moderator action: label, target and permission."""

    label: Any
    to: str
    """The field of ActionRequest with the target."""
    right: str
    run: Callable[[ActionRequest, int], str]
    """Runs the action on this target. Returns a description of what it affected, for the log."""
    lasts: bool = False
    ends: bool = False
    """Whether the action requires a limited duration."""
    extent: Callable[[int], Any] | None = None
    """Returns the number of objects in this row that the action would affect, for the confirmation
    page.
    """
    left: Callable[[int], bool] = lambda _row: True
    """Returns whether the action still has an effect on this row."""


def until(length: str) -> datetime | None:
    """Return the end of a duration that begins now, or None if it is unlimited."""
    return timezone.now() + _LASTS[length] if length in _LASTS else None


def _decide(kind: str) -> Callable[[ActionRequest, int], str]:
    def run(request: ActionRequest, person: int) -> str:
        staff.decide(person, kind, request.reason, request.until)
        return ""

    return run


def _let_in(request: ActionRequest, person: int) -> str:
    staff.let_in(person)
    return ""


def _take_name(request: ActionRequest, person: int) -> str:
    before = ", ".join(staff.names_of(person, request.name))
    return f"{before} → {staff.take_name(person, request.reason, request.name)}"


def _remove(request: ActionRequest, number: int) -> str:
    message = Message.objects.get(pk=number)
    staff.remove_messages([message.pk])
    if message.author_id is not None:
        staff.decide(message.author_id, Kind.MESSAGE, request.reason, about=message.text)
    return message.text


def _remove_all(request: ActionRequest, person: int) -> str:
    how_many = _how_many_messages(person)
    staff.remove_all_messages(person)
    staff.decide(person, Kind.MESSAGES, request.reason)
    return how_many


def _messages_of(user_id: int) -> QuerySet[Message]:
    return Message.objects.filter(author_id=user_id, hidden=False)


def _how_many_messages(user_id: int) -> str:
    count = _messages_of(user_id).count()
    return ngettext("%(count)s message", "%(count)s messages", count) % {"count": count}


def _lock_address(request: ActionRequest, person: int) -> str:
    """Lock this guest's address: ban its recent guests, and all guests who use it before the lock
    ends.
    """
    digest = address_locks.digest_of_guest(person)
    if digest is None or request.until is None:
        raise Refused("no_address")
    lock = address_locks.lasting(digest, request.until) or AddressLock.objects.create(
        digest=digest, reason=request.reason, until=request.until, made_by_id=request.by
    )
    held = set(lock.sanctions.filter(lifted_at=None).values_list("user_id", flat=True))
    guests = address_locks.guests_beside(person)
    for guest in (one for one in guests if one not in held):
        decided = staff.decide(guest, Kind.LOCK, request.reason, request.until)
        Sanction.objects.filter(pk=decided.pk).update(address_lock=lock)
    return _how_many_guests(person, len(guests))


def _how_many_guests(user_id: int, count: int | None = None) -> str:
    count = len(address_locks.guests_beside(user_id)) if count is None else count
    if not count:
        return gettext("address not known")
    return ngettext("%(count)s guest", "%(count)s guests", count) % {"count": count}


def _take_out(request: ActionRequest, number: int) -> str:
    deck = Deck.objects.get(pk=number)
    hide(deck.pk, True)
    staff.decide(deck.owner_id, Kind.DECK, request.reason, about=deck.name)
    return deck.slug


def _put_back(request: ActionRequest, number: int) -> str:
    hide(number, False)
    return Deck.objects.get(pk=number).slug


def _close(request: ActionRequest, room: int) -> str:
    staff.close_room(room, request.reason)
    return str(Room.objects.get(pk=room))


def _end(request: ActionRequest, room: int) -> str:
    staff.end_match(room, request.reason)
    return str(Room.objects.get(pk=room))


def _declare_void(request: ActionRequest, match: int) -> str:
    ratings.declare_void(match)
    return str(Match.objects.get(pk=match))


def _retire(request: ActionRequest, number: int) -> str:
    version = ProgramVersion.objects.select_related("program").get(pk=number)
    retire_now(version)
    return str(version)


def _say(request: ActionRequest, room: int) -> str:
    staff.say(request.reason, request.level, room)
    return str(Room.objects.get(pk=room))


def _how_many_sit(room_id: int) -> str:
    """Return the number of people at the table, and the number of them with a seat, as text."""
    there = Member.objects.filter(room=room_id, left_at=None, bot="")
    people = there.count()
    players = there.filter(spectator=False).count()
    text = ngettext("%(count)s person at the table", "%(count)s people at the table", people)
    seated = ngettext("%(count)s seated", "%(count)s seated", players) % {"count": players}
    return f"{text % {'count': people}}, {seated}"


def _is_named(user_id: int) -> bool:
    """Whether this user still has a name of their own choosing."""
    return bool(staff.names_of(user_id))


def _is_left(rows: QuerySet[Any]) -> Callable[[int], bool]:
    return lambda pk: rows.filter(pk=pk).exists()


PEOPLE, ROOMS = "accounts.add_sanction", "games.change_room"
MESSAGES, DECKS = "chat.change_message", "games.change_deck"
_shown = _is_left(Message.objects.filter(hidden=False))
_in, _out = (_is_left(Deck.objects.filter(hidden=hidden)) for hidden in (False, True))
_playing = _is_left(Room.objects.filter(status=Room.Status.PLAYING))
_there = _is_left(Room.objects.exclude(status=Room.Status.CLOSED))
_rated = _is_left(Match.objects.filter(rated=YES))
_on_ladder = _is_left(ProgramVersion.objects.exclude(state=ProgramVersion.State.RETIRED))
ACTIONS: Mapping[str, Action] = {
    "warn": Action(_("Warn (shown until read)"), "person", PEOPLE, _decide(Kind.WARNING)),
    "mute": Action(_("Mute in every chat"), "person", PEOPLE, _decide(Kind.MUTE), lasts=True),
    "lock": Action(_("Lock out of the site"), "person", PEOPLE, _decide(Kind.LOCK), lasts=True),
    "rename": Action(_("Remove the name"), "person", PEOPLE, _take_name, left=_is_named),
    "let_in": Action(_("Lift mutes and lock-outs"), "person", PEOPLE, _let_in),
    "remove_all": Action(
        *(_("Remove all their messages"), "person", MESSAGES, _remove_all),
        left=lambda pk: _messages_of(pk).exists(),
        extent=_how_many_messages,
    ),
    "block": Action(
        *(_("Lock out all guests of this guest's address"), "person", PEOPLE, _lock_address),
        lasts=True,
        ends=True,
        extent=_how_many_guests,
    ),
    "remove": Action(_("Remove the message"), "message", MESSAGES, _remove, left=_shown),
    "take_out": Action(_("Remove the deck"), "deck", DECKS, _take_out, left=_in),
    "put_back": Action(_("Restore the deck"), "deck", DECKS, _put_back, left=_out),
    "end": Action(
        _("End the match without a result"),
        "room",
        ROOMS,
        _end,
        left=_playing,
        extent=_how_many_sit,
    ),
    "void": Action(
        _("Take the match out of the ratings"), "match", ROOMS, _declare_void, left=_rated
    ),
    "retire": Action(
        _("Take the version off the ladder"), "version", ROOMS, _retire, left=_on_ladder
    ),
    "close": Action(
        _("Close the table for everybody"), "room", ROOMS, _close, left=_there, extent=_how_many_sit
    ),
    "tell": Action(_("Send a message to the table"), "room", ROOMS, _say, left=_there),
}
