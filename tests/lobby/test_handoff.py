"""Continue on another device with a code that only its owner sees.

The code works once and for two minutes.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import HandOff, User
from games.history.retention import delete_expired_tokens
from games.models import Room
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import closing, socket, text
from tests.kit.people import account, as_guest, as_user, who

pytestmark = pytest.mark.django_db(transaction=True)


def _code(client: Client, table: str = "") -> str:
    """Return a new code, as the page shows it."""
    page = client.post("/you/device/", {"table": table}).content.decode()
    found = re.search(r"<code>([0-9A-Z]{4}-[0-9A-Z]{4})</code>", page)
    assert found, page
    return found[1]


def _said(client: Client, code: str, post: bool = True) -> str:
    at = f"/device/{code.replace('-', '')}/"
    return (client.post(at) if post else client.get(at)).content.decode()


def test_guest_continues_at_the_table_and_the_old_device_is_informed() -> None:
    phone, ann = as_guest("Ann")
    room = open_table(ann, PersonFactory())
    code, tablet = _code(phone, room.code), Client()
    for _preview in range(3):
        assert "Play on as Ann" in _said(tablet, code, post=False)
    assert who(phone) == ann
    there = tablet.post(f"/device/{code.replace('-', '').lower()}/", follow=True)
    assert there.redirect_chain == [(f"/t/{room.code}/", 302)]
    assert b'id="table"' in there.content
    assert who(tablet) == ann
    before = phone.get(f"/t/{room.code}/").content.decode()
    assert "You play on another device now" in before
    assert 'id="table"' not in before


def test_account_continues_but_must_reauthenticate_for_sensitive_actions() -> None:
    account("bob")
    client = as_user(User.objects.get(username="bob"))
    other = Client()
    assert other.post(f"/device/{_code(client)}/").status_code == 302
    assert who(other) == User.objects.get(username="bob")
    assert who(client) is None
    assert other.get("/account/two-step/app/").status_code == 302


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"used_at": timezone.now()}, "has been used"),
        ({"made_at": timezone.now() - timedelta(seconds=121)}, "too old"),
    ],
)
def test_used_or_expired_code_is_rejected_with_a_message(
    change: dict[str, object], sentence: str
) -> None:
    phone, ann = as_guest()
    code, stranger = _code(phone), Client()
    HandOff.objects.update(**change)
    assert sentence in _said(stranger, code, post=False)
    assert sentence in _said(stranger, code)
    assert who(stranger) is None
    assert who(phone) == ann


def test_code_expires_with_the_login_that_created_it() -> None:
    phone, _ann = as_guest()
    code = _code(phone)
    phone.post("/account/logout/")
    assert "no such code" in _said(Client(), code)
    bob, stranger = account("bob"), Client()
    code = _code(as_user(bob))
    bob.set_password("another horse 8")
    bob.save()
    assert "no such code" in _said(stranger, code)
    assert who(stranger) is None


def test_code_used_during_its_validation_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The code is valid when it is read, but has been used when the login is checked."""
    from accounts import handoff

    phone, ann = as_guest()
    code, first, second = _code(phone), Client(), Client()
    is_logged_in = handoff._is_logged_in

    def used_meanwhile(found: HandOff) -> bool:
        monkeypatch.setattr(handoff, "_is_logged_in", is_logged_in)
        assert first.post(f"/device/{code}/").status_code == 302
        return is_logged_in(found)

    monkeypatch.setattr(handoff, "_is_logged_in", used_meanwhile)
    assert "has been used" in _said(second, code)
    assert (who(first), who(second)) == (ann, None)


def test_only_one_of_two_concurrent_devices_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts import handoff

    phone, _ann = as_guest()
    code, first, second = _code(phone), Client(), Client()
    row = handoff.find(code)
    first.post(f"/device/{code}/")
    monkeypatch.setattr(handoff, "find", lambda code: row)  # looked up before it was used
    assert "has been used" in _said(second, code)
    assert who(second) is None


