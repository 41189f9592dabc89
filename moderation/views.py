"""Pages to report something to moderators."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.people import for_somebody, somebody
from games.contract.core import Ignored, Refused
from games.tables.sentences import notice, refusal
from moderation import reports


@for_somebody
@require_POST
def report_deck(request: HttpRequest, slug: str) -> HttpResponse:
    """Report a deck that the user can see but does not own, and redirect back to it."""
    reason, note = request.POST.get("reason", ""), request.POST.get("note", "")
    try:
        reports.of_deck(somebody(request).pk, slug, reason, note).result()
        messages.success(request, notice("reported"))
    except Ignored:
        raise Http404 from None
    except Refused as refused:
        messages.error(request, refusal(refused))
    return redirect("../")  # the page of the deck
