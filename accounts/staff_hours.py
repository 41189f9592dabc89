"""Maximum duration of staff logins (STAFF_HOURS). It applies even to active sessions."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.authentication import record_of

_SINCE = "staff_since"


def is_over(request: HttpRequest) -> bool:
    """Return whether a staff login has expired. If not, set the expiry of its session.

    The hours count from the login, even if the user became staff later.
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
    """Return the time of this login, or the current time if it is unknown."""
    if _SINCE not in request.session:
        record = record_of(request)
        request.session[_SINCE] = record["first"] if record else time.time()
    return datetime.fromtimestamp(request.session[_SINCE], UTC)
