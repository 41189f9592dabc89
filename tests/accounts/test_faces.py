"""Faces: drawn from the name alone, told apart, readable, and harmless whatever the name is."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from accounts.faces import COLOURS, INK, PALE, address_of, draw, face_of, initials
from games.rooms.bots import BOT_NAMES

pytestmark = pytest.mark.django_db(transaction=True)

LIGHT, DARK = ("#faf6ef", "#ffffff"), ("#17151b", "#221f28")


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_colours_can_be_read_on_and_seen_on_light_and_dark_pages() -> None:
    for colour in COLOURS:
        assert contrast(colour, INK) >= 4.5
        assert min(contrast(colour, page) for page in (*LIGHT, *DARK)) >= 3
        assert min(contrast(colour, bead) for bead in PALE) >= 3


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ann", "An"),
        ("ann lee", "AL"),
        ("Ann van der Lee", "AL"),
        ("Ada (bot)", "Ad"),
        ("e\u0301va", "E\u0301v"),
        ("7", "7"),
        ("()", "?"),
        ("", "?"),
        ("山田 太郎", "山太"),
    ],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_people_with_the_same_initials_look_different() -> None:
    names = [f"A{at} B" for at in range(200)]
    assert len({draw(*face_of(name)) for name in names}) > 198
    assert len({draw(*face_of(name)).split("<text")[0] for name in ("Ann", "Anna", "Andy")}) == 3


def test_a_bot_is_not_taken_for_a_person() -> None:
    assert face_of("Ada", bot=True) != face_of("Ada")
    assert draw(*face_of("Ada", bot=True)) != draw(*face_of("Ada"))


@pytest.mark.parametrize("name", ["<b> &", "'\"", "../x", "a/b ?#", "%00", "👍🏽 x", "\u202ea"])
def test_any_name_has_an_address_and_a_picture_without_markup_of_its_own(name: str) -> None:
    answer = Client().get(address_of(name))
    if name.startswith("\u202e"):  # what turns the writing around is no name here
        assert answer.status_code == 404
        return
    assert answer.status_code == 200
    picture = ElementTree.fromstring(answer.content)
    drawn = {part.tag.split("}")[1] for part in picture.iter()}
    assert drawn <= {"svg", "g", "text", "circle", "rect", "path", "linearGradient", "stop"}
    assert b"style" not in answer.content


def test_pictures_are_kept_by_browsers_and_shared_by_all() -> None:
    answer = Client().get(address_of("Ann"))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Cookie" not in answer.headers.get("Vary", "")


@pytest.mark.parametrize(
    "address", ["/face/1/0123abcd-ff.svg", "/face/1/0123abcd-00.svg", "/face/1/x-41.svg"]
)
def test_addresses_of_nothing_are_not_found(address: str) -> None:
    assert Client().get(address).status_code == 404


def test_the_bots_that_sit_down_first_have_colours_of_their_own() -> None:
    names, seated = [f"{name} (bot)" for name in BOT_NAMES], 0
    colours: set[str] = set()
    while seated < 9:
        seated += 1
        name = names.pop(seated % len(names))  # (as `games.rooms.bots` picks them beside a host)
        picture = draw(*face_of(name, bot=True))
        colours |= {colour for colour in COLOURS if colour in picture}
    assert len(colours) == seated
