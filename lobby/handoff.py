"""Continue on another device: show a code on the first, enter it on the second.

Opening a link with a code changes nothing, so link previews cannot redeem the code. Only the button
on the page does.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from accounts import address_locks, handoff, limits, own_address
from accounts.handoff import NotGood
from accounts.isolation import isolated
from accounts.models import HandOff, User
from accounts.people import for_somebody, somebody, user_of
from games.models import Member, Room
from lobby.qr import drawing
from lobby.visitors import BACKEND


@sensitive_variables("code")
@for_somebody
def offer(request: HttpRequest) -> HttpResponse:
    """Show the button that makes a hand-off code or, once it is pressed, the code."""
    user, table = somebody(request), handoff.cleaned(request.POST.get("table", ""))[:5]
    context = {"table": table, "staff": user.is_staff}
    if request.method == "POST" and not user.is_staff:
        limits.take("codes", limits.asker(request))
        seated = Member.objects.filter(room__code=table, user=user, left_at=None).exists()
        code = handoff.make(user, request.session.session_key or "", table if seated else "")
        url = own_address.link(request, reverse("handoff", args=[code]))
        context |= {
            "code": handoff.spaced(code),
            "qr": mark_safe(drawing(url)),
            "address": own_address.link(request, reverse("type-handoff")).partition("://")[2],
            "minutes": handoff.GOOD_FOR.seconds // 60,
        }
    return render(request, "lobby/handoff_offer.html", context)


@login_not_required
@never_cache
def type_code(request: HttpRequest) -> HttpResponse:
    """Show the form to type a code."""
    if code := handoff.cleaned(request.POST.get("code", ""))[:20]:
        return redirect("handoff", code)
    return render(request, "lobby/handoff.html", {"why": ""})


@sensitive_variables("code")
@login_not_required
@never_cache
def go_on(request: HttpRequest, code: str) -> HttpResponse:
    """Show whose code this is, with a button. On POST, redeem the code and log in as that user."""
    who = limits.asker(request)
    limits.check("codes", who)
    try:
        found = handoff.find(code)
        if (here := user_of(request)) is not None:
            return _somebody_else(request, here, found)
        if request.method != "POST":
            return render(request, "lobby/handoff.html", {"name": str(found.user), "code": code})
        if found.user.is_guest:
            address_locks.check(who.address)
        return _in(request, handoff.use(code))
    except NotGood as bad:
        if bad.why == "unknown":
            limits.count("codes", who)
        return render(request, "lobby/handoff.html", {"why": _sentence(bad)}, status=404)


def _in(request: HttpRequest, used: HandOff) -> HttpResponse:
    login(request, used.user, backend=BACKEND)
    if used.user.is_guest:
        address_locks.note(used.user.pk, limits.asker(request).address)
    open_ = Room.objects.filter(code=used.table).exclude(status=Room.Status.CLOSED).exists()
    return redirect("table", used.table) if open_ else redirect("front")


def _somebody_else(request: HttpRequest, here: User, found: HandOff) -> HttpResponse:
    """Explain that another user is logged in on this device. The code stays valid."""
    if here.pk == found.user_id:
        text = gettext("This device plays as %(name)s already. Scan the code with the other one.")
        why = text % {"name": isolated(str(here))}
    else:
        text = gettext(
            "This device plays as %(here)s. Log out here first, then use the code again."
        )
        why = text % {"here": isolated(str(here))}
    context = {"why": why, "log_out": here.pk != found.user_id}
    return render(request, "lobby/handoff.html", context, status=409)


def _sentence(bad: NotGood) -> str:
    if bad.why == "used":
        return gettext("This code has been used. Make a new one on the device you play on.")
    if bad.why == "expired":
        return gettext("This code is too old: it is good for two minutes. Make a new one.")
    return gettext("There is no such code. Codes have eight letters and numbers.")


def moved_from(request: HttpRequest) -> bool:
    """Whether the session of this browser was handed off to another device."""
    if request.user.is_authenticated:
        return False
    return handoff.has_moved(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
