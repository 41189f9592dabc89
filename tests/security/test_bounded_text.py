"""The size of user text is checked before it is cleaned, never in the writer's thread."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import product
from typing import Any

import msgspec
import pytest
from django.test import Client
from msgspec import inspect

from accounts import bounded
from accounts.models import WordFilter
from accounts.names import LONGEST, BadName, clean_name
from chat import messages
from chat.models import Message
from games import rooms
from games.contract.core import Ignored, Refused
from games.models import Room
from games.sockets.command_forms import options_from_form
from games.sockets.dispatch import carry_out
from games.wire import commands
from games.wire.commands import COMMANDS
from moderation import reports
from moderation.models import Report
from tests.kit.addresses import GETS
from tests.kit.around_a_table import PopulatedTable
from tests.kit.factories import AccountFactory, PersonFactory, open_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

MARKS = sorted(
    (chr(code) for code in range(0x300, 0x370) if unicodedata.combining(chr(code))),
    key=unicodedata.combining,
    reverse=True,
)
BOMB = "a" + "".join(mark for mark in MARKS for _ in range(16_000 // len(MARKS) + 1))
"""Takes quadratic time to normalize: marks in descending combining class."""
HUGE = "a" * 60_000
"""Longer than SQLite allows for a LIKE pattern."""
OWN_CODE = {
    (commands.SendNewChatMessage, "message"): "bad_message",
    (commands.Report, "note"): "bad_note",
}
"""Texts in commands that their recipient checks, with its own error code."""


@pytest.fixture
def normalised(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the lengths of normalized texts."""
    lengths: list[int] = []

    class Spy:
        @staticmethod
        def normalize(form: Any, text: str) -> str:
            lengths.append(len(text))
            return unicodedata.normalize(form, text)

    monkeypatch.setattr(bounded, "unicodedata", Spy)
    return lengths


def say(text: str) -> None:
    ann = PersonFactory()
    rooms.say(open_table(ann).pk, ann.pk, text).result()


def report(text: str) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    reports.from_table(room.pk, bob.pk, "name", str(ann), "spam", text).result()


def report_deck(text: str) -> None:
    reports.of_deck(PersonFactory().pk, "none", "spam", text).result()


