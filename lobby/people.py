"""What anybody may see of people: their faces, their games and results; nothing else."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts import sanctions
from accounts.faces import chosen, draw
from accounts.models import account_of
from accounts.people import for_somebody, somebody
from games.rooms.faces import choose_face as choose
from lobby.history import statistics

LONGEST_USER_NAME = 150
A_YEAR = 365 * 24 * 60 * 60


@login_not_required
@require_safe
@gzip_page
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def face(request: HttpRequest, number: str, colour: str) -> HttpResponse:
    """A face, drawn from its address alone (`accounts.faces`)."""
    try:
        return HttpResponse(draw(int(number), colour), content_type="image/svg+xml")
    except LookupError:
        raise Http404 from None


@for_somebody
@require_POST
def choose_face(request: HttpRequest) -> HttpResponse:
    """Another face, from one's own page."""
    choose(somebody(request).pk, chosen(request.POST.get("face"))).result()
    messages.success(request, gettext("That's your face now."))
    return redirect("you")


@require_safe
def person_by_name(request: HttpRequest) -> HttpResponse:
    """The page of somebody whose name cannot be part of a path (`accounts.names.page_of`)."""
    return person(request, request.GET.get("name", ""))


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Somebody with an account: name, games, results. Guests and who is locked out have no page."""
    if len(username) > LONGEST_USER_NAME:
        raise Http404
    found = account_of(username)
    if found is None or not found.is_active or sanctions.lock_of(found.pk) is not None:
        raise Http404
    context = {"person": found, "statistics": statistics(found)}
    return render(request, "lobby/person.html", context)
