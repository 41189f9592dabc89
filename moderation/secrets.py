"""View the secrets of a match.

Staff must give a reason, which is logged. The table is informed when the match ends.
"""

from __future__ import annotations

import json
import time
from typing import Any

from django.contrib.admin import site
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache

from games.contract.core import Refused
from games.contract.data import Seat
from games.engine.snapshots import decode_snapshot, told_in
from games.models import Act, Match
from games.tables.sentences import say
from games.wire.wire import to_wire
from moderation import actions
from moderation.action_forms import WhyForm, say_why_not

LOOKED = "looked_at_secrets"
"""Session key for the match for which a reason was last given, and for the time of that reason."""
KEEPS_OPEN = 600
"""Seconds after which the page asks for a reason again."""


@never_cache
def secrets_page(request: HttpRequest, number: int) -> HttpResponse:
    """Ask for a reason if the match is running. Then show each player's events and view."""
    if not request.user.has_perm("games.see_secrets"):
        raise PermissionDenied
    match = get_object_or_404(Match, pk=number)
    context = {
        **site.each_context(request),
        "title": gettext("Secrets"),
        "match": match,
    }
    if match.ended_at is None and not _may_go_on(request, match):
        form = WhyForm(request.POST or None)
        form.fields["reason"].label = gettext("Reason (told to the table at the end)")
        if not form.is_valid():
            status = 422 if form.errors else 200
            page = {**context, "form": form}
            return render(request, "admin/moderation/secrets.html", page, status=status)
        assert request.user.pk is not None
        try:
            actions.look(request.user.pk, match.pk, form.cleaned_data["reason"]).result()
        except Refused as refused:
            say_why_not(request, refused)
            return redirect("admin:games_match_change", match.pk)
        request.session[LOOKED] = [match.pk, time.time()]
        return redirect(request.path)
    context["seats"] = _seats(match)
    return render(request, "admin/moderation/secrets.html", context)


def _may_go_on(request: HttpRequest, match: Match) -> bool:
    """Return whether this session gave a reason recently and its user does not play in the
    match.
    """
    number, at = request.session.get(LOOKED, (None, 0))
    lately = number == match.pk and time.time() - at < KEEPS_OPEN
    return lately and not match.players.filter(user=request.user.pk or 0).exists()


def _seats(match: Match) -> list[dict[str, Any]]:
    """Return each seat's name, its private events as sentences, and its view as JSON."""
    seen = decode_snapshot(match)
    words, language = seen.game.telling.words(seen.options), get_language() or "en"
    acts = Act.objects.filter(match=match).order_by("number")
    told = [one for act in acts for one in told_in(seen.game, act.told) if one.to is not None]
    return [
        {
            "name": name,
            "told": [
                say(line, seen.names, language)
                for one in told
                if one.to is not None and at in one.to and (line := words.event(one.event))
            ],
            "view": _plain(to_wire(seen.game.rules.view(seen.state, Seat(at)), seen.names)),
        }
        for at, name in enumerate(seen.names)
    ]


def _plain(view: Any) -> str:
    return json.dumps(view, indent=1, ensure_ascii=False, default=str)
