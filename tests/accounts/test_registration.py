"""Who may register, and what each visitor sees on a site without guests."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import invitations
from accounts.models import RegistrationLink, User
from games import rooms
from games.rooms.members import Rejected
from tests.kit.factories import open_table
from tests.kit.people import account, as_guest, as_user, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def by_invitation(settings: Any) -> None:
    settings.REGISTRATION = "invite"


@pytest.fixture
def no_guests(settings: Any) -> None:
    settings.GUESTS = False


def path_of(link: RegistrationLink) -> str:
    return urlsplit(invitations.address(link)).path


def test_nobody_can_register_if_registration_is_closed(client: Client, settings: Any) -> None:
    settings.REGISTRATION = "closed"
    assert b"/account/signup/" not in client.get("/").content
    page = client.post("/account/signup/", signing_up("Ann")).content.decode()
    assert "Sign-up is closed" in page
    key = path_of(invitations.make_link())
    client.get(key)
    client.post("/account/signup/", signing_up("Ann"))
    assert not User.objects.exists()


def test_invitation_link_lets_one_person_register(client: Client, by_invitation: None) -> None:
    assert "by invitation" in client.get("/account/signup/").content.decode()
    link = invitations.make_link(note="for Ann")
    assert client.get(path_of(link)).url == "/account/signup/"
    client.post("/account/signup/", signing_up("Ann"))
    link.refresh_from_db()
    assert link.used_by == who(client) == User.objects.get()
    assert link.used_at is not None
    other = Client()
    assert other.get(path_of(link)).status_code == 404
    other.post("/account/signup/", signing_up("Bob"))
    assert User.objects.count() == 1


def test_invitation_link_opened_twice_registers_only_one_person(by_invitation: None) -> None:
    link = invitations.make_link()
    ann, bob = Client(), Client()
    for client in (ann, bob):
        client.get(path_of(link))
        client.get("/account/signup/")
    ann.post("/account/signup/", signing_up("Ann"))
    bob.post("/account/signup/", signing_up("Bob"))
    assert list(User.objects.values_list("username", flat=True)) == ["Ann"]


def test_guest_can_register_by_an_invitation_link(by_invitation: None) -> None:
    client, guest = as_guest()
    client.get(path_of(invitations.make_link()))
    client.post("/account/signup/", signing_up("Ann"))
    guest.refresh_from_db()
    assert guest.is_guest is False


def test_failed_signup_does_not_use_up_the_invitation_link(
    client: Client, by_invitation: None
) -> None:
    account("Bob")
    link = invitations.make_link()
    client.get(path_of(link))
    client.post("/account/signup/", signing_up("Bob"))
    client.post("/account/signup/", signing_up("Ann"))
    assert User.objects.filter(username="Ann").exists()


@pytest.mark.parametrize("key", ["1", "1:forged", "x", "-:-", "9" * 400])
def test_forged_invitation_link_reveals_nothing(
    client: Client, by_invitation: None, key: str
) -> None:
    invitations.make_link()
    answer = client.get(f"/account/invited/{key}/")
    assert answer.status_code == 404
    assert "no longer works" in answer.content.decode()
    assert 'class="button" href="/account/login/"' in answer.content.decode()


def test_invitation_link_is_valid_for_fourteen_days(client: Client, by_invitation: None) -> None:
    link = invitations.make_link()
    for days, status in ((13, 302), (15, 404)):
        link.made_at = timezone.now() - timedelta(days=days)
        link.save()
        assert client.get(path_of(link)).status_code == status


def test_staff_create_invitation_links_in_the_admin(
    admin_client: Client, by_invitation: None
) -> None:
    page = admin_client.post(
        "/admin/accounts/registrationlink/add/", {"note": "for Ann", "reason": "asked"}, follow=True
    ).content.decode()
    link = RegistrationLink.objects.get()
    assert invitations.address(link) in page
    assert str(link.made_by) == "admin"
    assert admin_client.get("/admin/accounts/registrationlink/").status_code == 200


def test_command_creates_invitation_links(by_invitation: None, client: Client) -> None:
    out = StringIO()
    call_command("invite_link", "--note", "for Ann", stdout=out)
    assert client.get(urlsplit(out.getvalue().strip()).path).status_code == 302
    assert RegistrationLink.objects.get().note == "for Ann"


def test_no_invitation_links_are_created_if_registration_is_closed(
    admin_client: Client, settings: Any
) -> None:
    link = invitations.make_link(note="for Ann")
    settings.REGISTRATION = "closed"
    assert admin_client.get("/admin/accounts/registrationlink/add/").status_code == 403
    page = f"/admin/accounts/registrationlink/{link.pk}/change/"
    assert "registration is closed" in admin_client.get(page).content.decode()
    with pytest.raises(CommandError, match="closed"):
        call_command("invite_link")


PRIVATE = ("/", "/new/mia/", "/decks/", "/t/ZZZZZ/")
OPEN = ("/account/login/", "/account/signup/", "/rules/mia/", "/account/password/reset/")


def test_only_login_and_rules_are_public_without_guests(no_guests: None) -> None:
    guest, _ = as_guest()
    for client in (Client(), guest):
        for address in PRIVATE:
            answer = client.get(address)
            assert answer.url == f"/account/login/?next={address}"
        for address in OPEN:
            assert client.get(address).status_code == 200
    bob = as_user(account("Bob"))
    assert bob.get("/").status_code == 200


@pytest.mark.parametrize("registration", ["open", "invite", "closed"])
def test_login_page_explains_that_an_account_is_needed_without_guests(
    client: Client, no_guests: None, settings: Any, registration: str
) -> None:
    settings.REGISTRATION = registration
    page = client.get("/", follow=True).content.decode()
    assert "You need an account to play here." in page
    assert ("Ask the administrators" in page) is (registration != "open")


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("/play/", {"game": "mia", "name": "Ann"}),
        ("/new/mia/", {"name": "Ann", "visibility": "public"}),
        ("/code/", {"code": "ZZZZZ"}),
    ],
)
def test_no_guest_is_created_without_guests(
    client: Client, no_guests: None, address: str, given: dict[str, str]
) -> None:
    assert client.post(address, given).url == "/account/login/?next=/"
    assert not User.objects.exists()


def test_guests_cannot_join_a_table_without_guests(client: Client, settings: Any) -> None:
    room = open_table(account("Bob"))
    settings.GUESTS = False
    client.post(f"/t/{room.code}/", {"name": "Ann"})
    _, guest = as_guest()
    for user_id in (None, guest.pk):
        with pytest.raises(Rejected) as rejected:
            rooms.join(room.code, user_id, "Ann").result()
        assert rejected.value.code == "LoginRequired"
    assert room.members.count() == 1


def test_existing_guest_keeps_everything_by_registering(settings: Any) -> None:
    client, guest = as_guest()
    settings.GUESTS = False
    client.post("/account/signup/", signing_up("Ann"))
    assert who(client) == guest
    assert client.get("/").status_code == 200


def test_site_name_and_legal_links_are_on_every_page(client: Client, settings: Any) -> None:
    assert b">Imprint<" not in client.get("/").content
    settings.SITE_NAME = "The <Club>"
    settings.IMPRINT_URL = "https://club.example/imprint"
    settings.PRIVACY_URL = "https://club.example/privacy"
    for address in ("/", "/rules/mia/", "/account/login/", "/nowhere/"):
        page = client.get(address).content.decode()
        assert "The &lt;Club&gt;" in page
        assert 'href="https://club.example/imprint"' in page
        assert 'href="https://club.example/privacy"' in page
