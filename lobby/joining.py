"""Pages to join a table by its link or code, and pages for users who cannot join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from accounts import addresses, limits
from accounts.handoff import cleaned
from accounts.models import User
from accounts.names import SENTENCES
from accounts.people import user_of
from games import rooms
from games.contract.core import Ignored, Refused
from games.contract.game import AnyGame
from games.engine.absent import game_of
from games.engine.table_policy import policy_of
from games.models import Member, Room
from games.models.rooms import read_code
from games.registry import GAMES
from games.rooms import giving_seats, members, passwords
from games.tables.sentences import notice, refusal
from lobby import posters
from lobby.forms import CodeForm, JoinForm
from lobby.handoff import moved_from
from lobby.visitors import language_of, member_of, user_or_new_guest

ABOUT = {**dict.fromkeys(SENTENCES, "name"), "UsernameOneWord": "name", "WrongPassword": "password"}
"""Form fields that refusals belong to, by refusal code."""
KEPT_OUT = {
    "Kicked": "kicked",
    "NotInvited": "invited",
    "RoomFull": "full",
    "TooManyWatching": "crowd",
    "InvalidRoom": "gone",
}
"""Refusals that no other name or password can avoid, with the name of their page."""


def way_in(request: HttpRequest, code: str, room: Room | None) -> HttpResponse:
    """Show a non-member the join page. Unknown codes are counted, to limit guessing."""
    who = limits.asker(request)
    limits.check("codes", who)
    if room is not None:
        return come_in(request, room)
    if not (why := _why_closed(request, code)):
        limits.count("codes", who)
    context = {"code": code, "why": why, "code_form": CodeForm()}
    return render(request, "lobby/no_table.html", context, status=404)


def come_in(request: HttpRequest, room: Room) -> HttpResponse:
    """Show the join form, or join if it is posted and valid."""
    posting, user = request.method == "POST", user_of(request)
    if not posting and (why := _kept_out(room, user)):
        return _stay_out(request, room, why, 403)
    was, still = None, False
    form = JoinForm(request.POST or None, locked=bool(room.password), name=str(user or ""))
    if posting and form.is_valid():
        try:
            _join(request, room, form.cleaned_data)
            return redirect("table", room.code)
        except Refused as refused:
            if why := KEPT_OUT.get(refused.code, ""):
                return _stay_out(request, room, why, 422)
            blame(form, refused, refusal(refused))
            if refused.code in ("UsernameTaken", "UsernameLookalike"):
                was = giving_seats.absent_player(room, form.data["name"])
                still = was is None and giving_seats.is_played(room, form.data["name"])
    context = {
        "was": was.name if was else "",
        "still": still,
        "room": room,
        "game": game_of(room.game),
        "form": form,
        "moved": moved_from(request),
        "may_sit": policy_of(room).may_sit(room),
        "comes_as": members.coming_as(room, user.pk if user else None),
        **_seen_by_strangers(room),
    }
    return render(request, "lobby/join.html", context, status=422 if form.errors else 200)


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave a table for good."""
    room = Room.objects.filter(code=read_code(code)).first()
    if room is not None and (member := member_of(request, room)):
        assert member.user_id is not None
        rooms.leave(room.pk, member.user_id).result()
    return redirect("front")


@require_POST
def new_game(request: HttpRequest, code: str) -> HttpResponse:
    """Leave a match in which the user is out, and start a new game with others who are out."""
    room = Room.objects.filter(code=read_code(code)).first()
    member = member_of(request, room) if room else None
    if room is None or member is None or member.user_id is None:
        return redirect("table", code)
    asked = cleaned(request.POST.get("room", "")) or None
    try:
        joined = rooms.leave_for_new_game(room.pk, member.user_id, asked).result()
    except (Ignored, Refused) as error:
        refused = error if isinstance(error, Refused) else Refused("not_allowed_now")
        messages.error(request, refusal(refused))
        return redirect("table", code)
    return redirect("table", joined.code)


def blame(form: Form, refused: Refused, sentence: str) -> None:
    """Show an error message next to its form field, and focus that field.

    If it has no field, show it above the form.
    """
    field = ABOUT.get(refused.code)
    if field not in form.fields:
        form.add_error(None, sentence)
        return
    form.add_error(field, sentence)
    form.fields[field].widget.attrs["autofocus"] = True


def _join(request: HttpRequest, room: Room, given: dict[str, Any]) -> None:
    """Join, or ask for the seat of an absent player. Raise Refused if that is not possible."""
    known = proof(request, room, given.get("password", ""))
    address = addresses.of_request(request)
    with user_or_new_guest(request, given["name"]) as user:
        if request.POST.get("was"):
            rooms.ask_for_seat(room.code, user.pk, given["name"], known, address).result()
        else:
            joined = rooms.join(
                room.code, user.pk, given["name"], known, given["spectate"], address=address
            )
            joined.result()


def _seen_by_strangers(room: Room) -> dict[str, Any]:
    """Return what the join page shows of a table: its game and players.

    The players of a locked or private table are left out.
    """
    game = GAMES.get(room.game)
    shown: dict[str, Any] = {"poster": posters.poster(game) if game else None, "people": []}
    if room.password or room.visibility == Room.Visibility.INVITED:
        return {**shown, "card": posters.card()}
    present = list(
        room.members.filter(left_at=None, spectator=False)
        .select_related("user")
        .order_by("joined_at", "pk")
    )
    return {
        **shown,
        "people": present,
        "host": room.host,
        "card": posters.card(room.game),
        "taken": _taken(room, game, present) if game else 0,
    }


def _taken(room: Room, game: AnyGame, present: Sequence[Member]) -> int:
    """Return the number of seats if all are taken, or else 0."""
    most = policy_of(room).most_seats(game.seats[1])
    here = sum(member.away_since is None for member in present)
    return most if most is not None and here >= most else 0


def _stay_out(request: HttpRequest, room: Room, why: str, status: int) -> HttpResponse:
    user = user_of(request)
    needs_account = why == "invited" and (user is None or user.is_guest)
    context = {"room": room, "why": why, "needs_account": needs_account}
    return render(request, "lobby/kept_out.html", context, status=status)


def _why_closed(request: HttpRequest, code: str) -> str:
    """Tell former members why moderators closed a table. Return "" for everybody else."""
    sat = Member.objects.filter(room__code=read_code(code), left_because="closed", bot="")
    member = sat.filter(user=user_of(request)).first() if user_of(request) else None
    if member is None:
        return ""
    return notice("gone_closed", language_of(request), reason=member.left_note)


def proof(request: HttpRequest, room: Room, password: str) -> str:
    """Return proof that the user knows the table's password, or "" if the user does not.

    Raise TooOften after too many guesses.
    """
    if not room.password:
        return ""
    who = limits.asker(request)
    limits.check("passwords", who)
    known = passwords.proof(room.code, password).result()
    if password and not known:
        limits.count("passwords", who)
    return known


def _kept_out(room: Room, user: User | None) -> str:
    """Return why this user cannot join (a value of KEPT_OUT), or "" if they can."""
    user_id = user.pk if user else None
    here, member = members.present(room, user_id)
    if member is not None and member.kicked_at:
        return "kicked"
    invited = user is not None and room.invitations.filter(user=user).exists()
    if member is None and room.visibility == Room.Visibility.INVITED and not invited:
        return "invited"
    try:
        members.check_space(room, user_id, here)
    except members.Rejected:
        return "full"
    return ""
