"""The page of a user who looks for a quick match (`games.rooms.seeking`)."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.people import for_somebody, somebody
from games.contract.core import Refused
from games.rooms import seeking
from games.tables.sentences import refusal


@for_somebody
@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """Show who waits and what happens next, or go to the table that has been found.

    Loading the page renews the wait, so that it works without scripts.
    """
    user = somebody(request)
    found = seeking.of([user.pk]).get(user.pk, ())
    if table := next((one for one in found if one.code), None):
        return redirect("table", table.code)
    if not found:
        return redirect("front")
    with suppress(Refused):  # the writer is busy: an open socket renews it later
        seeking.renew([user.pk]).result()
    return render(request, "lobby/waiting.html")


@for_somebody
@require_POST
def stop(request: HttpRequest) -> HttpResponse:
    """Stop looking for a quick match."""
    seeking.cancel(somebody(request).pk, request.POST.get("game", "")).result()
    return redirect("front")


@for_somebody
@require_POST
def with_bots(request: HttpRequest) -> HttpResponse:
    """Go to a table with everybody who has waited long, and bots on the other seats."""
    game = request.POST.get("game", "")
    try:
        code = seeking.fill_with_bots(somebody(request).pk, game).result()
    except Refused as refused:
        messages.error(request, refusal(refused))
        code = ""
    return redirect("table", code) if code else redirect("waiting")
