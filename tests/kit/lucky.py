"""People who add to the luck of the next match, by commands."""

from __future__ import annotations

from hashlib import sha256

from accounts.models import User
from games import rooms
from games.contract.luck import commitment
from games.contract.mixing import share_of
from games.models import Room
from games.rooms.mixing_records import Mixing, running_mixing


def committed(room_id: int) -> str:
    """Return the commitment that the room shows for its next match."""
    return commitment(bytes.fromhex(Room.objects.get(pk=room_id).secret))


def secret_of(person: User, commitment: str) -> str:
    """Return the secret that this person adds for a commitment."""
    return sha256(f"{person.pk} {commitment}".encode()).hexdigest()


def commit(room: Room, *people: User) -> None:
    """Send the shares of these people."""
    shown = committed(room.pk)
    for person in people:
        member = room.members.get(user=person)
        share = share_of(shown, member.name, secret_of(person, shown))
        rooms.commit_luck(room.pk, person.pk, shown, share).result()


def mixing(room: Room) -> Mixing | None:
    """Return the start that is under way at a table."""
    return running_mixing(Room.objects.get(pk=room.pk))


def reveal(room: Room, *people: User) -> None:
    """Open the shares of these people."""
    now, shown = mixing(room), committed(room.pk)
    assert now is not None
    assert now.listed is not None
    for person in people:
        rooms.reveal_luck(room.pk, person.pk, now.listed, secret_of(person, shown)).result()
