"""Users' decks, and who may see, use and hide them.

The content of a deck is handled by the game that uses it.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.engine import notifications
from games.engine.options import option_fields
from games.engine.writer import command
from games.models import Deck, Room
from games.registry import GAMES
from games.rooms.members import must_not_be_muted


@command
def set_public(deck_id: int, public: bool) -> None:
    """Share a deck with everybody, or make it private.

    Raise Refused("muted") if the owner is muted.
    """
    if public:
        must_not_be_muted(Deck.objects.values_list("owner_id", flat=True).get(pk=deck_id))
    Deck.objects.filter(pk=deck_id).update(public=public)
    tell_tables()


def hide(deck_id: int, hidden: bool) -> None:
    """Hide a deck, so that no table can choose it, or restore it. Call this inside a command."""
    Deck.objects.filter(pk=deck_id).update(hidden=hidden)
    tell_tables()


@command
def delete(deck_id: int) -> None:
    """Delete a deck. Running matches keep its texts."""
    Deck.objects.filter(pk=deck_id).delete()
    tell_tables()


def tell_tables() -> None:
    """Update open pages of tables whose options offer decks."""
    choosing = [slug for slug, game in GAMES.items() if "packs" in option_fields(game)]
    rooms = Room.objects.filter(game__in=choosing, empty_since=None)
    for pk in rooms.exclude(status=Room.Status.CLOSED).values_list("pk", flat=True):
        notifications.notify_room_changed(pk)


def visible(user_id: int | None) -> QuerySet[Deck]:
    """Return the decks this user may look at: their own, and public ones that are not hidden."""
    return Deck.objects.filter(Q(owner_id=user_id) | Q(public=True, hidden=False))


def usable(user_id: int | None) -> QuerySet[Deck]:
    """Return the decks this user may play with: their own and public ones, unless hidden."""
    return visible(user_id).filter(hidden=False)
