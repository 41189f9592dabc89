"""Usernames in any case and alphabet: login, invitations, pages, searches, and migration."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.test import Client

from accounts.models import User, account_of
from accounts.names import page_of
from games import rooms
from games.models import Invitation
from tests.kit.factories import open_table
from tests.kit.moderators import admin_client
from tests.kit.people import PASSWORD, account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def logging_in(name: str) -> Any:
    return Client().post("/account/login/", {"login": name, "password": PASSWORD})


def with_twins() -> tuple[User, User]:
    """Two accounts from a time when case was folded for ASCII only."""
    older, younger = account("Özge"), account("Somebody")
    User.objects.filter(pk=younger.pk).update(username="özge", name="özge", login_key=None)
    younger.refresh_from_db()
    return older, younger


@pytest.mark.parametrize("typed", ["Özge", "özge", "ÖZGE", "O\u0308zge", "ö\u200bzge", " ÖZGE "])
def test_username_is_found_in_any_case_of_any_alphabet(typed: str) -> None:
    ozge, ann = account("Özge"), account("Ann")
    assert logging_in(typed).status_code == 302
    room = open_table(ann)
    rooms.invite(room.pk, ann.pk, typed.strip()).result()
    assert Invitation.objects.get(room=room).user_id == ozge.pk
    assert Client().get("/people/", {"name": typed.strip()}).status_code == 200
    assert account_of("Ozge") is None


def test_accounts_with_one_key_log_in_by_their_exact_spelling() -> None:
    older, younger = with_twins()
    assert account_of("ÖZGE") == account_of("Özge") == older
    assert account_of("özge") == younger
    assert "_auth_user_id" in Client().session or logging_in("özge").status_code == 302
    client = as_user(younger)
    page = client.get("/you/").content.decode()
    assert "/you/user-name/" in page
    assert "/you/user-name/" not in as_user(older).get("/you/").content.decode()
    refused = client.post("/you/user-name/", {"username": "ÖZGE"})
    assert refused.status_code == 422
    assert "That name is taken" in refused.content.decode()
    assert client.post("/you/user-name/", {"username": "Özge2"}).status_code == 302
    assert account_of("özge2") == younger
    assert client.post("/you/user-name/", {"username": "Another"}).status_code == 302
    assert account_of("Another") is None, "a name that works in any case stays"


def test_owner_of_an_ambiguous_name_is_asked_to_choose_another() -> None:
    older, _younger = with_twins()
    client = Client()
    client.post("/account/login/", {"login": "özge", "password": PASSWORD})
    assert "Choose another user name" in client.get("/").content.decode()
    older.delete()
    client = Client()
    client.post("/account/login/", {"login": "özge", "password": PASSWORD})
    assert "Choose another user name" not in client.get("/").content.decode()
    assert account_of("ÖZGE") is not None


def test_oldest_account_keeps_the_key_across_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    migration = import_module("accounts.migrations.0017_fill_keys")
    monkeypatch.setattr(migration, "AT_ONCE", 2)
    people = [account(f"Person{number}") for number in range(5)]
    names = ("Özge", "Kari", "ÖZGE", "özge", "Karl")
    for person, name in zip(people, names, strict=True):
        User.objects.filter(pk=person.pk).update(
            username=name, name="", login_key=None, key="", shown_key="", shown_login_key=""
        )
    for _again in range(2):
        with connection.schema_editor() as editor:
            migration.fill_keys(apps, editor)
        keys = (
            User.objects.filter(is_guest=False).order_by("pk").values_list("login_key", flat=True)
        )
        assert list(keys) == ["özge", "kari", None, None, "karl"]
    assert User.objects.filter(key="", is_guest=False).count() == 0
    assert User.objects.get(username="Karl").shown_key == "karl"


@pytest.mark.parametrize("asked", ["özge", "ÖZGE", "ÖZ", "zge"])
def test_staff_find_names_of_users_and_guests_in_any_case(asked: str) -> None:
    account("Özge")
    as_guest("özgen")
    staff = admin_client()
    page = staff.get("/admin/accounts/user/", {"q": asked}).content.decode()
    assert "Özge" in page
    assert "özgen" in page
    page = staff.get("/admin/accounts/user/", {"q": "ü%_"}).content.decode()
    assert "Özge" not in page


def test_every_admin_search_folds_free_text() -> None:
    for model, of in admin.site._registry.items():
        if model is Group:  # its admin page is Django's own
            continue
        for field in of.search_fields:
            assert field.endswith("__fold") or not _is_free_text(model, field), (model, field)


def _is_free_text(model: type[models.Model], path: str) -> bool:
    """Return whether a field holds text written by users.

    Codes, slugs and addresses are ASCII.
    """
    for part in path.split("__"):
        try:
            field = model._meta.get_field("id" if part == "pk" else part)
        except FieldDoesNotExist:
            return False
        model = field.related_model or model  # type: ignore[assignment]
    ascii_only = {"code", "slug", "address", "thread", "id"}
    return isinstance(field, models.CharField | models.TextField) and field.name not in ascii_only


@pytest.mark.parametrize(
    "name", [".", "..", "a/../b", "a//b", "/a", "a/", "%2e%2e", "a?b#c", "a\\b"]
)
def test_every_name_has_a_browser_safe_address(name: str) -> None:
    person = account("Somebody")
    User.objects.filter(pk=person.pk).update(username=name, login_key=name.casefold())
    address = page_of(name)
    assert not {"", ".", ".."} & set(address.partition("?")[0].strip("/").split("/"))
    answer = Client().get(address)
    assert answer.status_code == 200
    assert answer.context["person"] == person
