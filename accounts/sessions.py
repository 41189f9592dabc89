"""Django's database sessions, looked up with a compiled query because every request needs one."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.compiled_queries import CompiledQuery

_of_key = CompiledQuery(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now)
)


class SessionStore(db.SessionStore):
    """Session store with a compiled lookup query."""

    def load(self) -> Any:
        found = _of_key.first(self.session_key, timezone.now()) if self.session_key else None
        return super().load() if found is None else self.decode(found.session_data)
