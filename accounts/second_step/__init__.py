"""Two-step login: a passkey, or a code from an app.

It is optional for everybody and can be required for staff. `allauth.mfa` implements passkeys and
codes. This package decides who needs a second step and who has passed it.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext

from accounts import authentication
from accounts.models import User

Type = Authenticator.Type
METHOD = "mfa"


def steps_of(user: User) -> QuerySet[Authenticator]:
    """Return a user's passkeys and authenticator app.

    Recovery codes alone are not a second step.
    """
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user_id=user.pk)
    return found.exclude(type=Type.RECOVERY_CODES)


def is_required(user: User) -> bool:
    """Whether this user needs a second step to enter the back office."""
    return settings.STAFF_SECOND_STEP == "required" and user.is_staff


def is_last_required(step: Authenticator) -> bool:
    """Whether this is the only second step of a user who needs one."""
    if step.type == Type.RECOVERY_CODES or not is_required(step.user):
        return False
    return not steps_of(step.user).exclude(pk=step.pk).exists()


def detour(request: HttpRequest) -> HttpResponse | None:
    """Redirect staff who still need a second step to enter the back office.

    Return None for everybody else.
    """
    user = request.user
    if not isinstance(user, User) or not user.is_active or not is_required(user):
        return None
    if not steps_of(user).exists():
        text = gettext("Staff need two-step login here. Add a passkey or an app first.")
        messages.warning(request, text)
        return redirect("mfa_index")
    record = authentication.record_of(request)
    if record is not None and METHOD in record["methods"]:
        return None
    # The user logged in before the second step was set up.
    methods = get_adapter(request).get_reauthentication_methods(user)
    way = next(one["url"] for one in methods if one["id"].startswith("mfa"))
    there = request.get_full_path() if request.method != "POST" else "/admin/"
    return redirect(f"{way}?{urlencode({'next': there})}")


def note_added(sender: Any, request: Any, user: Any, authenticator: Any, **_: Any) -> None:
    """Record a new second step as passed in this browser, so that it is not asked for at once."""
    if authenticator.type != Type.RECOVERY_CODES:
        authentication.note(sender, request, user, METHOD)


def remove_all(user_id: int) -> int:
    """Remove all second steps of a user who no longer has access to them. Return the number
    removed.
    """
    found = Authenticator.objects.filter(user_id=user_id)
    count = found.exclude(type=Type.RECOVERY_CODES).count()
    found.delete()
    return int(count)
