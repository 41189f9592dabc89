"""Account names are reserved for their owners, and staff words for staff, at every entry."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from accounts import reserved_names
from accounts.guests import make_guest
from accounts.models import User, why_not_free
from accounts.names import BadName
from games import rooms
from games.contract.core import Refused
from games.models import Member, UdpName
from games.rooms.members import Rejected
from games.udp import commands
from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import superuser
from tests.kit.people import account, as_guest, as_user, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)

OF_BOB = ("Bob", "bOB", "B0b", "Robert")
OF_STAFF = ("root", "Moderator", "ADMIN", "Verwaltung", "[Admin] 2", "M0derator", "Mod", "Parlour")


@pytest.fixture
def bob() -> User:
    """A user with the username Bob and the display name Robert."""
    user = account("Bob")
    user.name = "Robert"
    user.save()
    return user


def test_lookalike_and_staff_names_are_taken_or_reserved(bob: User) -> None:
    assert all(map(why_not_free, OF_BOB))
    assert all(map(reserved_names.is_for_staff, OF_STAFF))


@pytest.mark.parametrize("name", ["B0b", "Robert", "M0derator"])
def test_reserved_name_is_refused_at_every_entry(bob: User, name: str) -> None:
    mallory, (browser, guest) = account("Mallory"), as_guest("Eve")
    room = open_table(PersonFactory(name="Ann"))
    for person in (mallory, guest):
        with pytest.raises(Rejected, match="Username"):
            rooms.join(room.code, person.pk, name).result()
        with pytest.raises(Rejected, match="Username"):
            rooms.open_room(person.pk, "mia", name, {}).result()
    with pytest.raises(Rejected, match="Username"):  # a program without a token
        rooms.join(room.code, None, name).result()
    with pytest.raises(Refused):  # a program over UDP
        commands.register(name.replace(" ", ""), "192.0.2.1", 4000).result()
    for client in (Client(), browser):
        for address in (f"/t/{room.code}/", "/new/mia/", "/you/name/"):
            client.post(address, {"name": name, "visibility": "unlisted"})
    Client().post("/play/", {"game": "mia", "name": name})
    Client().post("/account/signup/", signing_up(name))
    as_user(mallory).post("/you/name/", {"name": name})
    assert [str(one) for one in User.objects.order_by("pk")] == ["Robert", "Mallory", "Eve", "Ann"]
    assert [one.name for one in Member.objects.all()] == ["Ann"]
    assert not UdpName.objects.exists()


@pytest.mark.parametrize(
    ("name", "says"), [("Robert", "taken"), ("root", "reserved"), ("B0b", "too much like")]
)
def test_page_shows_the_name_error_at_the_field(bob: User, name: str, says: str) -> None:
    room = open_table(PersonFactory(name="Ann"))
    for address in (f"/t/{room.code}/", "/new/mia/", "/play/"):
        given = {"name": name, "visibility": "unlisted", "game": "mia"}
        answer = Client().post(address, given)
        page = answer.content.decode()
        assert answer.status_code in (200, 422), address
        assert says in page, address
        assert "autofocus" in page, address


def test_owner_may_use_their_reserved_names(bob: User) -> None:
    for name in ("Bob", "Robert", "bob"):
        room = open_table(PersonFactory())
        rooms.join(room.code, bob.pk, name).result()
        assert Member.objects.get(room=room, user=bob).name == name


def test_staff_may_use_staff_names() -> None:
    root = superuser()
    room = open_table(PersonFactory(name="Ann"))
    rooms.join(room.code, root.pk, "Moderator").result()
    as_user(root).post(
        "/admin/accounts/user/add/", {"username": "Support", "email": "", "reason": "asked"}
    )
    assert User.objects.filter(username="Support").exists()


def test_existing_guest_with_a_reserved_name_can_register_another() -> None:
    client, _ = as_guest("Admin")
    client.post("/account/signup/", signing_up("Ann"))
    assert str(who(client)) == "Ann"


@pytest.mark.parametrize(
    "name", ["Adminton", "Rooter", "Modesty", "Ann", "Staffan", "Leif", "Rooty", "Host", "Gast"]
)
def test_other_names_are_not_reserved(name: str) -> None:
    assert not reserved_names.is_for_staff(name)
    assert str(make_guest(name)) == name


def test_site_name_is_reserved(settings: Any) -> None:
    settings.SITE_NAME = "Chess Club"
    with pytest.raises(BadName):
        make_guest("ChessClub")
    make_guest("Parlour")
