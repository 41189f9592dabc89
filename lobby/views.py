"""Pages for finding a table: the front page, a new table, joining by code or link, playing now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import segno
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.contrib.staticfiles import finders
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_GET, require_POST

from accounts import limits
from accounts.guests import make_guest
from accounts.limits import Asker
from accounts.models import User
from games import rooms
from games.engine.absent import game_of
from games.engine.catalogs import choices
from games.language.sentences import refusal, say
from games.language.terms import term
from games.models import Member, Room
from games.regions import manual
from games.regions.forms import option_form
from games.regions.page import first_view, sheet_of
from games.rooms import passwords
from games.rules import GAMES
from games.rules.core import AnyGame, Refused
from games.rules.data import pack
from games.sockets.command_forms import options_from_form
from lobby.forms import CodeForm, JoinForm, NameForm, TableForm
from lobby.listing import public_tables

BACKEND = "django.contrib.auth.backends.ModelBackend"
ABOUT = {"UsernameTaken": "name", "UsernameInvalid": "name", "WrongPassword": "password"}
"""The fields of our forms that a refusal may be about."""


@require_GET
def front(request: HttpRequest) -> HttpResponse:
    """What this is, your tables, ways to play, the live list."""
    return _front(request)


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """A guest, a table of one's own, bots on the other seats, and the match begins."""
    game = GAMES.get(request.POST.get("game", ""))
    form = NameForm(request.POST)
    if game is None or not (form.is_valid() or _user(request)):
        return _front(request, name_form=form, status=422)
    bots = min(game.seats[1], max(game.seats[0], 4)) - 1
    level = list(game.bots)[-1]
    try:
        with _somebody(request, form.cleaned_data.get("name", "")) as user:
            joined = rooms.open_room(
                user.pk, game.slug, str(user), visibility="unlisted", bots=[level] * bots
            ).result()
        rooms.start(joined.room_id, user.pk).result()
    except Refused as refused:
        return _front(request, problem=refusal(refused, game.words(game.options())), status=422)
    return redirect("table", joined.code)


@require_POST
def by_code(request: HttpRequest) -> HttpResponse:
    """From a code to its table."""
    form = CodeForm(request.POST)
    who = limits.asker(request)
    limits.check("codes", who)
    if not form.is_valid():
        limits.count("codes", who)
        return _front(request, code_form=form, status=422)
    return redirect("table", form.cleaned_data["code"])


def new_table(request: HttpRequest, slug: str) -> HttpResponse:
    """A form for a new table, made from the game's options."""
    game = GAMES.get(slug)
    if game is None:
        return redirect("front")
    user = _user(request)
    name = str(user or "")
    if request.method != "POST":
        return _new_table(request, game, TableForm(name=name))
    form = TableForm(request.POST, name=name)
    if not form.is_valid():
        return _new_table(request, game, form, posted(request))
    try:
        with _somebody(request, form.cleaned_data["name"]) as user:
            joined = _open(request, game, user, form.cleaned_data)
    except Refused as refused:
        _blame(form, refused, _about_option(game, refused))
        return _new_table(request, game, form, posted(request))
    return redirect("table", joined.code)


def table(request: HttpRequest, code: str) -> HttpResponse:
    """The table itself for its members; for everybody else the way in."""
    room = Room.objects.filter(code=code.upper()).exclude(status=Room.Status.CLOSED).first()
    member = _member(request, room) if room else None
    if room is None or member is None:
        return _way_in(request, code, room)
    url = request.build_absolute_uri(reverse("table", args=[room.code]))
    context = {
        "room": room,
        "game": game_of(room.game),
        "member": member,
        "link": url,
        "qr": segno.make_qr(url).svg_inline(border=2, light="#fff", svgclass="qr", omitsize=True),
        "first": first_view(room.pk, member.user_id, get_language() or "en"),
        "look": f"games/{room.game}.css" if finders.find(f"games/{room.game}.css") else "",
    }
    return render(request, "games/table.html", context)


