"""The second step at logging in: a passkey, or a code from an app.

Everybody may have one, staff may have to. Passkeys and codes are by `allauth.mfa`; here is who
needs one, and who has passed it.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext

from accounts.models import User

Type = Authenticator.Type
METHOD = "mfa"


def steps_of(user: User) -> QuerySet[Authenticator]:
    """The passkeys and the app of somebody; recovery codes alone are no second step."""
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user_id=user.pk)
    return found.exclude(type=Type.RECOVERY_CODES)


def is_required(user: User) -> bool:
    """Whether this person does not come into the back office without one."""
    return settings.STAFF_SECOND_STEP == "required" and user.is_staff


def is_last_required(step: Authenticator) -> bool:
    """Whether this is the only one of somebody who has to have one."""
    if step.type == Type.RECOVERY_CODES or not is_required(step.user):
        return False
    return not steps_of(step.user).exclude(pk=step.pk).exists()


def detour(request: HttpRequest) -> HttpResponse | None:
    """Where staff go before they come into the back office; None where nothing is missing."""
    user = request.user
    if not isinstance(user, User) or not user.is_active or not is_required(user):
        return None
    if not steps_of(user).exists():
        text = gettext("Staff need two-step login here. Add a passkey or an app first.")
        messages.warning(request, text)
        return redirect("mfa_index")
    if any(record["method"] == METHOD for record in get_authentication_records(request, user)):
        return None
    # Logged in before there was a second step.
    methods = get_adapter(request).get_reauthentication_methods(user)
    way = next(one["url"] for one in methods if one["id"].startswith("mfa"))
    there = request.get_full_path() if request.method != "POST" else "/admin/"
    return redirect(f"{way}?{urlencode({'next': there})}")


def note_added(sender: Any, request: Any, user: Any, authenticator: Any, **_: Any) -> None:
    """Somebody who sets a second step up has passed it in this browser."""
    if authenticator.type != Type.RECOVERY_CODES:
        record_authentication(request, user, METHOD, type=authenticator.type, id=authenticator.pk)


def remove_all(user_id: int) -> int:
    """Let somebody who has lost theirs log in by password alone; return how many there were."""
    found = Authenticator.objects.filter(user_id=user_id)
    count = found.exclude(type=Type.RECOVERY_CODES).count()
    found.delete()
    return int(count)