@pytest.mark.parametrize(
    ("use", "error"),
    [(say, Refused), (report, Refused), (report_deck, Refused), (clean_name, BadName)],
)
def test_oversized_text_is_rejected_before_normalization(
    normalised: list[int], use: Callable[[str], Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        use(BOMB)
    assert max(normalised, default=0) <= bounded.BYTES_PER_CHARACTER * LONGEST


def test_oversized_text_is_rejected_instead_of_truncated() -> None:
    with pytest.raises(Refused, match="bad_note"):
        report("x" * (reports.LONGEST_NOTE + 1))
    assert not Report.objects.exists()
    report("🎲" * reports.LONGEST_NOTE)
    assert Report.objects.get().note == "🎲" * reports.LONGEST_NOTE


@pytest.mark.parametrize("text", ["e\u0301" * 500, "🎲" * 500, " " * 2000 + "hello"])
def test_text_of_maximum_length_is_accepted_however_it_is_composed(text: str) -> None:
    say(text)
    assert Message.objects.get().text == unicodedata.normalize("NFC", text.strip())


async def test_text_is_cleaned_outside_the_writer_and_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = PersonFactory()
    room, where = open_table(ann), []

    def noted(text: str, longest: int, plain: Callable[[str, int], str] = messages.plain) -> str:
        where.append(threading.current_thread())
        return plain(text, longest)

    monkeypatch.setattr(messages, "plain", noted)
    monkeypatch.setattr(reports, "plain", noted)
    await carry_out(room.pk, ann.pk, commands.SendNewChatMessage(message="hello"))
    with pytest.raises(Ignored):  # reporting yourself is ignored
        await carry_out(room.pk, ann.pk, commands.Report(what="name", which=str(ann)))
    assert len(where) == 2
    assert threading.main_thread() not in where
    assert not {thread.name for thread in where} & {"writer"}


def test_rejected_messages_count_towards_the_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1000.0)
    ann = PersonFactory()
    room = open_table(ann)
    for _ in range(5):
        with pytest.raises(Refused, match="bad_message"):
            rooms.say(room.pk, ann.pk, BOMB).result()
    with pytest.raises(Refused, match="busy"):
        rooms.say(room.pk, ann.pk, "hello").result()


def texts(kind: inspect.Type, name: str) -> Iterator[tuple[str, inspect.StrType]]:
    """Return every text of a type, by field name."""
    match kind:
        case inspect.StrType():
            yield name, kind
        case inspect.UnionType():
            for one in kind.types:
                yield from texts(one, name)
        case inspect.Metadata():
            yield from texts(kind.type, name)
        case inspect.VarTupleType() | inspect.ListType():
            yield from texts(kind.item_type, name)
        case inspect.StructType():
            for field in kind.fields:
                yield from texts(field.type, f"{name}.{field.name}")
        case inspect.DictType():
            yield from texts(kind.value_type, name)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_text_field_of_a_command_has_a_maximum_length(command: Any) -> None:
    for field in msgspec.structs.fields(command):
        if (command, field.name) in OWN_CODE:
            continue
        for name, text in texts(inspect.type_info(field.type), field.name):
            if name.startswith("claim."):  # checked against the offers
                continue
            assert text.max_length is not None, name


async def test_texts_with_their_own_error_code_are_rejected_with_it() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    for (command, field), code in OWN_CODE.items():
        with pytest.raises(Refused, match=code):
            await carry_out(room.pk, ann.pk, command(**{field: BOMB}))


class Forms(HTMLParser):
    """The posted forms of a page, with their URLs and fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((of.get("action", ""), {}, []))
        elif self.found and (name := of.get("name")):
            _action, given, typed = self.found[-1]
            given.setdefault(name, of.get("value", ""))
            kinds = ("text", "password", "email", "search", "hidden", "")
            if tag == "textarea" or (tag == "input" and of.get("type", "") in kinds):
                typed.append(name)


@pytest.mark.slow
def test_no_form_fails_on_oversized_text() -> None:
    """Fill each field of each form once with 60,000 letters, as a user to whom it is shown."""
    populated, tried = PopulatedTable(), set[tuple[str, str]]()
    AccountFactory()
    for who, name in product(("host", "stranger", "guest", "superuser"), GETS):
        client, address = populated.browsers[who], populated.address(name)
        client.raise_request_exception = False
        page = client.get(address)
        if page.status_code != 200 or "html" not in page.headers["Content-Type"]:
            continue
        for action, given, typed in Forms(page.content.decode()).found:
            to = action or address
            if "logout" in to or "forget" in to or "delete" in to:
                continue
            for field in typed:
                if (to, field) not in tried:
                    tried.add((to, field))
                    filled = {name: value or "x" for name, value in given.items()}
                    answer = client.post(to, filled | {field: HUGE})
                    assert answer.status_code < 500, (to, field)
    assert len(tried) > 40


def test_login_with_an_oversized_name_is_rejected_with_a_message() -> None:
    AccountFactory(username="ann")
    client = Client(raise_request_exception=False)
    for field in ("login", "password"):
        page = client.post("/account/login/", {"login": "ann", "password": "x", field: HUGE})
        assert page.status_code == 200
        assert "1000" in page.content.decode()
    assert client.get(f"/people/{HUGE}/").status_code == 404


def test_no_admin_list_fails_on_an_oversized_search() -> None:
    client = PopulatedTable().browsers["superuser"]
    client.raise_request_exception = False
    lists = list(_admin_lists(client))
    assert len(lists) > 5
    for address in lists:
        for page in (client.get(address, {"q": HUGE}), client.get(address, {"q": "a" * 900})):
            assert page.status_code in (200, 302), address


def _admin_lists(client: Client) -> Iterator[str]:
    from django.contrib import admin
    from django.urls import reverse

    for model in admin.site._registry:
        yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def test_word_filter_has_a_size_limit_and_is_folded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts import words

    client = PopulatedTable().browsers["superuser"]
    page = client.post("/admin/accounts/wordfilter/add/", {"words": HUGE})
    assert page.status_code == 200
    assert not WordFilter.objects.exists()
    WordFilter.objects.create(words="turnip\ngoose")
    folded: list[str] = []
    plain = words._folded
    monkeypatch.setattr(words, "_folded", lambda text: folded.append(text) or plain(text))
    for _ in range(3):
        assert words.is_unwanted("a turnip")
    assert folded.count("goose") <= 3  # unchanged, lowercase, and with digits replaced by letters


@pytest.mark.parametrize("number", ["9" * 5000, "--5", "-", "²"])
def test_invalid_form_number_is_passed_on_unchanged(number: str) -> None:
    assert options_from_form("mia", {"option-lives": number})["lives"] == number


def test_vetoes_accept_only_card_ids() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="cards")
    with pytest.raises(Refused, match="bad_options"):
        rooms.set_options(room.pk, ann.pk, {"vetoed": ["buy at example.org"]}).result()
    assert Room.objects.get().options["vetoed"] == []
