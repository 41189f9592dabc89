"""A copy of the list of matches equals the list, while matches end and accounts are erased."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import copy
from itertools import count
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.history import counting, erasure
from games.models import Match, Player, Room
from tests.kit.acting import play_out
from tests.kit.factories import AccountFactory, PersonFactory, open_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

Json = dict[str, Any]
OLD = 600


class Mirror:
    """A copy that follows the list, a few matches at a time."""

    def __init__(self) -> None:
        self.kept: dict[int, Json] = {}
        self.after = 0

    def follow(self, limit: int) -> bool:
        """Read one portion. Return whether more follow."""
        asked = {"order": "asc", "limit": limit, "after": self.after}
        answer = Client().get("/api/matches.ndjson", asked).content
        *matches, end = map(json.loads, answer.splitlines())
        for match in matches:
            assert match["no"] > self.after
            self.kept[match["id"]] = match
            self.after = match["no"]
        self.after = end["after"]
        return bool(end["type"] == "More")


def old_matches(*people: User) -> None:
    """Matches from before this version, which nobody has counted."""
    room = open_table(*people, lives=1)
    rooms.set_room(room.pk, room.host_id, "public").result()
    first = play_out(Room.objects.get(pk=room.pk))
    seats = list(Player.objects.filter(match=first))
    made = Match.objects.bulk_create(_copy(first) for _ in range(OLD))
    Player.objects.bulk_create(_copy(seat, match=match) for match in made for seat in seats)


def _copy(row: Any, **changed: Any) -> Any:
    other = copy(row)
    other._state = copy(row._state)
    other.pk, other._state.adding = None, True
    for name, value in changed.items():
        setattr(other, name, value)
    return other


def for_a_while(portions: int) -> Iterator[bool]:
    """Yield whether to stop counting: after this many portions, as if the process was killed."""
    yield from (number > portions for number in count(1))


def test_mirror_equals_the_list_while_tables_play_and_an_account_is_erased(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": None, "starts": None}
    ann = AccountFactory(username="annabel", name="Annabel")
    old_matches(ann, PersonFactory())
    tables = [open_table(PersonFactory(), PersonFactory(), lives=1) for _ in range(5)]
    for table in tables:
        rooms.set_room(table.pk, table.host_id, "public").result()
    mirror = Mirror()
    step = 0
    while counting.uncounted().exists() or mirror.follow(500):
        step += 1
        ends = for_a_while(1 + step % 7)
        counting.run(lambda ends=ends: next(ends))  # type: ignore[misc]
        mirror.follow(limit=50)
        if step <= 20:
            play_out(Room.objects.get(pk=tables[step % 5].pk))
        if step == 10:
            erasure.erase(ann.pk)
    listed = Mirror()
    while listed.follow(500):
        pass
    assert len(listed.kept) == Match.objects.count() == OLD + 21
    assert mirror.kept == listed.kept
    assert "nnabel" not in json.dumps(mirror.kept)
