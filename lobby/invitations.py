"""One's own tables on a page, and what one does about invitations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from accounts.people import for_somebody, somebody
from games import rooms
from games.contract.core import Refused
from games.models import Invitation
from games.models.rooms import read_code
from games.tables.sentences import refusal


@for_somebody
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """Where one sits, whose turn it is there, and where one is asked to."""
    return render(request, "lobby/mine.html")


@for_somebody
@require_POST
def accept(request: HttpRequest, code: str) -> HttpResponse:
    """Sit down where one was asked to, under one's own name; else the way in says what is wrong.

    Who was not asked gets the way in like everybody.
    """
    user = somebody(request)
    code = read_code(code)
    if Invitation.objects.filter(room__code=code, user=user).exists():
        try:
            rooms.join(code, user.pk, str(user)).result()
        except Refused as refused:
            messages.error(request, refusal(refused, language=get_language() or "en"))
    return redirect("table", code)


@for_somebody
@require_POST
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """The invitation is gone; the one who asked may ask again."""
    rooms.decline(code, somebody(request).pk).result()
    return redirect("tables")
