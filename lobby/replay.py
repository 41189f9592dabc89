"""Replays: a page for every moment of a finished match, seen through a seat or from the gallery."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import limits
from accounts.models import User
from games.contract.data import Viewer
from games.history import match_history
from games.history.match_history import viewer_at
from games.history.replay import Replay, unfold
from games.models import Match
from games.pages import legend
from games.pages.files import parts_of
from games.pages.lines import log_lines
from games.pages.names import face_at, short
from games.pages.region import Region
from games.pages.replay import regions
from games.pages.templating import render as draw
from games.tables.table import Table

Json = dict[str, Any]

GALLERY = "gallery"
PARTS = ("status", "seats", "board", "hand", "actions")
"""Ids of the regions that a step replaces."""


@never_cache
@vary_on_headers("HX-Request")
@require_safe
def moment(request: HttpRequest, number: int, version: int) -> HttpResponse:
    """Show a match as it was after one act. A request from a script gets only the regions."""
    limits.take("replays", limits.asker(request))
    row = Match.objects.select_related("room").filter(pk=number).first()
    user_id = request.user.pk if isinstance(request.user, User) else None
    if row is None or not match_history.may_view(row, user_id):
        raise Http404
    replay = unfold(row)
    if replay is None or not 1 <= version <= len(replay.told):
        raise Http404
    seat, named = _seat(request, replay, user_id)
    parts = _parts(replay, version, seat)
    if request.headers.get("HX-Request"):
        return HttpResponse("".join(parts.values()))
    return render(request, "lobby/replay.html", _page(replay, version, seat, named, user_id, parts))


def _seat(request: HttpRequest, replay: Replay, user_id: int | None) -> tuple[Viewer, str]:
    """Return the seat to look through, and `?as=` if the address names it.

    Raise Http404 for a seat that does not exist or may not be looked through.
    """
    asked = request.GET.getlist("as")
    if set(request.GET) - {"as"} or len(asked) > 1:
        raise Http404
    if not asked:
        return match_history.own_seat(replay.last, user_id), ""
    if asked[0] == GALLERY:
        return None, f"?as={GALLERY}"
    shown = match_history.seats_shown(replay.last.row, replay.last.players, user_id)
    found = next((seat for seat in shown if str(seat) == asked[0]), None)
    if found is None:
        raise Http404
    return found, f"?as={found}"


def _parts(replay: Replay, version: int, seat: Viewer) -> dict[str, SafeString]:
    """Return the HTML of the regions by id. After the rules have changed there is only a note."""
    language = get_language() or "en"
    table = replay.table(version)
    if table is None:
        note = gettext("The rules have changed since. From here on you see the log only.")
        empty = {name: format_html('<section id="{}" hidden></section>', name) for name in PARTS}
        said = format_html('<section id="status"><p class="sentence">{}</p></section>', note)
        return {**empty, "status": said}
    has_sat_down = seat is not None and seat < len(table.names)
    viewer = viewer_at(replay.last, seat, version) if has_sat_down else None
    return {
        one.id: SafeString(draw(table, one, language)) for one in regions(table, viewer, language)
    }


def _page(
    replay: Replay,
    version: int,
    seat: Viewer,
    named: str,
    user_id: int | None,
    parts: dict[str, SafeString],
) -> Json:
    last, table = replay.last, match_history.table_of(replay.last.row)
    shown = sorted(match_history.seats_shown(last.row, last.players, user_id))
    language = get_language() or "en"
    return {
        "match": last.row,
        "game": last.game,
        "own": parts_of(last.row.game),
        "parts": parts,
        "legend": SafeString(draw(table, legend(table), language)),
        "log": SafeString(draw(table, _log(replay, table, version, seat, named), language)),
        "version": version,
        "last": len(replay.told),
        "before": max(1, version - 1),
        "after": min(len(replay.told), version + 1),
        "ticks": replay.heavy,
        "named": named,
        "seats": [
            {
                "at": at,
                "name": short(last.names[at]),
                "face": face_at(table, last.names[at], last.names[at] != short(last.names[at])),
                "shown": at == seat,
            }
            for at in shown
        ],
        "gallery": seat is None,
    }


def _log(replay: Replay, table: Table, version: int, seat: Viewer, named: str) -> Region:
    """Return the region with the whole log. Lines after this version are hidden."""
    lines: list[Json] = []
    for act in replay.told:
        for line in log_lines(table, [act], viewer_at(replay.last, seat, act.version)):
            link = {"moment": f"../{act.version}/{named}", "later": act.version > version}
            lines.append({**line, **link})
    return Region("story", "log", {"lines": lines})
