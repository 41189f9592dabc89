"""Users and rooms for tests."""

from __future__ import annotations

import factory
from factory.django import DjangoModelFactory

from accounts.models import User
from games import rooms
from games.engine import time_source
from games.models import Match, Room
from games.rooms import mixing


class PersonFactory(DjangoModelFactory[User]):
    """A guest with a unique name."""

    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"guest-{n}")
    name = factory.Sequence(lambda n: f"Person {n}")
    is_guest = True


def open_table(
    host: User, *others: User, game: str = "mia", bots: int = 0, **options: object
) -> Room:
    """A room that belongs to the host and contains these users."""
    levels = ["random"] * bots
    joined = rooms.open_room(host.pk, game, str(host), options, bots=levels).result()
    for other in others:
        rooms.join(joined.code, other.pk, str(other)).result()
    return Room.objects.get(pk=joined.room_id)


def start_match(room: Room) -> Match:
    """Start the next match of a room as its host. Pages that add no luck are not waited for."""
    assert room.host_id is not None
    begun = rooms.start(room.pk, room.host_id).result()
    if begun is None:
        Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
        mixing.go_on(room.pk).result()
        begun = Room.objects.get(pk=room.pk).match_id
    return Match.objects.get(pk=begun)


class AccountFactory(PersonFactory):
    """A registered user who can be invited by username."""

    username = factory.Sequence(lambda n: f"account{n}")
    is_guest = False
