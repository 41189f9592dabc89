"""What the table shows of the luck of a match to those who come back."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games import rooms
from games.engine import time_source
from games.models import Match, Room
from games.rooms import mixing as mixes
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table
from tests.kit.lucky import commit, mixing, reveal
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)


def shown(room: Room, person: User) -> dict[str, Any]:
    """Return what the table shows to a program."""
    found: dict[str, Any] = sync_data(load(room.pk), person.pk)
    return found


def test_running_match_shows_its_list_and_void_lists_before_it() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, lives=1)
    assert shown(room, bob)["fairness"].keys() == {"commitment"}
    commit(room, ann, bob)
    rooms.start(room.pk, ann.pk).result()
    reveal(room, ann)
    void = mixing(room)
    assert void is not None
    assert "luckVoids" not in shown(room, bob)
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    mixes.go_on(room.pk).result()
    voids = [{"list": void.listed, "missing": [str(bob)]}]
    assert shown(room, bob)["luckVoids"] == voids
    commit(room, ann)
    reveal(room, ann)
    match = Match.objects.get(room=room)
    now = shown(room, bob)
    assert now["luckVoids"] == voids
    assert now["fairness"]["list"] == match.mixed["list"]