def test_device_logged_in_as_another_user_does_not_use_up_the_code() -> None:
    phone, ann = as_guest("Ann")
    friend, bob = as_guest("Bob")
    code = _code(phone)
    assert "This device plays as Bob. Log out here first" in _said(friend, code)
    assert "This device plays as Ann already" in _said(phone, code)
    assert who(friend) == bob
    assert who(phone) == ann
    assert Client().post(f"/device/{code}/").status_code == 302


def test_new_code_revokes_the_previous_one_and_is_stored_hashed() -> None:
    phone, _ann = as_guest()
    old, new = _code(phone), _code(phone)
    assert "no such code" in _said(Client(), old)
    assert "Play on as" in _said(Client(), new, False)
    assert not [row for row in HandOff.objects.values_list("digest", flat=True) if new[:4] in row]


def test_code_guesses_are_rate_limited() -> None:
    guesser, _person = as_guest()
    answers = {
        guesser.get(f"/device/AAAAAA{n:02}/").status_code for n in range(70)
    }  # counted anew at most once
    assert 429 in answers


def test_staff_and_strangers_cannot_create_a_code() -> None:
    staff = as_user(account("root", is_staff=True))
    assert "People with staff rights" in staff.post("/you/device/").content.decode()
    assert not HandOff.objects.exists()
    assert Client().post("/you/device/").status_code == 302


def test_code_redirects_only_to_the_users_own_table() -> None:
    phone, _ann = as_guest()
    other = open_table(PersonFactory())
    assert Client().post(f"/device/{_code(phone, other.code)}/")["Location"] == "/"
    phone, _ann = as_guest()
    assert Client().post(f"/device/{_code(phone, '//evil.example')}/")["Location"] == "/"


def test_nul_characters_are_stripped_from_codes() -> None:
    phone, ann = as_guest()
    room = open_table(ann)
    with CaptureQueriesContext(connection) as asked:
        phone.post("/you/device/", {"table": "A\0B"})
    assert any("'AB'" in query["sql"] for query in asked)
    gone = phone.post(f"/t/{room.code}/new-game/", {"room": "A\0B"})
    assert gone["Location"] == f"/t/{room.code}/"


def test_code_of_a_user_promoted_to_staff_is_invalid() -> None:
    bob = account("bob")
    code = _code(as_user(bob))
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    assert "no such code" in _said(Client(), code)


def test_code_requires_a_post_with_a_csrf_token() -> None:
    phone, _ann = as_guest()
    code, strict = _code(phone), Client(enforce_csrf_checks=True)
    assert strict.post(f"/device/{code}/").status_code == 403
    typed = Client().post("/device/", {"code": f" {code.lower()} "})
    assert typed["Location"] == f"/device/{code.replace('-', '')}/"


async def test_open_page_is_told_why_it_is_logged_out() -> None:
    phone, ann = await sync_to_async(as_guest)("Ann")
    room: Room = await sync_to_async(open_table)(ann)
    cookie = f"sessionid={phone.cookies['sessionid'].value}"
    page = socket(f"/ws/table/{room.code}/", cookie)
    await page.connect()
    await text(page, 'id="seats"')
    code = await sync_to_async(_code)(phone)
    await sync_to_async(Client().post)(f"/device/{code}/")
    assert await closing(page) == 1001
    again = socket(f"/ws/table/{room.code}/", cookie)
    await again.connect()
    assert "You play on another device now" in await text(again, "notice")
    assert await closing(again) == 4001


@pytest.mark.parametrize("asked", ["manifest", "offline", "service-worker"])
def test_background_requests_keep_the_cookie_of_a_moved_session(asked: str) -> None:
    phone, _ann = as_guest()
    Client().post(f"/device/{_code(phone)}/")
    answer = phone.get(reverse(asked))
    assert (answer.status_code, "sessionid" in answer.cookies) == (200, False)


def test_expired_codes_are_deleted_within_a_day() -> None:
    phone, _ann = as_guest()
    _code(phone)
    HandOff.objects.update(made_at=timezone.now() - timedelta(hours=25))
    delete_expired_tokens(timezone.now()).result()
    assert not HandOff.objects.exists()
