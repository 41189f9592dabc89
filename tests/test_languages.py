"""What is not translated is not offered: the catalogues decide which languages there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings as site
from django.test import Client

from config.languages import is_complete, offered
from games.language.sentences import spoken
from tests.kit.client import Program
from tests.kit.messages import messages
from tests.kit.page_socket import logged_in

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-DE,de;q=0.9,en;q=0.1"}


def catalogue(locale: Path, *entries: polib.POEntry, stale: bool = False) -> Path:
    """A German catalogue of these entries, compiled (unless `stale`: before the last was made)."""
    folder = locale / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    made.extend(entries)
    made.save(str(folder / "django.po"))
    if stale:
        made.pop()
    made.save_as_mofile(str(folder / "django.mo"))
    return folder / "django.po"


def entry(msgid: str, msgstr: str = "", **more: Any) -> polib.POEntry:
    return polib.POEntry(msgid=msgid, msgstr=msgstr, **more)


DONE = entry("Vote", "Stimme")
HALF = [
    entry("Table"),
    entry("Table", "Tafel", flags=["fuzzy"]),
    entry("%(n)s card", msgid_plural="%(n)s cards", msgstr_plural={0: "%(n)s Karte", 1: ""}),
]


def test_a_language_is_offered_when_its_catalogue_is_complete(tmp_path: Path) -> None:
    catalogue(tmp_path, DONE, entry("Table", "Tisch"))
    assert offered(tmp_path) == [("en", "English"), ("de", "Deutsch")]


@pytest.mark.parametrize("half", HALF, ids=["missing", "fuzzy", "half a plural"])
def test_a_language_with_a_gap_is_not_offered(tmp_path: Path, half: polib.POEntry) -> None:
    catalogue(tmp_path, DONE, half)
    assert offered(tmp_path) == [("en", "English")]


def test_a_language_that_is_not_compiled_anew_is_not_offered(tmp_path: Path) -> None:
    made = catalogue(tmp_path, DONE, entry("Table", "Tisch"), stale=True)
    assert not is_complete(made)
    made.with_suffix(".mo").unlink()
    assert not is_complete(made)


def test_what_is_offered_has_every_sentence_that_is_said_here() -> None:
    wanted = messages()
    assert {
        "Your name",
        "Play now",
        "There is no page at this address.",
    } <= wanted
    assert {"Call the bluff", "%(count)s life", "%(p)s prompts, %(a)s answers"} <= wanted
    for code, _ in site.LANGUAGES[1:]:
        folder = site.LOCALE_PATHS[0] / code / "LC_MESSAGES"
        known = {entry.msgid for entry in polib.pofile(str(folder / "django.po"))}
        assert wanted <= known, f"{code}: {sorted(wanted - known)}"


def test_english_is_spoken_where_nothing_that_is_asked_for_is_offered() -> None:
    assert [spoken([lang]) for lang in ("en", "en-GB", "xx", "", "x" * 35)] == ["en"] * 5


@pytest.mark.django_db
def test_a_german_browser_is_not_told_that_english_is_german(settings: Any) -> None:
    settings.LANGUAGES = offered(Path("/nowhere"))
    client = Client(**GERMAN)
    for path in ("/", "/account/login/", "/account/signup/", "/new/mia/"):
        page = client.get(path).content.decode()
        assert '<html lang="en"' in page
    answer = client.post("/account/login/", {"login": "", "password": ""})
    assert "This field is required." in answer.content.decode()
    answer = client.post(
        "/account/signup/", {"username": "Ann", "password1": "1", "password2": "1"}
    )
    assert "too common" in answer.content.decode()


def test_there_is_nothing_to_choose_where_there_is_one_language(
    transactional_db: None, settings: Any
) -> None:
    _, cookie = logged_in()
    client = Client()
    client.cookies["sessionid"] = cookie.partition("=")[2]
    settings.LANGUAGES = [("en", "English")]
    assert 'name="language"' not in client.get("/you/").content.decode()
    assert client.post("/you/preferences/", {"language": "de"}).status_code == 302
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    assert 'name="language"' in client.get("/you/").content.decode()


async def test_a_program_that_asks_for_what_is_not_offered_is_spoken_to_in_english(
    transactional_db: None, settings: Any
) -> None:
    settings.LANGUAGES = [("en", "English")]
    async with Program() as ann:
        for lang in ("de", "tlh", ""):
            assert (await ann.ask("HostGame", game="mia", username="ann", lang=lang))["type"] == (
                "GameCreated"
            )
            assert (await ann.ask("StartGame"))["reason"].startswith("It takes at least")
            await ann.ask("LeaveGame")
