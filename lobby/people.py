"""Public pages of users: faces and results, and more if the user lists matches."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import sanctions
from accounts.faces import address_of, chosen, compressed, draw
from accounts.following import followed_among
from accounts.models import User
from accounts.people import for_somebody, somebody
from games.history import match_list
from games.models import ProgramVersion
from games.rooms.faces import choose_face as choose
from lobby.friends import friends
from lobby.history import past
from lobby.statistics import statistics

LONGEST_USER_NAME = 150
A_DAY = 24 * 60 * 60
A_YEAR = 365 * A_DAY


@login_not_required
@require_safe
@cache_control(public=True, immutable=True, max_age=A_YEAR)
@vary_on_headers("Accept-Encoding")
@xframe_options_exempt
def face(request: HttpRequest, number: str, colour: str) -> HttpResponse:
    """Draw the face that the URL describes (`accounts.faces`).

    The response is compressed once, without the padding of `gzip_page`, because it contains no
    secret.
    """
    try:
        plain, packed = draw(int(number), colour), compressed(int(number), colour)
    except LookupError:
        raise Http404 from None
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(plain, content_type="image/svg+xml")
    gzipped = {"Content-Encoding": "gzip"}
    return HttpResponse(packed, content_type="image/svg+xml", headers=gzipped)


@login_not_required
@require_safe
@cache_control(public=True, max_age=A_DAY)
def face_of(request: HttpRequest) -> HttpResponse:
    """Redirect to the default face of `?name=`, shown while somebody is typing a name."""
    return redirect(address_of(request.GET.get("name", "").strip()[:LONGEST_USER_NAME]))


@for_somebody
@require_POST
def choose_face(request: HttpRequest) -> HttpResponse:
    """Store the face that the user has chosen on their own page."""
    choose(somebody(request).pk, chosen(request.POST.get("face"))).result()
    messages.success(request, gettext("That's your face now."))
    return redirect("you")


@require_safe
def people(request: HttpRequest) -> HttpResponseBase:
    """Show the people the user knows.

    With `?name=`, show the page of a user whose name cannot be part of a path
    (`accounts.names.page_of`).
    """
    return person(request, request.GET["name"]) if "name" in request.GET else friends(request)


@require_safe
def person(request: HttpRequest, username: str) -> HttpResponse:
    """Show the name and results of a user, and matches and statistics if the user lists them.

    Guests and banned users have no page.
    """
    if len(username) > LONGEST_USER_NAME:
        raise Http404
    found = sanctions.account_in_good_standing(username)
    if found is None:
        raise Http404
    viewer = request.user if isinstance(request.user, User) else None
    matches = None
    if found.lists_matches:
        matches = past(found, request.GET.get("before", ""), match_list.seen_by(viewer))
    is_followed = viewer is not None and bool(followed_among(viewer.pk, [found.pk]))
    context = {
        "person": found,
        "version": _version(found),
        "followed": is_followed,
        "statistics": statistics(found, viewer),
        "past": matches,
    }
    return render(request, "lobby/person.html", context)


def _version(user: User) -> ProgramVersion | None:
    """Return the version of a program whose account this is, if it is one."""
    if not user.is_program:
        return None
    return ProgramVersion.objects.select_related("program__owner").filter(user=user).first()
