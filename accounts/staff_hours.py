"""Maximum duration of staff logins: STAFF_HOURS, even while they are active."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

_SINCE = "staff_since"


def is_over(request: HttpRequest) -> bool:
    """Return whether a staff login has expired; if not, set the session to expire in time.

    This includes people who became staff after they logged in.
    """
    if not settings.STAFF_HOURS or not getattr(request.user, "is_staff", False):
        return False
    ends = _since(request) + timedelta(hours=settings.STAFF_HOURS)
    if ends <= timezone.now():
        return True
    if request.session.get_expiry_date() > ends:
        request.session.set_expiry(ends)
    return False


def _since(request: HttpRequest) -> datetime:
    """Return the time of this login; if it is unknown, now."""
    if _SINCE not in request.session:
        records = get_authentication_records(request, request.user)
        request.session[_SINCE] = records[0]["at"] if records else time.time()
    return datetime.fromtimestamp(request.session[_SINCE], UTC)
