"""The page of people you know: who is here and at which table, and one tap to join or invite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts import following
from accounts.isolation import isolated
from accounts.listed import Account
from accounts.models import User
from accounts.people import for_somebody, somebody
from games.contract.core import Ignored, Refused
from games.models import Member, Room
from games.models.rooms import read_code
from games.registry import GAMES
from games.rooms import following as commands
from games.rooms import inviting
from games.rooms.recent_players import RecentPlayer, recent_players_of
from games.tables.sentences import refusal
from lobby.listing import Mine

MOST_MET = 12
MOST_NAMED = 3
"""Maximum names of friends on the front page."""


class Seat(NamedTuple):
    """A membership of a friend, and its table."""

    user: int
    room: int
    code: str
    game: str
    status: str
    visibility: str
    password: str
    host: int | None


SHOWN = ("user", *(("room" if name == "room" else f"room__{name}") for name in Seat._fields[1:]))
"""Columns of a `Seat`."""


@dataclass(frozen=True)
class Friend:
    """An account that the user follows. `table` is the one shown to the user, if any."""

    person: Account
    shows: bool = False
    """Whether the user may see where the friend is."""
    here: bool = False
    seated: bool = False
    """Whether the friend is at a table, which may be hidden."""
    table: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Friends:
    """The people a user knows."""

    followed: Sequence[Friend] = ()
    followers: Sequence[Account] = ()
    met: Sequence[RecentPlayer] = ()
    at: frozenset[tuple[int, int]] = frozenset()
    """Pairs of a friend's user id and a room id. They include hidden tables."""

    @property
    def here(self) -> list[Friend]:
        """Friends who are here."""
        return [friend for friend in self.followed if friend.here]

    @property
    def named(self) -> list[Account]:
        """Some of the friends who are here, for the front page."""
        return [friend.person for friend in self.here[:MOST_NAMED]]

    @property
    def absent(self) -> list[Friend]:
        """Friends who are not here, or show nobody where they are."""
        return [friend for friend in self.followed if not friend.here]

    @cached_property
    def visible(self) -> frozenset[int]:
        """User ids of the friends who show the user where they are."""
        return frozenset(friend.person.pk for friend in self.followed if friend.shows)


def friends_of(user: Any, mine: Mine) -> Friends:
    """Return whom a user follows, followers, and recent players. Guests have none of these."""
    if not _may_follow(user):
        return Friends()
    known = following.relations_of(user.pk)
    shown = [one.account for one in known.followed if one.shows]
    at = _members(shown)
    followed = [_friend(one.account, one.shows, at, mine) for one in known.followed]
    here = following.here_among(one.pk for one in shown)
    listed = {one.account.username for one in known.followed}
    listed |= {one.username for one in known.followers}
    strangers = [one for one in recent_players_of(user.pk) if one.username not in listed]
    return Friends(_sorted(followed, here), known.followers, strangers[:MOST_MET], _pairs(at))


def friends_here(user: Any, mine: Mine) -> Friends:
    """Return only the friends who show the user where they are."""
    shown = following.visible_to(user.pk) if _may_follow(user) else ()
    if not shown:
        return Friends()
    at = _members(shown)
    here = following.here_among(one.pk for one in shown)
    return Friends(_sorted([_friend(one, True, at, mine) for one in shown], here), at=_pairs(at))


def is_shown_to(user: User, code: str) -> bool:
    """Whether a friend who shows the user where they are is at this table."""
    tables = (friend.table for friend in friends_here(user, Mine()).here)
    return any(table is not None and table["code"] == code for table in tables)


@for_somebody
@require_safe
def friends(request: HttpRequest) -> HttpResponse:
    """Show the people the user knows."""
    return render(request, "lobby/people.html", {"most": following.MOST})


@for_somebody
@require_POST
def follow(request: HttpRequest) -> HttpResponse:
    """Follow the account with this user name. Guests are told how to become an account."""
    user, name = somebody(request), request.POST.get("username", "")
    try:
        other = commands.follow(user.pk, name).result()
    except Refused as refused:
        messages.error(request, refusal(refused))
        return redirect("people")
    text = gettext("You follow %(name)s now.")
    messages.success(request, text % {"name": isolated(str(other))})
    return redirect(_back(request))


@for_somebody
@require_POST
def unfollow(request: HttpRequest) -> HttpResponse:
    """Follow an account no longer."""
    commands.unfollow(somebody(request).pk, request.POST.get("username", "")).result()
    messages.success(request, gettext("You stopped following them."))
    return redirect(_back(request))


@for_somebody
@require_POST
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Invite an account to a table that the user hosts."""
    user, name = somebody(request), request.POST.get("username", "")
    room = Room.objects.filter(code=read_code(code)).first()
    try:
        if room is None:
            raise Refused("InvalidRoom")
        inviting.invite(room.pk, user.pk, name).result()
    except (Refused, Ignored) as error:
        refused = error if isinstance(error, Refused) else Refused("not_allowed_now")
        messages.error(request, refusal(refused))
    else:
        asked = Refused("asked", username=name)
        messages.success(request, refusal(asked))
    return redirect("people")


def _back(request: HttpRequest) -> str:
    """Return the page on which the form was sent."""
    there = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if safe else "people"


def _may_follow(user: Any) -> bool:
    return bool(user.is_authenticated and user.is_active and not user.is_guest)


def _members(accounts: Sequence[Account]) -> Mapping[int, Sequence[Seat]]:
    """Return the memberships of these accounts that are connected to a table, newest first."""
    found: dict[int, list[Seat]] = {}
    if accounts:
        ids = [one.pk for one in accounts]
        present = Member.objects.filter(user__in=ids, left_at=None, away_since=None)
        open_ones = present.exclude(room__status=Room.Status.CLOSED)
        for row in open_ones.order_by("-joined_at", "-pk").values_list(*SHOWN):
            seat = Seat._make(row)
            found.setdefault(seat.user, []).append(seat)
    return found


def _friend(account: Account, shows: bool, at: Mapping[int, Sequence[Seat]], mine: Mine) -> Friend:
    seats = at.get(account.pk, ())
    seen = next((seat for seat in seats if _is_visible(seat, account, mine)), None)
    table = _table(seen, mine) if seen else None
    return Friend(account, shows, bool(seats), bool(seats), table)


def _is_visible(seat: Seat, friend: Account, mine: Mine) -> bool:
    """Whether a table is shown to somebody who sees where the friend is.

    Only the host of an unlisted table decides who learns its code.
    """
    if seat.room in mine.rooms:
        return True
    if seat.password or seat.visibility == Room.Visibility.INVITED:
        return False
    return seat.visibility == Room.Visibility.PUBLIC or seat.host == friend.pk


def _table(seat: Seat, mine: Mine) -> Mapping[str, Any]:
    return {
        "code": seat.code,
        "game": GAMES[seat.game].name if seat.game in GAMES else seat.game,
        "playing": seat.status == Room.Status.PLAYING,
        "yours": any(table["room"] == seat.room for table in mine.own),
    }


def _sorted(friends: Sequence[Friend], here: AbstractSet[int]) -> list[Friend]:
    """Add who has a page open. Sort by name, those at a table you can join first."""
    come = [
        Friend(one.person, one.shows, one.here or one.person.pk in here, one.seated, one.table)
        for one in friends
    ]
    return sorted(come, key=lambda one: (one.table is None, str(one.person).casefold()))


def _pairs(at: Mapping[int, Iterable[Seat]]) -> frozenset[tuple[int, int]]:
    return frozenset((user, seat.room) for user, seats in at.items() for seat in seats)
