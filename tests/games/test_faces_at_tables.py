"""Faces at a table: chosen on joining, distinguishable, and updated on all pages at once."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.faces import CHOICES, address, preset, told_apart
from accounts.models import User
from games.models import Member, Player
from games.pages import regions
from games.pages.templating import render
from games.rooms.faces import choose_face
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


def seats(room_id: int, user_id: int) -> str:
    """Return the seats as this viewer sees them."""
    table = load(room_id)
    drawn = next(region for region in regions(table, user_id) if region.id == "seats")
    return render(table, drawn, "en")


def test_duplicate_faces_get_distinct_colours() -> None:
    found = told_apart([("Ann", "07-slate"), ("Bob", "07-slate"), ("Cat", "07-slate")])
    assert found["Ann"] == "07-slate"
    assert {face[:2] for face in found.values()} == {"07"}
    assert len(set(found.values())) == 3


def test_face_can_be_chosen_on_joining_and_opening_a_table() -> None:
    room = open_table(PersonFactory(name="Ann"))
    given = {"name": "Bob", "face": CHOICES[4]}
    Client().post(f"/t/{room.code}/", given)
    assert Member.objects.get(name="Bob").user.face == CHOICES[4]
    assert address(CHOICES[4]) in seats(room.pk, room.host_id)
    Client().post("/new/mia/", {"name": "Cat", "visibility": "unlisted", "face": CHOICES[7]})
    assert User.objects.get(name="Cat").face == CHOICES[7]


@pytest.mark.parametrize("face", ["21-teal", "07-SLATE", "x" * 10_000, "../x", ""])
def test_invalid_face_counts_as_none(face: str) -> None:
    room = open_table(PersonFactory(name="Ann"))
    Client().post(f"/t/{room.code}/", {"name": "Bob", "face": face})
    assert User.objects.get(name="Bob").face == ""
    assert address(preset("Bob")) in seats(room.pk, room.host_id)


def test_new_face_is_shown_at_current_tables() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    before = load(room.pk)
    as_user(bob).post("/you/face/", {"face": CHOICES[11]})
    assert load(room.pk).room.version > before.room.version
    assert address(CHOICES[11]) in seats(room.pk, ann.pk)
    choose_face(bob.pk, "").result()
    assert address(CHOICES[11]) not in seats(room.pk, ann.pk)


def test_face_shows_elimination() -> None:
    people = [PersonFactory(name=name) for name in ("Ann", "Bob", "Cat")]
    room = open_table(*people, game="mia", lives=1)
    match = start_match(room)
    assert "#out" not in seats(room.pk, people[0].pk)
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="6,5")
    act(match, on_turn(match), "See")
    (lost,) = Player.objects.filter(match=match, out=True)
    drawn = seats(room.pk, people[0].pk)
    assert drawn.count("#out") == 1
    assert f"{address(preset(lost.name))}#out" in drawn


def test_choosing_the_current_face_updates_no_table() -> None:
    ann = PersonFactory(name="Ann")
    room = open_table(ann)
    version = load(room.pk).room.version
    choose_face(ann.pk, "").result()
    assert load(room.pk).room.version == version
