"""What anybody may see of people: their faces, their games and results; nothing else."""

from __future__ import annotations

import unicodedata

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts import sanctions
from accounts.faces import draw
from accounts.models import account_of
from lobby.history import statistics

LONGEST_USER_NAME = 150
A_YEAR = 365 * 24 * 60 * 60


@login_not_required
@require_safe
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def face(request: HttpRequest, digest: str, letters: str) -> HttpResponse:
    """A face, drawn from its address alone (`accounts.faces`)."""
    try:
        initials = bytes.fromhex(letters).decode()
    except UnicodeDecodeError:
        raise Http404 from None
    if any(unicodedata.category(letter).startswith("C") for letter in initials):
        raise Http404
    return HttpResponse(draw(digest, initials), content_type="image/svg+xml")


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
