"""Checks of staff accounts."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from allauth.mfa.models import Authenticator
from django.conf import settings

from accounts.models import User
from operations.deployment.answers import is_private
from operations.doctor.findings import Finding, ok, warning


def second_step() -> Iterator[Finding]:
    """Check that staff of a public server have a second step."""
    if settings.STAFF_SECOND_STEP == "required":
        yield ok("staff", "Staff log in with a second step.")
        return
    steps = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    staff = User.objects.filter(is_staff=True, is_active=True)
    without = staff.exclude(pk__in=steps.values("user")).count()
    if without and not is_private(urlsplit(settings.PUBLIC_URL).hostname or ""):
        do = "Set STAFF_SECOND_STEP=required: they must then set it up (docs/operate.md)."
        yield warning("staff", f"Staff who log in with only a password: {without}.", do)
    else:
        yield ok("staff", f"Staff without a second step: {without}.")