@require_GET
def person_sheet(request: HttpRequest, code: str, member: int) -> HttpResponse:
    """What a tap on somebody at one's table opens."""
    room = Room.objects.filter(code=code.upper()).exclude(status=Room.Status.CLOSED).first()
    here = _member(request, room) if room else None
    if room is None or here is None:
        raise Http404
    html = sheet_of(room.pk, here.user_id, member, get_language() or "en")
    if html is None:
        raise Http404
    return HttpResponse(html)


def _way_in(request: HttpRequest, code: str, room: Room | None) -> HttpResponse:
    """For who is not at a table: whether there is one is not for endless guessing."""
    who = limits.asker(request)
    limits.check("codes", who)
    if room is not None:
        return _join(request, room)
    if not (why := _why_closed(request, code)):
        limits.count("codes", who)
    return render(request, "lobby/no_table.html", {"code": code, "why": why}, status=404)


def _why_closed(request: HttpRequest, code: str) -> str:
    """What moderators say to who sat at a table when they closed it; "" to everybody else."""
    sat = Member.objects.filter(room__code=code.upper(), left_because="closed", bot="")
    member = sat.filter(user=_user(request)).first() if _user(request) else None
    if member is None:
        return ""
    return refusal(Refused("gone_closed", reason=member.left_note), language=_language(request))


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave a table for good."""
    room = Room.objects.filter(code=code.upper()).first()
    if room is not None and (member := _member(request, room)):
        assert member.user_id is not None
        rooms.leave(room.pk, member.user_id).result()
    return redirect("front")


@login_not_required
@require_GET
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules of a game as a new table plays it, on a page of their own."""
    game = GAMES.get(slug)
    if game is None:
        return redirect("front")
    context = {"game": game, "manual": manual.blocks(slug, game.options(), None)}
    return render(request, "games/rules.html", context)


