"""Before a match: what a host can see and do, and which members have no seat."""

from __future__ import annotations

import re

import pytest

from accounts.models import User
from games import rooms
from games.models import Room
from games.pages import regions
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


def drawn(room: Room, person: User, part: str) -> str:
    """Return a region of this user's page."""
    table = load(room.pk)
    (region,) = [one for one in regions(table, person.pk) if one.id == part]
    return render(table, region, "en")


def buttons(html: str) -> dict[str, str]:
    """Return the labels of adjacent buttons, and their attributes."""
    (row,) = re.findall(r'<div class="start">(.*?)<details|$', html, re.DOTALL)[:1]
    found = re.findall(r"<button([^>]*)>([^<]*)</button>", row)
    return {words: tag for tag, words in found}


def test_lone_host_is_told_what_is_missing_and_offered_bots() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="secret_hitler")
    assert "4 more players needed. Invite people or add bots." in drawn(room, ann, "status")
    offered = buttons(drawn(room, ann, "setup"))
    assert "disabled" in offered["Start"]
    assert "main" in offered["Fill with 4 bots"]


def test_watching_is_not_offered_to_a_member_without_a_seat() -> None:
    people = [PersonFactory(name=f"P{at}") for at in range(7)]
    room = open_table(*people, game="coup")
    assert "Watch" in drawn(room, people[5], "setup")
    assert "You watch this one." in drawn(room, people[6], "status")
    assert "Watch" not in drawn(room, people[6], "setup")
    assert "6 of 6 players" in drawn(room, people[6], "setup")


def test_spectator_may_sit_down_if_a_seat_is_free() -> None:
    people = [PersonFactory(name=f"P{at}") for at in range(6)]
    full, free = open_table(*people, game="coup"), open_table(*people[:5], game="coup")
    for room in (full, free):
        rooms.join(room.code, (zed := PersonFactory()).pk, zed.name, spectate=True).result()
        assert ("Sit down" in drawn(room, zed, "setup")) == (room == free)
