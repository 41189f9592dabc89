"""What every page knows of the house: what moderators say to everybody for a while."""

from typing import Any

from django.db import DatabaseError
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language

from accounts.compiled_queries import CompiledQuery
from games.models import Announcement, Room
from games.sockets.announcements import announced, link_of, link_text

LARGE = ("options", "kept_options", "standings", "vote", "reactions")
"""Columns of a room that no notice needs."""

_to_everybody = CompiledQuery(
    lambda now: Announcement.objects.filter(room=None, until__gt=now).order_by("pk")
)


_to_one = CompiledQuery(
    lambda person, now: (
        Announcement.objects.filter(person_id=person, until__gt=now)
        .exclude(Q(code="seat_claimed") & ~Q(room__status=Room.Status.PLAYING))
        .select_related("room")
        .defer(*(f"room__{name}" for name in LARGE))
        .order_by("pk")
    )
)


def announcements(request: HttpRequest) -> dict[str, Any]:
    """Words to everybody that are to be shown still, oldest first."""
    try:
        now, person = timezone.now(), request.user.pk if hasattr(request, "user") else None
        own = [] if person is None else _to_one(person, now)
        told = [_notice(word) for word in own if not _is_followed(word, request)]
        return {"announcements": _to_everybody(now), "told": told}
    except DatabaseError:  # the page that says so needs no database
        return {"announcements": [], "told": []}


def _notice(word: Announcement) -> tuple[Announcement, str, str, str]:
    text = announced(word, get_language() or "en")
    return word, text, link_of(word), link_text(word.code == "seat_claimed")


def _is_followed(word: Announcement, request: HttpRequest) -> bool:
    """Whether a claim links to this page: opening it has kept the seat."""
    return word.code == "seat_claimed" and link_of(word) == request.path