@login_not_required
@require_POST
def forget_me(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("front")


def _front(
    request: HttpRequest,
    name_form: NameForm | None = None,
    code_form: CodeForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    games = [
        {
            "slug": game.slug,
            "name": game.name,
            "tagline": say(game.words(game.options()).tagline),
            "least": game.seats[0],
            "most": game.seats[1],
        }
        for game in GAMES.values()
    ]
    context = {
        "games": games,
        "tables": public_tables(),
        "name_form": name_form or NameForm(),
        "code_form": code_form or CodeForm(),
        "problem": problem,
    }
    return render(request, "lobby/front.html", context, status=status)


def posted(request: HttpRequest) -> dict[str, Any]:
    """The fields of a form, those that came more than once as lists."""
    return {name: v[0] if len(v) == 1 else v for name, v in request.POST.lists()}


def _new_table(
    request: HttpRequest, game: AnyGame, form: TableForm, given: dict[str, Any] | None = None
) -> HttpResponse:
    options = pack(game.options())
    if given is not None:
        options |= options_from_form(game.slug, given)
    user = _user(request)
    several = choices(game, options, user.pk if user else None)
    context = {"game": game, "form": form, "fields": option_form(game, options, several)}
    return render(request, "lobby/new_table.html", context, status=422 if given else 200)


def _open(request: HttpRequest, game: AnyGame, user: User, given: dict[str, Any]) -> rooms.Joined:
    bots = min(given["bots"] or 0, game.seats[1] - 1)
    return rooms.open_room(
        user.pk,
        game.slug,
        given["name"],
        options_from_form(game.slug, posted(request)),
        given["visibility"],
        passwords.hashed(given["password"]).result(),
        [list(game.bots)[-1]] * bots,
    ).result()


def _join(request: HttpRequest, room: Room) -> HttpResponse:
    user = _user(request)
    if (why := _kept_out(room, user)) and request.method != "POST":
        return render(request, "lobby/kept_out.html", {"room": room, "why": why}, status=403)
    locked, name = bool(room.password), str(user or "")
    form = JoinForm(request.POST or None, locked=locked, name=name)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            known = _proof(request, room, given.get("password", ""))
            with _somebody(request, given["name"]) as user:
                rooms.join(room.code, user.pk, given["name"], known, given["spectate"]).result()
            return redirect("table", room.code)
        except Refused as refused:
            _blame(form, refused, refusal(refused, language=_language(request)))
    context = {"room": room, "game": game_of(room.game), "form": form}
    return render(request, "lobby/join.html", context, status=422 if form.errors else 200)


def _blame(form: Form, refused: Refused, sentence: str) -> None:
    """Say what is refused at the field it is about, and lead there; else above the form."""
    field = ABOUT.get(refused.code)
    if field not in form.fields:
        form.add_error(None, sentence)
        return
    form.add_error(field, sentence)
    form.fields[field].widget.attrs["autofocus"] = True


def _proof(request: HttpRequest, room: Room, password: str) -> str:
    """What shows that the password is known. Who guesses too often is not told any more."""
    if not room.password:
        return ""
    who = limits.asker(request)
    limits.check("passwords", who)
    known = passwords.proof(room.code, password).result()
    if password and not known:
        limits.count("passwords", who)
    return known


def _kept_out(room: Room, user: User | None) -> str:
    """Why somebody need not try to come in ("kicked", "invited" for not being so), else ""."""
    member = room.members.filter(user=user).first() if user else None
    if member is not None:
        return "kicked" if member.kicked_at else ""
    if room.visibility != Room.Visibility.INVITED:
        return ""
    return "" if user and room.invitations.filter(user=user).exists() else "invited"


def _about_option(game: AnyGame, refused: Refused) -> str:
    if "option" not in refused.facts:
        return refusal(refused, game.words(game.options()))
    facts = {**refused.facts, "option": term(game.words(game.options()), refused.facts["option"])}
    return refusal(Refused(refused.code, **facts))


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


@contextmanager
def _somebody(request: HttpRequest, name: str) -> Iterator[User]:
    """Who asks. A stranger is a guest of this name from now on, if what follows works out."""
    if user := _user(request):
        yield user
        return
    limits.take("guests", Asker(address=limits.asker(request).address))
    guest = make_guest(name)
    try:
        yield guest
    except BaseException:
        guest.delete()
        raise
    login(request, guest, backend=BACKEND)


def _member(request: HttpRequest, room: Room) -> Member | None:
    user = _user(request)
    return room.members.filter(user=user, left_at=None).first() if user else None


def _language(request: HttpRequest) -> str:
    return getattr(request, "LANGUAGE_CODE", "en")


def server_error(request: HttpRequest) -> HttpResponse:
    """Something went wrong on our side."""
    text = gettext("Something went wrong. We have noted it; please try again.")
    return render(request, "error.html", {"heading": gettext("Sorry"), "text": text}, status=500)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that cannot be read: too large, or not meant for this site."""
    text = gettext("That was too large or unreadable. Nothing was changed.")
    return render(request, "error.html", {"heading": gettext("Sorry"), "text": text}, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """No such page."""
    text = gettext("There is no page at this address.")
    return render(request, "error.html", {"heading": gettext("Not here"), "text": text}, status=404)


def not_yours(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Somebody is logged in, but not as somebody who may do this."""
    text = gettext("You can't see this page. Log in with an account that can.")
    return render(
        request, "error.html", {"heading": gettext("Not yours"), "text": text}, status=403
    )


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form of a page from before its person logged in or out."""
    text = gettext("This page was out of date, and nothing was changed. Reload it and try again.")
    return render(request, "error.html", {"heading": gettext("Sorry"), "text": text}, status=403)


def too_often(request: HttpRequest) -> HttpResponse:
    """Somebody tries passwords, or taps twice."""
    text = gettext("Too many tries. Wait a few minutes.")
    return render(
        request, "error.html", {"heading": gettext("Slow down"), "text": text}, status=429
    )
