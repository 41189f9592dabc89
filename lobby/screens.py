"""The page for a big screen: the public state of a table in large letters, without controls."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

from accounts import own_address
from accounts.people import user_of
from games.contract.core import Refused
from games.engine.absent import game_of
from games.engine.table_policy import policy_of
from games.models import Room
from games.pages.files import parts_of
from games.pages.page import first_view
from games.rooms import screens
from games.rooms.finding import open_room
from games.tables.sentences import refusal
from lobby.joining import proof, way_in
from lobby.qr import qr


@never_cache
def screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show a table on a big screen, or the reason why this visitor may not watch it.

    Each browser has to enter the password of a table only once.
    """
    room = open_room(code)
    if room is None:
        return way_in(request, code, None)
    user, asked = user_of(request), request.method == "POST"
    known = screens.noted_password(request.session, room)
    try:
        if asked:
            known = proof(request, room, request.POST.get("password", ""))
        screens.check(room, user.pk if user else None, known)
    except Refused as why:
        return _door(request, room, why, asked)
    if asked:
        if known:
            screens.note_password(request.session, room)
        return redirect("screen", room.code)
    return _shown(request, room)


def _shown(request: HttpRequest, room: Room) -> HttpResponse:
    url = own_address.link(request, reverse("table", args=[room.code]))
    context = {
        "room": room,
        "game": game_of(room.game),
        "qr": qr(url),
        "host": own_address.site(request).partition("://")[2],
        "first": first_view(room, None, get_language() or "en"),
        "own": parts_of(room.game),
        "can_sit": policy_of(room).may_sit(room),
    }
    return render(request, "games/screen.html", context)


def _door(request: HttpRequest, room: Room, why: Refused, asked: bool) -> HttpResponse:
    """Explain why the screen is not shown. Include a password field if a password would help."""
    locked = why.code == "WrongPassword"
    said = "" if locked and not asked else refusal(why)
    context = {"room": room, "locked": locked, "said": said}
    status = 422 if asked else 200 if locked else 403
    return render(request, "lobby/screen_door.html", context, status=status)
