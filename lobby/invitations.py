"""The page of the user's tables, and answers to invitations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.people import for_somebody, somebody
from games import rooms
from games.contract.core import Refused
from games.models import Invitation
from games.models.rooms import read_code
from games.tables.sentences import refusal
from lobby.friends import is_shown_to


@for_somebody
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """Show the user's tables, whose turn it is there, and invitations."""
    return render(request, "lobby/mine.html")


@for_somebody
@require_POST
def accept(request: HttpRequest, code: str) -> HttpResponse:
    """Join the table of an invitation, or that of a friend, under the user's own name.

    If joining is refused, or the user sees no such table, the redirect shows the join page.
    """
    user = somebody(request)
    code = read_code(code)
    invited = Invitation.objects.filter(room__code=code, user=user).exists()
    if invited or is_shown_to(user, code):
        try:
            rooms.join(code, user.pk, str(user)).result()
        except Refused as refused:
            messages.error(request, refusal(refused))
    return redirect("table", code)


@for_somebody
@require_POST
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Decline an invitation. The host may invite the user again."""
    rooms.decline(code, somebody(request).pk).result()
    return redirect("tables")
