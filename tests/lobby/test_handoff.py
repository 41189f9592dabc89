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


def test_a_guest_goes_on_at_the_table_and_the_device_before_is_told() -> None:
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


def test_somebody_registered_goes_on_and_shows_who_they_are_before_rare_actions() -> None:
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
def test_a_code_used_twice_or_late_is_answered_with_a_sentence(
    change: dict[str, object], sentence: str
) -> None:
    phone, ann = as_guest()
    code, stranger = _code(phone), Client()
    HandOff.objects.update(**change)
    assert sentence in _said(stranger, code, post=False)
    assert sentence in _said(stranger, code)
    assert who(stranger) is None
    assert who(phone) == ann


def test_a_code_is_good_no_longer_than_the_login_it_was_made_by() -> None:
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


def test_who_comes_while_another_uses_the_code_up_is_told_so(
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


def test_two_devices_at_once_do_not_both_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts import handoff

    phone, _ann = as_guest()
    code, first, second = _code(phone), Client(), Client()
    row = handoff.find(code)
    first.post(f"/device/{code}/")
    monkeypatch.setattr(handoff, "find", lambda code: row)  # looked up before it was used
    assert "has been used" in _said(second, code)
    assert who(second) is None


def test_who_is_logged_in_as_another_is_told_and_uses_up_nothing() -> None:
    phone, ann = as_guest("Ann")
    friend, bob = as_guest("Bob")
    code = _code(phone)
    assert "This device plays as Bob. Log out here first" in _said(friend, code)
    assert "This device plays as Ann already" in _said(phone, code)
    assert who(friend) == bob
    assert who(phone) == ann
    assert Client().post(f"/device/{code}/").status_code == 302


def test_a_new_code_ends_the_one_before_and_nothing_of_it_is_stored() -> None:
    phone, _ann = as_guest()
    old, new = _code(phone), _code(phone)
    assert "no such code" in _said(Client(), old)
    assert "Play on as" in _said(Client(), new, False)
    assert not [row for row in HandOff.objects.values_list("digest", flat=True) if new[:4] in row]


def test_codes_are_not_for_guessing() -> None:
    guesser, _person = as_guest()
    answers = {guesser.get(f"/device/AAAAAA{n:02}/").status_code for n in range(40)}
    assert 429 in answers


def test_staff_log_in_themselves_and_strangers_have_nothing_to_hand_on() -> None:
    staff = as_user(account("root", is_staff=True))
    assert "People with staff rights" in staff.post("/you/device/").content.decode()
    assert not HandOff.objects.exists()
    assert Client().post("/you/device/").status_code == 302


def test_a_code_leads_nowhere_but_to_a_table_of_ones_own() -> None:
    phone, _ann = as_guest()
    other = open_table(PersonFactory())
    assert Client().post(f"/device/{_code(phone, other.code)}/")["Location"] == "/"
    phone, _ann = as_guest()
    assert Client().post(f"/device/{_code(phone, '//evil.example')}/")["Location"] == "/"


def test_a_code_is_compared_without_what_no_database_can_be_asked_for() -> None:
    phone, ann = as_guest()
    room = open_table(ann)
    with CaptureQueriesContext(connection) as asked:
        phone.post("/you/device/", {"table": "A\0B"})
    assert any("'AB'" in query["sql"] for query in asked)
    gone = phone.post(f"/t/{room.code}/new-game/", {"room": "A\0B"})
    assert gone["Location"] == f"/t/{room.code}/"


def test_who_has_become_staff_meanwhile_logs_in_themselves() -> None:
    bob = account("bob")
    code = _code(as_user(bob))
    User.objects.filter(pk=bob.pk).update(is_staff=True)
    assert "no such code" in _said(Client(), code)


def test_it_takes_a_tap_on_a_page_of_ours() -> None:
    phone, _ann = as_guest()
    code, strict = _code(phone), Client(enforce_csrf_checks=True)
    assert strict.post(f"/device/{code}/").status_code == 403
    typed = Client().post("/device/", {"code": f" {code.lower()} "})
    assert typed["Location"] == f"/device/{code.replace('-', '')}/"


async def test_an_open_page_is_told_why_it_is_logged_out() -> None:
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
def test_what_browsers_ask_for_by_themselves_leaves_the_cookie_of_who_has_moved(asked: str) -> None:
    phone, _ann = as_guest()
    Client().post(f"/device/{_code(phone)}/")
    answer = phone.get(reverse(asked))
    assert (answer.status_code, "sessionid" in answer.cookies) == (200, False)


def test_codes_that_are_over_are_forgotten_in_a_day() -> None:
    phone, _ann = as_guest()
    _code(phone)
    HandOff.objects.update(made_at=timezone.now() - timedelta(hours=25))
    delete_expired_tokens(timezone.now()).result()
    assert not HandOff.objects.exists()
