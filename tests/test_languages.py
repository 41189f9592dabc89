"""Only translated languages are offered. The catalogues decide which languages exist."""

from __future__ import annotations

import gettext
import importlib.util
import re
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings as site
from django.test import Client

from config.languages import is_complete, offered
from games.tables.sentences import spoken
from tests.kit.client import Program
from tests.kit.messages import Message, gaps, messages, of_entry
from tests.kit.page_socket import logged_in
from tests.messages import CATALOGUES, begun, is_borrowed, update

CODES = sorted(path.name for path in CATALOGUES.iterdir())
ALONE = re.compile(r"(?<![\w-])(?:[^\W\d_]|%\(\w+\)s)-[^\W\d_]")
PLACE = re.compile(r"%\(\w+\)[sd]")
GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-DE,de;q=0.9,en;q=0.1"}


def read(code: str) -> polib.POFile:
    """Return the catalogue of a language that Parlour ships."""
    return polib.pofile(str(CATALOGUES / code / "LC_MESSAGES" / "django.po"))


def fits(one: polib.POEntry, said: str) -> bool:
    """Return whether a translation has its sentence's placeholders.

    One plural form may omit the number.
    """
    wanted = set(PLACE.findall(one.msgid + one.msgid_plural))
    singular = set(PLACE.findall(one.msgid))
    found = set(PLACE.findall(said))
    kept = singular <= found <= wanted and ("**" in said) == ("**" in one.msgid)
    return kept and said.count("**") % 2 == 0 and said.strip() != "" and not edges(one.msgid, said)


def edges(asked: str, said: str) -> bool:
    """Return whether only one of them begins or ends with a space."""
    return asked[:1].isspace() != said[:1].isspace() or asked[-1:].isspace() != said[-1:].isspace()


def catalogue(locale: Path, *entries: polib.POEntry) -> Path:
    """Write a German catalogue of these entries."""
    folder = locale / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    made = polib.POFile()
    made.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    made.extend(entries)
    made.save(str(folder / "django.po"))
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
    offer = offered(tmp_path, tmp_path / "var")
    assert offer.languages == [("en", "English"), ("de", "Deutsch")]
    (compiled,) = offer.folders
    read = gettext.translation("django", compiled, ["de"])
    assert read.gettext("Table") == "Tisch"


def test_catalogue_is_recompiled_when_it_changes(tmp_path: Path) -> None:
    catalogue(tmp_path, DONE, entry("Table", "Tisch"))
    first = offered(tmp_path, tmp_path / "var").folders
    assert offered(tmp_path, tmp_path / "var").folders == first
    catalogue(tmp_path, DONE, entry("Table", "Tafel"))
    (compiled,) = offered(tmp_path, tmp_path / "var").folders
    assert compiled not in first
    assert gettext.translation("django", compiled, ["de"]).gettext("Table") == "Tafel"


@pytest.mark.parametrize("half", HALF, ids=["missing", "fuzzy", "half a plural"])
def test_language_with_an_incomplete_catalogue_is_not_offered(
    tmp_path: Path, half: polib.POEntry
) -> None:
    catalogue(tmp_path, DONE, half)
    assert offered(tmp_path, tmp_path / "var") == ([("en", "English")], [])


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"msgid without quotes"])
def test_language_with_an_invalid_catalogue_is_not_offered(tmp_path: Path, text: bytes) -> None:
    catalogue(tmp_path, DONE).write_bytes(text)
    assert offered(tmp_path, tmp_path / "var") == ([("en", "English")], [])


def test_language_is_not_offered_if_its_compiled_file_cannot_be_written(tmp_path: Path) -> None:
    catalogue(tmp_path, DONE)
    (tmp_path / "var").write_text("a file where a folder should be")
    assert offered(tmp_path, tmp_path / "var") == ([("en", "English")], [])


@pytest.mark.parametrize("code", CODES)
def test_catalogue_contains_exactly_the_messages_in_use(code: str) -> None:
    found, catalogue = messages(), read(code)
    assert not gaps(catalogue, found), "make messages lists them with their files"
    others = [one for one in catalogue if of_entry(one) not in found and not is_borrowed(one)]
    assert not others, "make messages drops them"
    assert is_complete(catalogue)
    assert code in dict(site.LANGUAGES)


@pytest.mark.parametrize("code", CODES)
def test_translations_have_the_placeholders_of_their_messages(code: str) -> None:
    wrong = [
        (one.msgid, said)
        for one in read(code)
        for said in one.msgstr_plural.values() or [one.msgstr]
        if not fits(one, said)
    ]
    assert not wrong


@pytest.mark.parametrize("code", CODES)
def test_one_letter_is_never_left_alone_at_the_end_of_a_line(code: str) -> None:
    """Browsers break lines after a hyphen, but not after U+2011: `E\u2011Mail`, `3\u2011mal`."""
    said = [one for entry in read(code) for one in (entry.msgstr, *entry.msgstr_plural.values())]
    assert not [one for one in said if ALONE.search(one)]


@pytest.mark.parametrize("code", CODES)
def test_borrowed_messages_still_exist_in_their_packages(code: str) -> None:
    for one in filter(is_borrowed, read(code)):
        package = one.occurrences[0][0].replace("django", "django.conf", 1)
        package = package.replace("django.conf.contrib", "django.contrib")
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        said = Path(spec.origin).parent / "locale" / "en" / "LC_MESSAGES" / "django.po"
        assert f'"{one.msgid[:30]}' in said.read_text().replace('\\"', '"').replace(
            'msgid ""\n', "msgid "
        )


def test_new_catalogue_is_created_and_updated() -> None:
    catalogue = begun("tlh")
    catalogue.metadata["Plural-Forms"] = "nplurals=3; plural=(n > 2 ? 2 : n);"
    found = {Message("One"): ["a.py"], Message("%(n)s card", "%(n)s cards"): ["a.py", "b.html"]}
    update(catalogue, found)
    assert gaps(catalogue, found) == list(found)
    assert catalogue[1].msgstr_plural == {0: "", 1: "", 2: ""}
    catalogue[0].msgstr = "wa'"
    catalogue.append(entry("Log in", "yI'el", occurrences=[("django.contrib.auth", "")]))
    update(catalogue, {Message("Two"): ["c.py"], Message("One"): ["c.py"]})
    assert [(one.msgid, one.msgstr) for one in catalogue] == [
        ("Two", ""),
        ("One", "wa'"),
        ("Log in", "yI'el"),
    ]


def test_english_is_used_if_no_requested_language_is_offered() -> None:
    asked = ("en", "EN", "en-GB", "xx", "", "x" * 35, "x" * 4000)
    assert [spoken([lang]) for lang in asked] == ["en"] * 7


@pytest.mark.django_db
def test_german_browser_gets_english_if_german_is_not_offered(settings: Any) -> None:
    settings.LANGUAGES = offered(Path("/nowhere"), Path("/nowhere")).languages
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


def test_language_choice_is_hidden_if_only_one_language_is_offered(
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


async def test_program_gets_english_if_its_language_is_not_offered(
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
