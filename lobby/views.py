"""Pages to find a table: the front page, a new table, joining by code or link, and quick play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import addresses, limits, own_address
from accounts.models import User
from accounts.people import user_of
from games import rooms
from games.contract.core import Refused
from games.contract.data import pack
from games.contract.game import AnyGame
from games.engine.absent import game_of
from games.engine.catalogs import choices, suited
from games.engine.lessons import lesson_of
from games.engine.rated import may_seek
from games.models import Member, Room
from games.models.rooms import read_code
from games.pages import manual
from games.pages.files import parts_of, poster_of
from games.pages.forms import grouped, option_form
from games.pages.page import first_view, sheet_of
from games.registry import FIRST_GAME, GAMES
from games.rooms import passwords, seeking
from games.rooms.finding import open_room
from games.sockets.command_forms import options_from_form
from games.tables.sentences import refusal, say
from games.tables.terms import in_words
from lobby import learning
from lobby.forms import CodeForm, NameForm, PassingForm, TableForm
from lobby.joining import ABOUT, blame, come_in, way_in
from lobby.listing import public_tables
from lobby.posters import card, posters
from lobby.qr import qr
from lobby.visitors import language_of, member_of, posted, rooms_of_request, user_or_new_guest

LAST_PAGE = 1000
"""Maximum page number in the list of tables."""
SitDown = Callable[[User, str, Mapping[str, Any]], rooms.Joined]
"""Takes a user to a table of this game, with the given options. Returns how they joined."""


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """Show the front page: the user's tables, ways to play, and the live list.

    `?code=` opens a table, and `?page=` shows further tables.
    """
    if code := read_code(request.GET.get("code", "")):
        return redirect("table", code)
    return _front(request)


@require_POST
def play_now(request: HttpRequest) -> HttpResponse:
    """Open a table with bots on the other seats, and start the match."""
    slug = request.POST.get("game") or _usual_game(request)
    if (game := GAMES.get(slug)) is None:
        return _front(request, status=422)
    bots = min(game.seats[1], max(game.seats[0], 4)) - 1
    _count_start(request)
    return _at_a_table(request, slug, partial(_opened, bots=[game.bots.usual_level] * bots))


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Look for a quick match: wait for others, or go to the table if they are there already."""
    slug = request.POST.get("game", "")
    if slug not in GAMES:
        return _front(request, status=422)
    limits.take("seeks", limits.asker(request))
    named_by = None if "name" in request.POST else PassingForm(request.POST)
    wish = request.GET.get("rated") or request.POST.get("rated", "")
    sit_down = partial(_seek, rated=wish == "yes", language=language_of(request))
    return _at_a_table(request, slug, sit_down, named_by)


@require_POST
def watch_bots(request: HttpRequest) -> HttpResponse:
    """Open a table at which bots play and the user watches.

    The game is the one that the user last played, unless the form names another.
    """
    slug = request.POST.get("game") or _usual_game(request)
    if (game := GAMES.get(slug)) is None:
        return _front(request, status=422)
    bots = [game.bots.usual_level] * min(game.seats[1], max(game.seats[0], 4))
    _count_start(request)
    sit_down = partial(_opened, bots=bots, watches=True)
    return _at_a_table(request, slug, sit_down, PassingForm(request.POST))


@require_POST
def learn(request: HttpRequest) -> HttpResponse:
    """Start the lesson of a game (FIRST_GAME by default), or return to an unfinished one."""
    game = GAMES.get(request.POST.get("game") or FIRST_GAME)
    if game is None or lesson_of(game) is None:
        return _front(request, problem=gettext("There is no lesson of this game yet."), status=422)
    _count_start(request)
    return _at_a_table(request, game.slug, _lesson, PassingForm(request.POST))


@require_POST
def invite_friends(request: HttpRequest) -> HttpResponse:
    """Open an unlisted table for the user to invite friends to."""
    slug = request.POST.get("game", "")
    if slug not in GAMES:
        return _front(request, status=422)
    if user := user_of(request):
        seeking.cancel(user.pk, slug).result()
    return _at_a_table(request, slug, _opened)


