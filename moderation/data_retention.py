"""What reports and the audit log hold of people: its export, its erasure, how long it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from accounts import address_locks
from accounts.models import User
from accounts.names import FORMER
from games.engine.writer import command
from games.protocol.wire import iso
from moderation.models import Report, StaffAct

AT_ONCE = 200

Json = dict[str, Any]


def _reports(user: User) -> list[Json]:
    """What this person has reported."""
    return [
        {
            "kind": report.kind,
            "what": report.what,
            "of": report.about_name,
            "reason": report.reason,
            "note": report.note,
            "at": iso(report.at),
            "decided": iso(report.decided_at),
        }
        for report in Report.objects.filter(by=user).order_by("pk")
    ]


def _reported(user: User) -> list[Json]:
    """What was decided about reports of this person; by whom they came is nobody's business."""
    decided = Report.objects.filter(about=user, decided_at__isnull=False).order_by("pk")
    return [
        {
            "kind": report.kind,
            "what": report.what,
            "reason": report.reason,
            "decided": iso(report.decided_at),
            "decision": report.decision,
        }
        for report in decided
    ]


PARTS: Mapping[str, Callable[[User], Any]] = {"reports": _reports, "reported": _reported}
"""What an export holds of it (`games.people.export`)."""


def on_erased(sender: Any, user: User, **_: Any) -> None:
    """Reports about somebody who is erased go. Of their own, and of what the staff did to them,
    what happened stays, without name and words (`accounts.signals.erased`)."""
    Report.objects.filter(about=user).delete()
    Report.objects.filter(by=user).update(by_name=FORMER, note="")
    for report in _with_words_of(user.pk):
        report.context = [_without(line, user.pk) for line in report.context]
        report.save(update_fields=["context"])
    done = StaffAct._base_manager.filter(whom=user)  # the one change there is of what was written
    done.update(whom_name=FORMER, what="")


def on_merged(guest: User, user: User) -> None:
    """What is known of a guest is known of the account (`games.people.account_merge`)."""
    Report.objects.filter(by=guest).update(by=user)
    Report.objects.filter(about=guest).update(about=user)
    StaffAct._base_manager.filter(whom=guest).update(whom=user)
    for report in _with_words_of(guest.pk):
        for line in report.context:
            if line.get("person") == guest.pk:
                line["person"] = user.pk
        report.save(update_fields=["context"])


def _with_words_of(user_id: int) -> Iterator[Report]:
    """Reports with words of this person among those kept with them."""
    written = Report.objects.annotate(written=Cast("context", TextField()))
    for report in written.filter(written__contains=f'"person": {user_id},'):
        if any(line.get("person") == user_id for line in report.context):
            yield report


def _without(line: Json, user_id: int) -> Json:
    """A line that was kept with a report, without name and words if they are this person's."""
    if line.get("person") != user_id:
        return line
    return {**line, "person": None, "name": FORMER, "text": ""}


def messages_in_question() -> QuerySet[Any]:
    """Numbers of the messages that open reports are about: moderators may have to remove them."""
    open_ = Report.objects.filter(decided_at=None, message__isnull=False)
    return open_.values("message_id")


@command
def forget_addresses(now: datetime) -> int:
    """Of locks on addresses that are over, what the address could be known by; then 0."""
    address_locks.forget_ended()
    return 0


@command
def delete_old_reports(now: datetime) -> int:
    """A portion of the reports that were decided long ago; 0 where nothing is left.

    They are copies of what was said, and are kept as long as that.
    """
    if not settings.KEEP_CHAT_DAYS:
        return 0
    since = now - timedelta(days=settings.KEEP_CHAT_DAYS)
    old = Report.objects.filter(decided_at__lt=since).order_by("pk")
    numbers = list(old.values_list("pk", flat=True)[:AT_ONCE])
    Report.objects.filter(pk__in=numbers).delete()
    return len(numbers)
