"""Commands of moderators. Each has a reason, takes effect at once, and is logged."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from accounts import address_locks
from accounts.models import User
from chat.models import Message
from games.contract.core import Refused
from games.engine.writer import command
from games.history import staff
from games.models import Announcement, Deck, Look, Match, ProgramVersion, Room
from moderation.action_table import ACTIONS, LENGTHS, SHORT, Action, ActionRequest, until
from moderation.models import Report, StaffAct

__all__ = ["ACTIONS", "LENGTHS", "SHORT", "Action", "ActionRequest", "until"]


def reports_for(by: User) -> QuerySet[Report]:
    """Return the reports a staff member may decide. Only superusers see those about staff."""
    reports = Report.objects.all()
    return reports if by.is_superuser else reports.exclude(about__is_staff=True)


@command
def do(action: str, request: ActionRequest, settled: Sequence[int] = ()) -> None:
    """Run an action, log it, and settle the reports `settled`. The first of them must be open.

    Raise Refused with code `hands_off`, `gone`, `already_decided` or `already_done`.
    """
    _must_be_there(request)
    by = User.objects.get(pk=request.by)
    _must_be_open(by, settled)
    whom = User.objects.filter(pk=request.person or _owner(request)).first()
    _must_be_theirs(by, whom, action)
    target: int = getattr(request, ACTIONS[action].to)
    if not ACTIONS[action].left(target):
        raise Refused("already_done")
    name = str(whom) if whom else ""
    what = ACTIONS[action].run(request, target)
    _log(by, action, whom, name, what, request)
    _settle(by, action, settled)


@command
def nothing(request: ActionRequest, settled: Sequence[int]) -> None:
    """Settle reports without taking any action. The first of them must be open.

    Raise Refused with code `hands_off` or `already_decided`.
    """
    by = User.objects.get(pk=request.by)
    _must_be_open(by, settled)
    first = Report.objects.get(pk=settled[0])
    _log(by, "nothing", first.about, first.about_name, first.what, request)
    _settle(by, "nothing", settled)


@command
def settle(by_id: int, reports: Sequence[int], reason: str) -> int:
    """Settle the reports that are still open, without taking any action. Return their number."""
    by = User.objects.get(pk=by_id)
    open_ = reports_for(by).select_for_update().filter(pk__in=reports, decided_at=None)
    found = list(open_.select_related("about").order_by("pk"))
    request = ActionRequest(by=by_id, reason=reason)
    StaffAct.objects.bulk_create(
        _logged(by, "nothing", report.about, report.about_name, report.what, request)
        for report in found
    )
    _settle(by, "nothing", [report.pk for report in found])
    return len(found)


@command
def lift(by_id: int, locks: Sequence[int], reason: str) -> int:
    """Lift address locks. Return the number of locks lifted."""
    by = User.objects.get(pk=by_id)
    request = ActionRequest(by=by_id, reason=reason)
    StaffAct.objects.bulk_create(
        _logged(by, "unblock", None, "", lock.reason, request)
        for lock in address_locks.in_force().filter(pk__in=locks)
    )
    return address_locks.lift(locks)


@command
def look(by_id: int, match_id: int, reason: str) -> None:
    """Record that staff view the secrets of a running match. The table is informed when the match
    ends.

    Raise Refused("own_match") if the staff member plays in the match.
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
    """Send an announcement to all users. Pages show it until `end`. Return its id."""
    by = User.objects.get(pk=by_id)
    said = staff.say(text, level, until=end)
    _log(by, "say", None, "", "everybody", ActionRequest(by=by_id, reason=text, until=end))
    return said.pk


@command
def retract(by_id: int, announcements: Sequence[int], reason: str) -> None:
    """Stop showing these announcements on new pages."""
    by = User.objects.get(pk=by_id)
    said = Announcement.objects.filter(pk__in=announcements)
    request = ActionRequest(by=by_id, reason=reason)
    StaffAct.objects.bulk_create(_logged(by, "unsay", None, "", one.text, request) for one in said)
    said.update(until=timezone.now())


@command
def note(by_id: int, action: str, what: str, whom_id: int | None = None, reason: str = "") -> None:
    """Log an act of staff that is not in ACTIONS, such as freeing UDP names."""
    record(by_id, action, what, User.objects.filter(pk=whom_id or 0).first(), reason)


def record(by_id: int, action: str, what: str, whom: User | None, reason: str) -> None:
    """Add an entry to the staff log in the caller's transaction, which a form has opened."""
    by = User.objects.get(pk=by_id)
    _log(by, action, whom, str(whom or ""), what, ActionRequest(by=by_id, reason=reason))


def _owner(request: ActionRequest) -> int:
    """Return the id of the author of the message or program, or of the deck's owner, or 0 if there
    is none.
    """
    if request.message is not None:
        return Message.objects.values_list("author_id", flat=True).get(pk=request.message) or 0
    if request.deck is not None:
        return Deck.objects.values_list("owner_id", flat=True).get(pk=request.deck)
    if request.version is not None:
        versions = ProgramVersion.objects.values_list("program__owner", flat=True)
        return versions.get(pk=request.version)
    return 0


def _must_be_open(by: User, settled: Sequence[int]) -> None:
    """Raise Refused if the first report is already decided.

    Raise it as well if `by` may not decide one of the reports.
    """
    if reports_for(by).filter(pk__in=settled).count() < len(settled):
        raise Refused("hands_off")
    open_ = Report.objects.select_for_update().filter(pk__in=settled[:1], decided_at=None)
    if settled and open_.first() is None:
        raise Refused("already_decided")


def _must_be_there(request: ActionRequest) -> None:
    """Raise Refused if the target was deleted since the page was shown."""
    for model, number in (
        (User, request.person),
        (Message, request.message),
        (Deck, request.deck),
        (Room, request.room),
        (Match, request.match),
        (ProgramVersion, request.version),
    ):
        if number is not None and not model._default_manager.filter(pk=number).exists():
            raise Refused("gone")


def _must_be_theirs(by: User, whom: User | None, action: str) -> None:
    """Raise Refused for an action on oneself, or on staff unless `by` is a superuser."""
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
    _logged(by, action, whom, name, what, request).save()


def _logged(
    by: User, action: str, whom: User | None, name: str, what: str, request: ActionRequest
) -> StaffAct:
    return StaffAct(
        by=by,
        by_name=by.username,
        action=action,
        whom=whom,
        whom_name=name,
        what=what[:500],
        reason=request.reason,
        until=request.until,
    )