@require_POST
def by_code(request: HttpRequest) -> HttpResponse:
    """Open the table with this code.

    If a name is given, join at once. Otherwise show the join page.
    """
    form = CodeForm(request.POST)
    who = limits.asker(request)
    limits.check("codes", who)
    if not form.is_valid():
        limits.count("codes", who)
        return _front(request, code_form=form, status=422)
    room = Room.objects.get(code=form.cleaned_data["code"])
    if user_of(request) or not NameForm(request.POST).is_valid():
        return redirect("table", room.code)
    return come_in(request, room)


def new_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form for a new table, made from the game's options.

    If it is posted, open the table.
    """
    game = GAMES.get(slug)
    if game is None:
        return redirect("front")
    user = user_of(request)
    name = str(user or "")
    if request.method != "POST":
        return _new_table(request, game, TableForm(name=name))
    if "preset" in request.POST:
        kept = {name: request.POST.get(name, "") for name in TableForm.base_fields}
        form = TableForm(name=kept.pop("name"), initial=kept)
        return _new_table(request, game, form, preset=request.POST["preset"])
    form = TableForm(request.POST, name=name)
    if not form.is_valid():
        return _new_table(request, game, form, posted(request))
    try:
        with user_or_new_guest(request, form.cleaned_data["name"]) as user:
            joined = _open(request, game, user, form.cleaned_data)
    except Refused as refused:
        blame(form, refused, _about_option(game, refused))
        return _new_table(request, game, form, posted(request))
    return redirect("table", joined.code)


@never_cache  # a cached page would have a stale clock
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show the table to its members, and the join page to everybody else."""
    room = open_room(code)
    if room is not None and code != room.code and request.method != "POST":
        return redirect("table", room.code)
    if room is None or room.pk not in rooms_of_request(request):
        return way_in(request, code, room)
    url = own_address.link(request, reverse("table", args=[room.code]))
    context = {
        "room": room,
        "game": (game := game_of(room.game)),
        "auto_pass": game.rules.auto_pass is not None,
        "member": True,  # the menu of a table has sound settings but no links to log in
        "link": url,
        "site": own_address.site(request),
        "qr": qr(url),
        "first": first_view(room, request.user.pk, get_language() or "en"),
        "own": parts_of(room.game),
    }
    return render(request, "games/table.html", context)


@vary_on_headers("HX-Request")
@require_safe
def person_sheet(request: HttpRequest, code: str, member: int) -> HttpResponse:
    """Return the sheet that opens when somebody at the table is tapped.

    Redirect browsers that open this address directly to the table.
    """
    room = open_room(code)
    here = member_of(request, room) if room else None
    if room is None or here is None or here.user_id is None:
        raise Http404
    html = sheet_of(room.pk, here.user_id, member, get_language() or "en")
    if html is None:
        raise Http404
    if not request.headers.get("HX-Request"):
        return redirect("table", code)
    return HttpResponse(html)


