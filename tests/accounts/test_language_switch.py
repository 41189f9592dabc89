"""The language is chosen in the footer or the menu, and the choice is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.kit.factories import open_table
from tests.kit.people import PASSWORD, account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9"}


def choose(client: Client, language: str, back: str = "/decks/") -> str:
    """Press the button. Return the resulting page."""
    fields = {"language": language, "next": back}
    answer = client.post("/language/", fields, follow=True)
    assert answer.redirect_chain == [(back, 302)]
    return answer.content.decode()


def test_first_visit_uses_the_language_of_the_browser() -> None:
    assert '<html lang="de"' in Client().get("/", **GERMAN).content.decode()
    assert '<html lang="en"' in Client().get("/").content.decode()
    other = {"HTTP_ACCEPT_LANGUAGE": "tlh, fr;q=0.8"}
    assert '<html lang="en"' in Client().get("/", **other).content.decode()


def test_anonymous_choice_of_language_is_kept_in_the_browser() -> None:
    client = Client(**GERMAN)
    assert '<html lang="en"' in choose(client, "en")
    assert '<html lang="en"' in client.get("/rules/mia/").content.decode()


def test_language_of_an_account_applies_on_other_devices() -> None:
    ann, other = account("Ann"), Client()
    assert '<html lang="de"' in choose(as_user(ann), "de")
    ann.refresh_from_db()
    assert ann.language == "de"
    other.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert '<html lang="de"' in other.get("/").content.decode()


def test_every_page_and_table_has_the_language_switch() -> None:
    client, guest = as_guest()
    table = f"/t/{open_table(guest).code}/"
    for path, switches in (("/", 2), ("/rules/mia/", 2), ("/account/login/", 2), (table, 1)):
        page = client.get(path).content.decode()
        assert page.count('action="/language/"') == switches, path
        assert page.count('value="de" lang="de" aria-pressed="false">Deutsch<') == switches
    assert '<html lang="de"' in choose(client, "de", table)


@pytest.mark.parametrize("language", ["tlh", "", "DE; path=/", "x" * 4000, "../de"])
def test_unknown_language_changes_nothing(language: str) -> None:
    ann = account("Ann", language="de")
    client = as_user(ann)
    choose(client, "de")
    page = choose(client, language)
    assert "Diese Sprache gibt es hier nicht." in page
    ann.refresh_from_db()
    assert ann.language == "de"


def test_cookie_with_an_unknown_language_is_ignored() -> None:
    client = Client()
    client.cookies["django_language"] = "tlh"
    assert '<html lang="en"' in client.get("/").content.decode()
    assert '<html lang="de"' in client.get("/", **GERMAN).content.decode()


def test_language_switch_is_hidden_if_only_one_language_is_offered(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English")]
    assert 'action="/language/"' not in Client().get("/").content.decode()
