"""Every page is in one language.

Every page, game phase, email and socket is searched for words from the English sentences that were
translated.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.models import Room
from games.pages import regions
from games.pages.beats import beats_region
from games.pages.lines import log_region
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.registry import GAMES
from games.tables.table import Table
from tests.kit.addresses import GETS
from tests.kit.around_a_table import PopulatedTable
from tests.kit.foreign import foreign
from tests.kit.people import PASSWORD, account, as_user
from tests.kit.staged import NAMES, Moment, Staged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de"}
PEOPLE = ("Bob", "Clerk", "Mod", "Root", "Locked", "kicked", "member", "spectator")
WHO = (
    *NAMES,
    *PEOPLE,
    "Zoe",
    "B.",
    "Be",
    "Do",
    "Who ate",
    "Administrator",
    "guest",
    "nobody",
    "enough",
)
RAW = re.compile(r"True|False|Filter|\{.*\}|\w+\*+|(.* )?match \d+ of mia.*")
"""Stored values shown untranslated in the back office, and a word common to both languages."""
SIZES = {"mia": 4, "coup": 4, "chamber": 5, "secret_hitler": 7, "cards": 5}


def names() -> tuple[str, ...]:
    """Return text that belongs to no language: names, and codes of tables, which may form words."""
    return (*WHO, *Room.objects.values_list("code", flat=True))


class InTurn(Staged):
    """A table rendered in English and in German, alternating which comes first."""

    turn = 0

    def _drawn(self, now: Table, viewpoint: str, who: int) -> Moment:
        self.turn += 1
        drawn: dict[str, dict[str, str]] = {}
        for language in ("en", "de") if self.turn % 2 else ("de", "en"):
            with override(language):
                drawn[language] = _everything(now, who, language)
        for language, html in ((one, html) for one in drawn for html in drawn[one].values()):
            assert not foreign(html, language, names()), (self.room.game, viewpoint)
        return Moment(now.match.phase if now.match else "", viewpoint, False, drawn["de"])


def _everything(now: Table, who: int, language: str) -> dict[str, str]:
    viewpoint = viewpoint_of(now, who, language)
    found = {one.id: render(now, one, language) for one in regions(now, who)}
    found["log"] = render(now, log_region(now, now.story, viewpoint), language)
    found["beats"] = render(now, beats_region(now, now.story[-3:], viewpoint), language)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_phase_is_in_the_viewers_language(game: str) -> None:
    options = {"packs": ["own-de"]} if game == "cards" else {}
    staged = InTurn(game, players=SIZES.get(game, GAMES[game].seats[0]), **options)
    kinds = {moment.kind for moment in staged.moments(examples=(1,))}
    assert len(kinds) > 5


def test_every_page_is_german_for_a_german_browser() -> None:
    populated = PopulatedTable()
    some = {"member": ["table"], "kicked": ["table"], "locked out": ["front", "you"]}
    for who in ("stranger", "host", "superuser", *some):
        for name in some.get(who, GETS):
            answer = populated.browsers[who].get(populated.address(name), **GERMAN)
            if is_page(answer):
                assert_german(answer.content.decode(), f"{name} for {who}")


def test_admin_pages_are_german_for_a_german_browser() -> None:
    root = PopulatedTable().browsers["superuser"]
    for model in site._registry:
        if model is Group:  # permissions have Django's names
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        found = model._default_manager.first()
        pages = [reverse(f"{name}_changelist")]
        pages += [reverse(f"{name}_change", args=[found.pk])] if found is not None else []
        for page in pages:
            answer = root.get(page, **GERMAN)
            if is_page(answer):
                assert_german(answer.content.decode(), page)


def is_page(answer: Any) -> bool:
    return bool(answer.headers.get("Content-Type", "").startswith("text/html") and answer.content)


def assert_german(html: str, what: str) -> None:
    found = foreign(html, "de", names())
    found = [text for text in found if text != "Search"]  # Django's own, untranslated there
    assert not [text for text in found if not RAW.fullmatch(text)], what
    if "<html" in html:
        assert '<html lang="de"' in html, what


def test_mails_are_in_the_requesters_language(mailoutbox: list[Any], settings: Any) -> None:
    settings.MAIL = True
    ann = account("Ann", email="ann@e.example")
    Client().post("/account/password/reset/", {"email": "ann@e.example"}, **GERMAN)
    browser = as_user(ann)
    browser.post("/account/confirm/?next=/", {"password": PASSWORD})
    browser.post("/account/email/", {"email": "a@e.example", "action_add": ""}, **GERMAN)
    assert [mail.to for mail in mailoutbox] == [["ann@e.example"], ["a@e.example"]]
    for mail in mailoutbox:
        text = f"{mail.subject}\n{mail.body}"
        assert not foreign(text, "de", WHO), text


FORMS = {
    "account_login": {"login": "", "password": ""},
    "account_signup": {"username": "@", "password1": "1", "password2": "2"},
    "account_change_password": {"oldpassword": "x", "password1": "1", "password2": "2"},
    "account_email": {"email": "no address", "action_add": ""},
    "delete-account": {"password": "wrong"},
    "make-token": {"name": "", "days": "x"},
    "new-deck": {"name": "", "language": "?", "text": "?,??", "keep": "yes"},
    "new-table": {"visibility": "x", "name": ""},
    "rename": {"name": "\n"},
    "by-code": {"code": "-----", "name": "x" * 50},
    "prefer": {"theme": "pink"},
    "set-language": {"language": "tlh"},
}
"""Invalid values for forms."""


def test_form_errors_are_german_for_a_german_browser() -> None:
    populated = PopulatedTable()
    for who in ("stranger", "host"):
        client = populated.browsers[who]
        for name, fields in FORMS.items():
            answer = client.post(populated.address(name), fields, follow=True, **GERMAN)
            assert_german(answer.content.decode(), f"{name} for {who}")
