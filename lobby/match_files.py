"""Lists for programs, as lines of JSON: public tables, finished matches, and one match."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import limits
from accounts.limits import TooOften
from accounts.models import User
from accounts.people import user_of
from games.contract.data import Seat
from games.history import match_history, match_list
from games.history.luck_record import luck_record
from games.history.match_lines import Reader, match_line, match_lines
from games.history.match_list import Wanted
from games.models import Match
from games.registry import GAMES
from games.wire.wire import to_text
from lobby.listing import public_tables

MOST, USUAL, MOST_IN_FULL = 500, 50, 20
"""Maximum and usual number of matches in one response, and the maximum with all their acts."""
NUMBER = re.compile(r"[0-9]{1,15}")

View = Callable[..., HttpResponse]


class _BadRequest(Exception):
    """A parameter is unknown or its value is not valid."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field, self.reason = field, reason


class _NotFound(Exception):
    """There is no such match, or the user may not know it."""


def _for_programs(view: View) -> View:
    """Limit the rate of a view, and let it explain refusals as JSON."""

    @never_cache
    @require_safe
    @vary_on_headers("Accept-Encoding", "Authorization", "Cookie")
    @wraps(view)
    def answer(request: HttpRequest, **path: Any) -> HttpResponse:
        try:
            limits.take("matches", limits.asker(request))
            return _packed(request, view(request, **path))
        except _BadRequest as bad:
            facts = {"code": "bad_request", "field": bad.field, "reason": bad.reason}
            return JsonResponse(facts, status=400)
        except _NotFound:
            return JsonResponse({"code": "not_found"}, status=404)
        except TooOften as error:
            wait = {"Retry-After": str(error.seconds)}
            return JsonResponse({"code": "too_often"}, status=429, headers=wait)

    return answer


@_for_programs
def tables(request: HttpRequest) -> HttpResponse:
    """Return the public tables, as the front page lists them."""
    _Parameters(request.GET, ())
    return _file([f"{to_text(_table(one))}\n" for one in public_tables()])


def _table(listed: dict[str, Any]) -> dict[str, Any]:
    names = {"room": "code", "game": "slug", "players": "people", "seats": "most"}
    same = ("host", "playing", "locked")
    found = {name: listed[of] for name, of in names.items()}
    return {"type": "Table", **found, **{name: listed[name] for name in same}}


@_for_programs
def matches(request: HttpRequest) -> HttpResponse:
    """Return a portion of the list of matches."""
    given = _Parameters(request.GET, ("game", "user", "rated", "after", "order", "limit", "full"))
    in_full = given.one_of("full", ("gallery",)) is not None
    most = MOST_IN_FULL if in_full else MOST
    wanted = Wanted(
        in_full=in_full,
        limit=given.number("limit", 1, most) or min(USUAL, most),
        after=given.number("after", 0),
        newest_first=given.one_of("order", ("asc", "desc")) != "asc",
        game=given.one_of("game", tuple(GAMES)),
        user=given.text("user"),
        is_rated={"yes": True, "no": False, None: None}[given.one_of("rated", ("yes", "no"))],
    )
    portion = match_list.portion(wanted, user_of(request))
    lines = [*_lines(portion.matches, "gallery" if in_full else None)]
    last = portion.matches[-1].no if portion.matches else wanted.after or 0
    lines.append(f"{to_text({'type': 'Last' if portion.is_last else 'More', 'after': last})}\n")
    return _file(lines)


@_for_programs
def match(request: HttpRequest, number: int) -> HttpResponse:
    """Return one match, as the gallery, a seat or everybody together saw it."""
    viewer = user_of(request)
    row = _viewable(number, viewer)
    reader = _reader(_Parameters(request.GET, ("as",)), row, viewer)
    return _file([*_lines([row], reader)])


@_for_programs
def luck(request: HttpRequest, number: int) -> HttpResponse:
    """Return the record with which anybody can check the random draws of a match."""
    _Parameters(request.GET, ())
    row = _viewable(number, user_of(request))
    if not row.revealed or row.pruned:
        raise _NotFound
    return HttpResponse(to_text(luck_record(row)), content_type="application/json")


def _viewable(number: int, viewer: User | None) -> Match:
    """Return a finished match. Raise _NotFound if this viewer may not view it."""
    found = Match.objects.select_related("room").defer(*match_list.UNREAD).filter(pk=number)
    row: Match | None = found.first()
    if row is None or not match_history.may_view(row, viewer.pk if viewer else None):
        raise _NotFound
    return row


def _lines(found: Sequence[Match], reader: Reader | None) -> Iterator[str]:
    """Yield the lines of these matches, with their acts if there is a reader."""
    seats = match_list.seats_in(found)
    acts = match_list.acts_in(found) if reader is not None else {}
    for row in found:
        if reader is None:
            yield f"{to_text(match_line(row, seats[row.pk]))}\n"
        else:
            yield from match_lines(row, seats[row.pk], acts.get(row.pk, ()), reader)


def _reader(given: _Parameters, row: Match, viewer: User | None) -> Reader:
    """Return whose view is asked for. Raise _NotFound if this viewer may not have it."""
    asked = given.text("as") or "gallery"
    if asked == "gallery":
        return "gallery"
    players = list(row.players.all())
    if asked == "all":
        if not row.revealed:
            raise _NotFound
        return "all"
    if not NUMBER.fullmatch(asked) or int(asked) >= len(players):
        raise _BadRequest("as", f"It must be gallery, all or a seat from 0 to {len(players) - 1}.")
    shown = match_history.seats_shown(row, players, viewer.pk if viewer else None)
    if int(asked) not in shown:
        raise _NotFound
    return Seat(int(asked))


class _Parameters:
    """The parameters of a request, each of which is given at most once and is not empty."""

    def __init__(self, given: QueryDict, known: Collection[str]) -> None:
        for name, values in given.lists():
            if name not in known:
                raise _BadRequest(name, f"It must be one of: {', '.join(known)}.")
            if len(values) > 1:
                raise _BadRequest(name, "It is given more than once.")
            if not values[0]:
                raise _BadRequest(name, "It is empty.")
        self._given = given

    def text(self, name: str) -> str | None:
        """Return a parameter, or None if it is not given."""
        found: str | None = self._given.get(name)
        return found

    def one_of(self, name: str, allowed: Sequence[str]) -> str | None:
        """Return a parameter with one of these values, or None if it is not given."""
        found = self.text(name)
        if found is not None and found not in allowed:
            raise _BadRequest(name, f"It must be one of: {', '.join(allowed)}.")
        return found

    def number(self, name: str, least: int, most: int | None = None) -> int | None:
        """Return a number in this range, or None if it is not given."""
        found = self.text(name)
        if found is None:
            return None
        number = int(found) if NUMBER.fullmatch(found) else -1
        if number < least or (most is not None and number > most):
            upwards = f"a number from {least}" + ("" if most is None else f" to {most}")
            raise _BadRequest(name, f"It must be {upwards}.")
        return number


def _file(lines: Sequence[str]) -> HttpResponse:
    return HttpResponse("".join(lines), content_type="application/x-ndjson")


def _packed(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Compress a response if the client can read that. It contains nothing that somebody else could
    choose next to a secret.
    """
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        answer.content = gzip.compress(answer.content, 5, mtime=0)
        answer["Content-Encoding"] = "gzip"
    return answer
