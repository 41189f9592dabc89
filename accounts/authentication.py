"""When and how the user authenticated in this browser, stored in the session.

allauth reports each step (a password, a code or a passkey), including those of a reauthentication.
Sessions without a record come from older versions or from a registration. They prove nothing, so
features that need a recent or two-step login ask again.
"""

from __future__ import annotations

import time
from typing import Any, TypedDict

from django.http import HttpRequest

KEY = "authenticated"


class Record(TypedDict):
    """Authentication steps of one user: times of the first and the last step, and the methods
    used.
    """

    user: int
    first: float
    last: float
    methods: list[str]


def record_of(request: HttpRequest) -> Record | None:
    """Return the steps that the user of this request has completed in this browser."""
    return _record_of(request, request.user.pk)


def note(sender: Any, request: HttpRequest, user: Any, method: str, **_: Any) -> None:
    """Record a completed step (receiver of `authentication_step_completed`)."""
    now = time.time()
    known = _record_of(request, user.pk)
    request.session[KEY] = Record(
        user=user.pk,
        first=known["first"] if known else now,
        last=now,
        methods=sorted({*(known["methods"] if known else ()), method}),
    )


def _record_of(request: HttpRequest, user_id: int | None) -> Record | None:
    record: Record | None = request.session.get(KEY)
    return record if record is not None and record["user"] == user_id else None
