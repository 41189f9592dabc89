"""Blocked words of a site: whole words in any case, including look-alike letters."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User, WordFilter
from accounts.words import is_unwanted
from chat.models import Message
from games import rooms
from games.cards.decks.reading import read_deck
from games.contract.core import Refused
from games.udp import commands as udp
from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import admin_client
from tests.kit.people import as_user, signing_up

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _words() -> None:
    WordFilter.objects.create(words="Turnip\n\nbad apple\r\nÄrger\n  \n")


@pytest.mark.parametrize(
    "text",
    [
        *("turnip", "TURNIP", "you turnip!", "turnip, turnip", "(Turnip)", "_turnip_"),
        *("turnір", "turn1p", "tur\u200bnip", "tu\u0301rnip", "ｔｕｒｎｉｐ"),
        *("a bad apple", "bad  apple", "bad-apple", "ARGER", "ärger"),
    ],
)
def test_blocked_word_is_found(text: str) -> None:
    assert is_unwanted(text)


@pytest.mark.parametrize("text", ["", "turnips", "bad", "apple bad", "saturnip", "!", "bad apples"])
def test_other_words_are_allowed(text: str) -> None:
    assert not is_unwanted(text)


def test_empty_word_list_blocks_nothing() -> None:
    WordFilter.objects.update(words=" \n\n")
    assert not is_unwanted("turnip", "")


def test_message_with_a_blocked_word_is_refused() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    with pytest.raises(Refused, match="bad_message"):
        rooms.say(room.pk, ann.pk, "you turnip").result()
    assert not Message.objects.exists()


def test_name_with_a_blocked_word_is_refused_at_every_entry(client: Client) -> None:
    for page in ("/play/", "/new/mia/"):
        given = {"game": "mia", "name": "A Turnip", "visibility": "public"}
        answer = client.post(page, given)
        assert answer.status_code == 422
        assert "blocked word" in answer.content.decode()
    assert "blocked word" in client.post("/account/signup/", signing_up("turnip")).content.decode()
    assert not User.objects.exists()
    ann = PersonFactory()
    assert as_user(ann).post("/you/name/", {"name": "Turnip"}).status_code == 422
    with pytest.raises(Refused, match="UsernameBlocked"):
        rooms.join(open_table(ann).code, None, "turnip").result()
    with pytest.raises(Refused, match="UsernameBlocked"):
        udp.register("turnip", "127.0.0.1", 5).result()


def test_deck_with_a_blocked_word_is_refused_naming_the_card() -> None:
    cards = b"kind,text\nprompt,_ is good\nanswer,a turnip\n"
    problems = read_deck(cards, "My deck", "en").problems
    assert problems == ("line 3: contains a blocked word.",)
    problems = read_deck(cards.replace(b"turnip", b"goose"), "Bad apple", "en").problems
    assert problems == ("The deck name contains a blocked word.",)
    assert read_deck(cards.replace(b"turnip", b"goose"), "My deck", "en").pack is not None


def test_moderators_can_change_the_word_list_and_the_change_is_logged() -> None:
    from moderation.models import StaffAct

    number = WordFilter.objects.get().pk
    client = admin_client()
    assert client.get("/admin/accounts/wordfilter/add/").status_code == 403, "one list"
    page = f"/admin/accounts/wordfilter/{number}/change/"
    client.post(page, {"words": "goose\nduck", "reason": "geese"})
    assert is_unwanted("a Goose")
    assert not is_unwanted("turnip")
    logged = StaffAct.objects.get()
    assert (logged.action, logged.by_name, logged.reason) == ("change", "Mod", "geese")
    assert "+goose +duck -Turnip" in logged.what
