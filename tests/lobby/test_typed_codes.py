"""A table is found by its code, whether typed, pasted or mailed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts import handoff
from games import rooms
from games.models import Room
from games.models.rooms import LONGEST_TYPED, read_code
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)

TYPED: dict[str, Callable[[str], str]] = {
    "as it is": lambda code: code,
    "in lower case": str.lower,
    "with a number sign": lambda code: f"#{code}",
    "with blanks": lambda code: f"  {code[:2]} {code[2:]} ",
    "with a dash": lambda code: f"{code[:2]}-{code[2:]}",
    "with a long dash": lambda code: f"{code[:2]}–{code[2:]}",
    "with a full stop": lambda code: f"{code}.",
    "letter by letter": lambda code: ".".join(code.lower()),
    "in wide letters": lambda code: "".join(chr(ord(sign) + 0xFEE0) for sign in code),
    "by its link": lambda code: f"http://testserver/t/{code}/",
    "by a link without a slash": lambda code: f"https://play.example.org/t/{code.lower()}",
    "by the end of a link": lambda code: f"play.example.org/t/{code}/?from=chat",
    "by a link in a sentence": lambda code: f"Come to https://play.example.org/t/{code}/ now.",
    "by the link of a screen": lambda code: f"http://10.0.0.5:8000/t/{code}/screen/",
}


@pytest.fixture
def room() -> Room:
    return open_table(PersonFactory())


@pytest.mark.parametrize("how", TYPED)
def test_code_is_recognized_in_every_notation(how: str) -> None:
    assert read_code(TYPED[how]("K7QX2")) == "K7QX2"


@pytest.mark.parametrize("how", ["by a link in a sentence", "with a dash"])
def test_form_address_and_join_command_read_codes_alike(
    client: Client, room: Room, how: str
) -> None:
    typed, table = TYPED[how](room.code), f"/t/{room.code}/"
    assert client.post("/code/", {"code": typed}).url == table
    assert client.get("/", {"code": typed}).url == table
    guest = PersonFactory()
    assert rooms.join(typed, guest.pk, str(guest)).result().code == room.code


def test_table_address_accepts_other_notations_of_the_code(client: Client, room: Room) -> None:
    Room.objects.filter(pk=room.pk).update(code="ABCD3")
    room.code = "ABCD3"
    for typed in ("AB-CD3", "abcd3"):
        assert client.get(f"/t/{typed}/").url == client.get(f"/{typed}").url == f"/t/{room.code}/"


def test_other_addresses_are_not_taken_for_codes(client: Client) -> None:
    assert client.get("/decks").url == "/decks/"
    assert client.get("/t/ABCDE/people/1/").status_code == 404
    for path in ("/nothing", "/about", "/abcdef", "/abcd/"):
        assert client.get(path).status_code == 404


def test_unknown_code_is_not_found(client: Client) -> None:
    assert client.get("/?code=ZZZZZ", follow=True).status_code == 404
    assert client.get("/ZZZZZ", follow=True).status_code == 404
    assert client.post("/code/", {"code": "ZZZZZ"}).status_code == 422


def test_long_text_is_truncated_before_it_is_read() -> None:
    assert len(read_code("A" + "\N{COMBINING ACUTE ACCENT}" * 100_000 + "B")) <= LONGEST_TYPED


def test_handoff_link_is_accepted_as_a_code() -> None:
    assert handoff.cleaned("http://testserver/device/ABCD-2345/") == "ABCD2345"
