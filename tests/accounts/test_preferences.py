"""Preferences are stored with the user and applied on every page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.kit.factories import PersonFactory
from tests.kit.people import PASSWORD, account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)

ALL = {"confirms": "on", "sounds": "on", "covers": "on", "passes": "on"}


def body(client: Client, address: str = "/") -> str:
    """Return the opening body tag of a page."""
    found = re.search("<body[^>]*>", client.get(address).content.decode())
    assert found
    return found[0]


@pytest.mark.parametrize("somebody", ["guest", "registered"])
def test_preferences_apply_on_every_page(somebody: str) -> None:
    user = PersonFactory() if somebody == "guest" else account("Ann")
    client = as_user(user)
    given = {"sounds": "on", "theme": "dark", "language": ""}
    page = client.post("/you/preferences/", given, follow=True).content.decode()
    assert "Preferences saved." in page
    for address in ("/", "/you/", "/rules/mia/"):
        tag = body(client, address)
        for told in ("confirm=", "sound=", "blur=", "declines=", "theme="):
            wanted = {"sound=": "yes", "theme=": "dark"}.get(told, "no")
            assert f'data-{told}"{wanted}"' in tag


def test_browser_settings_apply_before_any_preference_is_set() -> None:
    client, _ = as_guest()
    tag = body(client)
    assert 'data-confirm="yes"' in tag
    for unset in ("sound", "blur", "declines", "theme"):
        assert f"data-{unset}" not in tag
    nobodys = re.findall(r"data-[-a-z]+", body(Client()))
    assert nobodys == ["data-too-long"]


@pytest.mark.parametrize("given", [{"theme": "pink"}, {"language": "xx"}, {"theme": "<b>"}])
def test_invalid_preference_changes_nothing(given: dict[str, str], settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    ann = account("Ann", sounds=True)
    page = as_user(ann).post("/you/preferences/", given, follow=True).content.decode()
    assert "a valid choice" in page
    ann.refresh_from_db()
    assert (ann.sounds, ann.theme, ann.language) == (True, "", "")


def test_setting_changed_at_a_table_is_stored() -> None:
    client, guest = as_guest()
    assert client.post("/you/habit/", {"habit": "sound", "on": "yes"}).status_code == 204
    assert client.post("/you/habit/", {"habit": "blur", "on": "no"}).status_code == 204
    guest.refresh_from_db()
    assert (guest.sounds, guest.covers, guest.passes) == (True, False, None)


@pytest.mark.parametrize("habit", ["", "is_staff", "is_superuser", "name"])
def test_unknown_settings_cannot_be_set(habit: str) -> None:
    client, guest = as_guest()
    assert client.post("/you/habit/", {"habit": habit, "on": "yes"}).status_code == 422
    guest.refresh_from_db()
    assert not guest.is_staff
    assert not guest.is_superuser


def test_preferences_form_sets_no_other_fields() -> None:
    client, guest = as_guest()
    client.post("/you/preferences/", {**ALL, "is_staff": "on", "name": "Eve", "is_guest": ""})
    guest.refresh_from_db()
    assert (guest.is_staff, guest.name, guest.is_guest) == (False, "Ann", True)


def test_chosen_language_is_used_until_it_is_cleared(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    client = as_user(account("Ann"))
    client.post("/you/preferences/", {"language": "de"})
    assert '<html lang="de"' in client.get("/").content.decode()
    client.post("/you/preferences/", {"language": ""})
    assert '<html lang="en"' in client.get("/").content.decode()


def test_preferences_are_kept_when_a_guest_registers() -> None:
    client, guest = as_guest()
    client.post("/you/preferences/", {**ALL, "theme": "light"})
    given: dict[str, Any] = {"username": "Ann", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/account/signup/", given)
    kept = User.objects.get(pk=guest.pk)
    assert (kept.is_guest, kept.theme, kept.sounds) == (False, "light", True)
