"""Faces: characters in four moods, determined by the name, in small pictures without scripts."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest
from django.test import Client

from accounts.faces import (
    CHARACTERS,
    COLOURS,
    MOODS,
    PEOPLE,
    ROBOTS,
    VERSION,
    address_of,
    draw,
    preset,
)
from games.rooms.bots import BOT_NAMES, MORE_BOT_NAMES

pytestmark = pytest.mark.django_db(transaction=True)

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {
    *("svg", "defs", "filter", "feColorMatrix", "clipPath", "g", "view", "use"),
    *("path", "circle", "ellipse", "rect"),
}
MOST_BYTES = 1_600
"""Maximum compressed size of a face. A table of ten players loads ten faces."""


@pytest.mark.parametrize("number", range(1, len(CHARACTERS) + 1))
def test_picture_has_four_distinct_moods_and_only_harmless_elements(number: int) -> None:
    drawn = draw(number, "teal")
    picture = ElementTree.fromstring(drawn)
    assert [view.get("id") for view in picture.iter(f"{SVG}view")] == list(MOODS[1:])
    moods = picture.findall(f"{SVG}g")
    assert len({ElementTree.tostring(mood) for mood in moods}) == len(MOODS)
    assert {part.tag.removeprefix(SVG) for part in picture.iter()} <= HARMLESS
    assert "{" not in drawn
    assert len(gzip.compress(drawn.encode())) <= MOST_BYTES


def test_every_character_is_distinct() -> None:
    assert len({draw(number, "teal") for number in range(1, len(CHARACTERS) + 1)}) == 24
    assert len({draw(1, colour) for colour in COLOURS}) == len(COLOURS)


def test_default_faces_use_every_character_and_ignore_the_unicode_form() -> None:
    found = {preset(f"A{at} B")[:2] for at in range(400)}
    assert found == {f"{number:02}" for number in PEOPLE}
    assert preset("e\u0301va") == preset("\xe9va")


def test_face_of_a_name_is_available_while_typing(client: Client) -> None:
    assert client.get("/face/", {"name": " Ann "}).url == address_of("Ann")
    assert client.get("/face/").url == address_of("")


def test_bots_and_people_have_different_characters() -> None:
    assert int(preset("Ada", bot=True)[:2]) in ROBOTS
    assert int(preset("Ada")[:2]) in PEOPLE
    assert 'rx="22"' in draw(ROBOTS[0], "teal")
    assert 'rx="22"' not in draw(PEOPLE[0], "teal")


def test_nineteen_bots_at_a_table_have_different_faces() -> None:
    names = [f"{name} (bot)" for name in (*BOT_NAMES, *MORE_BOT_NAMES)]
    assert len({preset(name, bot=True) for name in names}) == len(names) > 19


@pytest.mark.parametrize("name", ["<b> &", "'\"", "../x", "a/b ?#", "%00", "👍🏽 x", "\u202ea", ""])
def test_every_name_has_a_face_address_that_does_not_reveal_it(name: str) -> None:
    answer = Client().get(address_of(name))
    assert answer.status_code == 200
    assert address_of(name).removesuffix(".svg").replace("-", "").replace("/", "").isalnum()


def test_pictures_are_cached_by_browsers_and_shared_by_all() -> None:
    answer = Client().get(address_of("Ann"))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize("face", ["00-teal", "25-teal", "01-white", "1-teal", "01-TEAL", "x"])
def test_unknown_faces_are_not_found(face: str) -> None:
    assert Client().get(f"/face/{VERSION}/{face}.svg").status_code == 404
