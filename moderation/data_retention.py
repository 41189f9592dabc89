"""Personal data in reports and the staff log: export, erasure, merge and retention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from accounts import address_locks
from accounts.models import User
from accounts.names import FORMER
from games.engine.long_jobs import Rows, Step
from games.engine.writer import command
from games.history.account_merge import into
from games.models import LongJob
from games.wire.wire import iso
from moderation.models import Report, StaffAct

AT_ONCE = 200

Json = dict[str, Any]


def _reports(user: User) -> list[Json]:
    """Return the reports by this user, for an export."""
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
    """Return the decided reports about this user, without the reporters."""
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
"""Parts of an export (`games.history.export`)."""


def _about(job: LongJob) -> QuerySet[Report]:
    return Report.objects.filter(about=job.person_id).order_by("pk")


def _by(job: LongJob) -> QuerySet[Report]:
    return Report.objects.filter(by=job.person_id).order_by("pk")


def _with_words_of(job: LongJob) -> QuerySet[Report]:
    """Return the reports that quote this user."""
    written = Report.objects.annotate(written=Cast("context", TextField()))
    return written.filter(written__contains=f'"person": {job.person_id},').order_by("pk")


def _done_to(job: LongJob) -> QuerySet[StaffAct]:
    return StaffAct._base_manager.filter(whom=job.person_id).order_by("pk")


def _update(rows: Rows, **fields: Any) -> None:
    """Change these fields through the base manager, because the staff log's manager refuses
    changes.
    """
    found = type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows])
    found.update(**fields)


def _delete_reports(job: LongJob, reports: Rows) -> None:
    Report.objects.filter(pk__in=[report.pk for report in reports]).delete()


def _erase_words(job: LongJob, reports: Rows) -> None:
    for report in reports:
        report.context = [_without(line, job.person_id) for line in report.context]
    Report.objects.bulk_update(reports, ["context"])


def _merge_words(job: LongJob, reports: Rows) -> None:
    for report in reports:
        for line in report.context:
            if line.get("person") == job.person_id:
                line["person"] = into(job)
    Report.objects.bulk_update(reports, ["context"])


ERASE_STEPS = (
    Step(_about, _delete_reports, most=100),
    Step(_by, lambda _, rows: _update(rows, by=None, by_name=FORMER, note=""), most=100),
    Step(_with_words_of, _erase_words, most=20),
    Step(_done_to, lambda _, rows: _update(rows, whom=None, whom_name=FORMER, what=""), most=100),
)
"""Rows to delete or anonymize when a user is erased (`games.history.erasure`)."""
MERGE_STEPS = (
    Step(_about, lambda job, rows: _update(rows, about=into(job)), most=100),
    Step(_by, lambda job, rows: _update(rows, by=into(job)), most=100),
    Step(_with_words_of, _merge_words, most=20),
    Step(_done_to, lambda job, rows: _update(rows, whom=into(job)), most=100),
)
"""Steps that move reports and log entries to the account (`games.history.account_merge`)."""


def _without(line: Json, user_id: int) -> Json:
    """Return a quoted line of a report. If this user wrote it, remove the name and text."""
    if line.get("person") != user_id:
        return line
    return {**line, "person": None, "name": FORMER, "text": ""}


def messages_in_question() -> QuerySet[Any]:
    """Return the ids of messages in open reports.

    They are kept because moderators may have to remove them.
    """
    open_ = Report.objects.filter(decided_at=None, message__isnull=False)
    return open_.values("message_id")


def matches_in_question() -> QuerySet[Any]:
    """Return the ids of matches in open reports, which must not be deleted."""
    return Report.objects.filter(decided_at=None, match__isnull=False).values("match_id")


@command
def forget_addresses(now: datetime) -> int:
    """Delete the address hashes of expired locks.

    Always return 0, because nothing is left to delete.
    """
    address_locks.forget_ended()
    return 0


@command
def delete_old_reports(now: datetime) -> int:
    """Delete a batch of old decided reports. Return the number deleted.

    The number is 0 if none are left. Reports contain copies of messages, so they are kept for as
    long as messages are.
    """
    if not settings.KEEP_CHAT_DAYS:
        return 0
    since = now - timedelta(days=settings.KEEP_CHAT_DAYS)
    old = Report.objects.filter(decided_at__lt=since).order_by("pk")
    numbers = list(old.values_list("pk", flat=True)[:AT_ONCE])
    Report.objects.filter(pk__in=numbers).delete()
    return len(numbers)
