"""Clients that reconnect are shown which list of shares a match began with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.models import User
from games import rooms
from games.contract.luck import commitment
from games.engine import time_source
from games.history import erasure
from games.models import Match, Room
from games.pages import luck
from games.rooms import mixing as mixes
from games.tables.loading import load
from tests.kit import moderation_helpers
from tests.kit.factories import PersonFactory, open_table
from tests.kit.lucky import commit, committed, mixing, reveal, secret_of
from tests.kit.sent import packets, sync_data
from tests.kit.version1 import start_before

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
    voids = [{"list": void.listed, "missing": [str(bob)], "gone": []}]
    assert shown(room, bob)["luckVoids"] == voids
    commit(room, ann)
    reveal(room, ann)
    match = Match.objects.get(room=room)
    now = shown(room, bob)
    assert now["luckVoids"] == voids
    assert now["fairness"]["list"] == match.mixed["list"]
    assert now["fairness"]["secrets"] == [secret_of(ann, now["fairness"]["commitment"]), None]


def test_programs_are_told_that_a_void_list_was_forgotten() -> None:
    """Nothing else changes if somebody who has left is erased. A name in the list must not stay."""
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, lives=1)
    commit(room, ann, bob)
    rooms.start(room.pk, ann.pk).result()
    rooms.leave(room.pk, bob.pk).result()
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    mixes.go_on(room.pk).result()
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    mixes.go_on(room.pk).result()
    before = load(room.pk)
    assert [one["gone"] for one in sync_data(before, ann.pk)["luckVoids"]] == [[str(bob)]]
    erasure.erase(bob.pk)
    now = load(room.pk, before)
    (told,) = [one for one in packets(before, now, ann.pk) if one["type"] == "GameDataSync"]
    assert "luckVoids" not in told["data"]


def on_page(room: Room) -> dict[str, Any]:
    """Return what the table shows to pages, as JSON."""
    shown = luck.region(load(room.pk))
    return {key: json.loads(shown[key] or "null") for key in ("list", "voids", "agreed")}


def test_page_is_shown_the_list_of_the_running_and_of_the_last_match() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, lives=1)
    nothing = {"list": None, "voids": None, "agreed": None}
    assert on_page(room) == nothing
    commit(room, ann)
    rooms.start(room.pk, ann.pk).result()
    listed = on_page(room)["list"]["list"]
    first = committed(room.pk)
    reveal(room, ann)
    agreed = on_page(room)["agreed"]
    assert (agreed["commitment"], agreed["list"]) == (first, listed)
    assert agreed["seats"][0]["secret"] == secret_of(ann, first)
    moderation_helpers.end_match(room.pk).result()
    secrets = [one["secret"] for one in agreed.pop("seats")]
    assert on_page(room) == {**nothing, "agreed": {**agreed, "secrets": secrets}}


def test_match_of_version_1_shows_its_commitment() -> None:
    room = open_table(PersonFactory(), PersonFactory(), lives=1)
    match = start_before(room)
    assert on_page(room)["agreed"] == {"commitment": commitment(bytes.fromhex(match.secret))}