@login_not_required
@require_safe
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of a game with the options of a new table."""
    game = GAMES.get(slug)
    if game is None:
        return redirect("front")
    context = {
        "game": game,
        "manual": manual.page(slug),
        "own": parts_of(slug),
        "lesson": lesson_of(game) is not None,
        "tagline": say(game.telling.words(game.rules.options()).tagline),
        "card": card(slug),
        "picture": poster_of(slug),
    }
    return render(request, "games/rules.html", context)


@login_not_required
@require_POST
def forget_me(request: HttpRequest) -> HttpResponse:
    """End the session, so that this browser forgets the user."""
    logout(request)
    return redirect("front")


def _new_table(
    request: HttpRequest,
    game: AnyGame,
    form: TableForm,
    given: dict[str, Any] | None = None,
    preset: str = "",
) -> HttpResponse:
    options = pack(game.rules.options()) | suited(game, language_of(request))
    if given is not None:
        options |= options_from_form(game.slug, given)
    if preset in {one.key for one in game.telling.presets}:
        options |= options_from_form(game.slug, {"preset": preset})
    user = user_of(request)
    several = choices(game, options, user.pk if user else None)
    context = {
        "game": game,
        "form": form,
        "groups": grouped(game, option_form(game, options, several)),
        "presets": [
            {"key": one.key, "name": say(one.name), "about": say(one.about)}
            for one in game.telling.presets
        ],
        "preset": preset,
    }
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
        [game.bots.usual_level] * bots,
        at_page=True,
    ).result()


def _about_option(game: AnyGame, refused: Refused) -> str:
    words = game.telling.words(game.rules.options())
    return refusal(in_words(refused, words), words)


def _count_start(request: HttpRequest) -> None:
    """Count the start of a match against the address limit. The command counts it against the
    host's.
    """
    limits.take("starts", limits.Asker(address=addresses.of_request(request)))


def _at_a_table(
    request: HttpRequest, slug: str, sit_down: SitDown, named_by: NameForm | None = None
) -> HttpResponse:
    """Take the user to a table. If that is refused, show the front page with an error."""
    game, form = GAMES[slug], named_by or NameForm(request.POST)
    named = form.is_valid()
    if not (named or user_of(request)):
        return _front(request, name_form=form, status=422)
    try:
        with user_or_new_guest(request, form.cleaned_data.get("name", "")) as user:
            joined = sit_down(user, slug, suited(game, language_of(request)))
    except Refused as refused:
        sentence = refusal(refused, game.telling.words(game.rules.options()))
        if named and refused.code in ABOUT:
            blame(form, refused, sentence)
            return _front(request, name_form=form, status=422)
        return _front(request, problem=sentence, status=422)
    return redirect("table", joined.code) if joined.code else redirect("waiting")


def _seek(
    user: User, slug: str, options: Mapping[str, Any], rated: bool, language: str
) -> rooms.Joined:
    asked = seeking.seek(user.pk, slug, str(user), rated=rated, at_page=True, language=language)
    return asked.result()


def _opened(
    user: User,
    slug: str,
    options: Mapping[str, Any],
    bots: Sequence[str] = (),
    watches: bool = False,
) -> rooms.Joined:
    """Open an unlisted table. With bots, also start the match. The host then plays or watches."""
    joined = rooms.open_room(
        user.pk, slug, str(user), options, visibility="unlisted", bots=bots, at_page=True
    ).result()
    if watches:
        rooms.set_spectating(joined.room_id, user.pk, spectating=True).result()
    if bots:
        rooms.start_first(joined.room_id).result()
    return joined


def _lesson(user: User, slug: str, options: Mapping[str, Any]) -> rooms.Joined:
    return rooms.learn(user.pk, slug, str(user), options).result()


def _usual_game(request: HttpRequest) -> str:
    """Return the user's last game, or else the first game to learn."""
    played = Member.objects.filter(user=user_of(request)).exclude(user=None)
    last = played.order_by("-joined_at").values_list("room__game", flat=True).first()
    return next(slug for slug in (last, FIRST_GAME, *GAMES) if slug in GAMES)


def _page_number(request: HttpRequest) -> int:
    written = request.GET.get("page", "")
    return max(1, min(int(written), LAST_PAGE)) if written.isdecimal() else 1


def _front(
    request: HttpRequest,
    name_form: NameForm | None = None,
    code_form: CodeForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "posters": posters(),
        "usual": GAMES[_usual_game(request)].name,
        "tables": public_tables(_page_number(request)),
        "name_form": name_form or NameForm(initial={"name": request.POST.get("name", "")}),
        "code_form": code_form or CodeForm(initial={"code": request.POST.get("code", "")}),
        "problem": problem,
        "offer": learning.offer(request, FIRST_GAME),
        "may_be_rated": may_seek(user_of(request)),
    }
    response = render(request, "lobby/front.html", context, status=status)
    if context["offer"]:
        learning.note_offer(response)
    return response
