"""Style guide: all page elements in their states and both themes, for staff and developers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from jinja2 import Undefined

from accounts.themes import A_YEAR
from games.contract.words import Text
from games.pages.beats import Bubble
from games.pages.files import colours
from games.pages.templating import environment
from games.tables.sentences import emphasized
from lobby.forms import NameForm
from lobby.posters import posters

SEATS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Ann", {"turn": True}),
    ("Bela (bot)", {"bot": True, "awaited": True, "said": gettext_lazy("Allow.")}),
    ("Dora", {"next": True}),
    ("Fay", {"away": True}),
    ("Gus", {"out": True}),
    ("Hedy", {"you": True}),
)
"""Sample seats: name and state."""
QUESTION = Text("You hold the gun. **Who?**")
STATES = ("turn", "next", "awaited", "out", "away", "bot", "you")
COLOURS = (
    "paper",
    "panel",
    "bar",
    "field",
    "line",
    "ink",
    "dim",
    "link",
    "gold",
    "good",
    "warn",
    "main",
    "danger",
    "quiet",
    "gold-fill",
)


@login_not_required
@require_safe
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def game_colours(request: HttpRequest, version: str) -> HttpResponse:
    """Return the style sheet with the colours of all games. Its URL changes with them."""
    return HttpResponse(colours(), content_type="text/css; charset=utf-8")


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show the style guide to staff, and to everybody in DEBUG. Others get a 404."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404
    context = {
        "themes": (("dark", _("Evening")), ("light", _("Daylight"))),
        "colours": COLOURS,
        "seats": mark_safe("".join(_seat(at, *one) for at, one in enumerate(SEATS))),
        "posters": posters(),
        "question": emphasized(QUESTION),
        "wrong": _wrong(),
    }
    return render(request, "lobby/style.html", context)


def _seat(at: int, name: str, on: dict[str, Any]) -> str:
    """Render a seat with the template of tables, but without its id, because each seat is on the
    page twice.
    """
    facts: dict[str, Any] = {}
    said = str(on.get("said", ""))
    bubble = Bubble(said, said) if said else None
    seat = {"name": name, "facts": facts, "sheet": None, **dict.fromkeys(STATES, False), **on}
    seat["bubble"] = bubble
    lenient = environment().overlay(undefined=Undefined)  # samples omit some variables
    template = lenient.get_template("generic/seat.html.jinja")
    drawn = template.render(id=f"seat-{at}", seat=seat, game="generic", term=str)
    return drawn.replace(f'id="seat-{at}" ', "", 1)


def _wrong() -> NameForm:
    """Return a form with an error, as a sample."""
    form = NameForm({"name": ""}, auto_id=False)
    form.is_valid()
    return form
