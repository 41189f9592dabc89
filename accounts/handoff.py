"""Hand-off codes: a user continues in another browser and is logged out of the first one.

A code is shown only to its owner, works once within two minutes, and is stored as a keyed hash. The
key of the moved session is kept for a day, so that the first browser can show why it was logged
out.
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import HandOff, User
from accounts.push import forget_browser

GOOD_FOR = timedelta(minutes=2)
KEPT_FOR = timedelta(days=1)
"""Time for which a used or expired code is kept, so that pages can explain it."""
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
LENGTH = 8
LINK = re.compile(r"/device/([^/?#\s]+)")


class NotGood(Exception):
    """The code does not work because it is `unknown`, `used` or `expired`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def make(user: User, session_key: str, table: str = "") -> str:
    """Return a new code for this session. An earlier code becomes invalid."""
    HandOff.objects.filter(made_at__lt=timezone.now() - KEPT_FOR).delete()
    HandOff.objects.filter(session=session_key, used_at=None).delete()
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    HandOff.objects.create(user=user, digest=_digest(code), session=session_key, table=table)
    return code


def cleaned(code: str) -> str:
    """Normalize a code, typed or pasted as a link, of a hand-off or a table."""
    link = LINK.search(code)
    return re.sub(r"[^0-9A-Z]", "", (link[1] if link else code).upper())


def spaced(code: str) -> str:
    """Return a code in its displayed form."""
    return f"{code[:4]}-{code[4:]}"


def find(code: str) -> HandOff:
    """Return the hand-off for a code without redeeming it. Raise NotGood if the code is not valid.

    The code is valid no longer than the login that made it. A logout or a new password ends that
    login.
    """
    found = HandOff.objects.select_related("user").filter(digest=_digest(cleaned(code)))
    handoff = found.first()
    if handoff is None or not handoff.user.is_active or handoff.user.is_staff:
        raise NotGood("unknown")
    if handoff.used_at is not None:
        raise NotGood("used")
    if handoff.made_at < timezone.now() - GOOD_FOR:
        raise NotGood("expired")
    if not _is_logged_in(handoff):  # because of a logout, or because another request used the code
        handoff.refresh_from_db()
        raise NotGood("used" if handoff.used_at is not None else "unknown")
    return handoff


def use(code: str) -> HandOff:
    """Redeem a code, and end the session that made it. Raise NotGood if the code is not valid."""
    handoff = find(code)
    with transaction.atomic():
        fresh = HandOff.objects.filter(pk=handoff.pk, used_at=None)
        if not fresh.update(used_at=timezone.now()):
            raise NotGood("used")
        Session.objects.filter(session_key=handoff.session).delete()
        forget_browser(handoff.session)
    return handoff


def has_moved(session_key: str | None) -> bool:
    """Whether this session was handed off to another browser."""
    if not session_key:
        return False
    return HandOff.objects.filter(session=session_key, used_at__isnull=False).exists()


def _is_logged_in(handoff: HandOff) -> bool:
    """Whether the session that made the code is still logged in."""
    lasting = Session.objects.filter(session_key=handoff.session, expire_date__gt=timezone.now())
    kept = session.get_decoded() if (session := lasting.first()) is not None else {}
    same = constant_time_compare(
        kept.get(HASH_SESSION_KEY, ""), handoff.user.get_session_auth_hash()
    )
    return same and kept.get(SESSION_KEY) == str(handoff.user.pk)


def _digest(code: str) -> str:
    return salted_hmac("parlour.handoff", code, algorithm="sha256").hexdigest()
