"""The deck pages: upload, view, edit, download, and permissions."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from accounts.models import User
from games.cards.decks import MOST_DECKS
from games.cards.decks.decoding import LONGEST
from games.contract.core import Refused
from games.engine.writer import Pending
from games.models import Deck
from tests.kit.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)

CSV = 'kind,text\nprompt,Who ate _?\nanswer,<b>bold & \'"goose"</b>\nanswer,=SUM(A1)\n'


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def bring(client: Client, text: str = CSV, keep: bool = True, **more: str) -> Deck | None:
    given = {"name": "Geese", "language": "en", "text": text, **more}
    client.post("/decks/new/", given | ({"keep": "yes"} if keep else {}))
    return Deck.objects.order_by("-pk").first()


def fields_of(page: str) -> dict[str, str]:
    """Return the fields a browser would send with the form that saves a deck."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    return {name: html.unescape(value).replace("\n", "\r\n") for name, value in fields}


def test_deck_is_previewed_before_it_is_saved() -> None:
    ann = PersonFactory()
    client = client_of(ann)
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "text": CSV})
    assert shown.status_code == 200
    assert "Nothing is saved yet" in shown.content.decode()
    assert "<b>bold" not in shown.content.decode()
    assert not Deck.objects.exists()
    fields = fields_of(shown.content.decode())
    kept = client.post("/decks/new/", fields | {"keep": "yes"})
    deck = Deck.objects.get()
    assert kept.headers["Location"] == f"/decks/{deck.slug}/"
    assert (deck.owner, deck.prompts, deck.answers, deck.public) == (ann, 1, 2, False)


def test_uploaded_file_is_read_like_pasted_text() -> None:
    client = client_of(PersonFactory())
    file = SimpleUploadedFile("geese.csv", CSV.encode())
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": file})
    assert "Nothing is saved yet" in shown.content.decode()
    huge = SimpleUploadedFile("huge.csv", b"x" * (LONGEST + 1))
    refused = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": huge})
    assert refused.status_code == 422
    assert "too large" in refused.content.decode()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "kind,text\nanswer,\n"}, "line 2: the text is empty"),
        ({"text": ""}, "Choose a file, or paste the text"),
        ({"name": ""}, "This field is required"),
        ({"language": "!!"}, "The language must be a code"),
        ({"text": "kind,text\nanswer,<script>\u202e\n"}, "U+202E"),
    ],
)
def test_problems_are_reported_and_nothing_is_saved(given: dict[str, str], said: str) -> None:
    client = client_of(PersonFactory())
    answer = client.post("/decks/new/", {"name": "G", "language": "en", "text": CSV} | given)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "<script>\u202e" not in answer.content.decode()
    assert not Deck.objects.exists()


def test_unreadable_cards_can_be_skipped() -> None:
    client = client_of(PersonFactory())
    given = {"name": "Geese", "language": "en", "text": "kind,text\nanswer,\nanswer,goose\n"}
    page = client.post("/decks/new/", given).content.decode()
    assert "line 2: the text is empty" in page
    assert "continue with the others" in page
    shown = client.post("/decks/new/", fields_of(page))
    assert "Nothing is saved yet" in shown.content.decode()
    client.post("/decks/new/", fields_of(shown.content.decode()) | {"keep": "yes"})
    assert Deck.objects.get().answers == 1
    nameless = client.post("/decks/new/", given | {"language": "!!"}).content.decode()
    assert "continue with the others" not in nameless


PACKS = """{"white": ["goose", "swan"], "black": [{"text": "Who ate ___?", "pick": 1}], "packs": {
 "w": {"name": "Water 10", "white": [0, 1], "black": []},
 "v": {"name": "water 9", "white": [], "black": []},
 "f": {"name": "<b>Food</b>", "white": [0], "black": [0]}}}"""


@pytest.mark.parametrize("replacing", [False, True])
def test_packs_of_a_file_are_selected_by_checkboxes(replacing: bool) -> None:
    client = client_of(PersonFactory())
    path = "/decks/new/"
    if replacing:
        deck = bring(client)
        assert deck is not None
        path = f"/decks/{deck.slug}/file/"
    file = SimpleUploadedFile("packs.json", PACKS.encode("utf-16"))
    asked = client.post(path, {"name": "Geese", "language": "en", "file": file})
    page = asked.content.decode()
    assert asked.status_code == 200
    assert "several packs" in page
    assert "Tick at least one pack" not in page
    names = re.findall("<bdi>(.*?)</bdi>", page)
    assert names == ["&lt;b&gt;Food&lt;/b&gt;", "water 9", "Water 10"]
    fields = fields_of(page)
    for pack in ([], ["-1"], ["x"], ["²"], ["9" * 5000], ["3"]):
        again = client.post(path, fields | {"pack": pack}).content.decode()
        assert "Tick at least one pack" in again
    page = client.post(path, fields | {"pack": ["0", "2"]}).content.decode()
    assert "Nothing is saved yet" in page
    client.post(path, fields_of(page) | {"keep": "yes"})
    kept = Deck.objects.get()
    assert (kept.prompts, kept.answers) == (1, 2)


def test_csv_separator_follows_the_language() -> None:
    for language, first in (("en", "kind,number"), ("de", "kind;number")):
        answer = Client().get("/decks/own-de.csv", headers={"accept-language": language})
        assert answer.content.decode("utf-8-sig").startswith(first)


def test_private_deck_is_visible_only_to_its_owner() -> None:
    ann, bob = client_of(PersonFactory()), client_of(PersonFactory())
    deck = bring(ann)
    assert deck is not None
    pages = (f"/decks/{deck.slug}/", f"/decks/{deck.slug}.json", f"/decks/{deck.slug}.csv")
    for page in pages:
        assert ann.get(page).status_code == 200
        assert bob.get(page).status_code == Client().get(page).status_code == 404
    ann.post(f"/decks/{deck.slug}/change/", {"do": "public"})
    for page in pages:
        assert bob.get(page).status_code == Client().get(page).status_code == 200
    assert "Geese" in bob.get("/decks/").content.decode()


def test_removed_deck_is_visible_only_to_its_owner_who_can_delete_it() -> None:
    ann, bob = client_of(PersonFactory()), client_of(PersonFactory())
    for _ in range(MOST_DECKS):
        deck = bring(ann)
    assert deck is not None
    Deck.objects.update(public=True, hidden=True)
    page = f"/decks/{deck.slug}/"
    assert "removed by staff" in ann.get("/decks/").content.decode()
    assert "Staff removed this deck" in ann.get(page).content.decode()
    assert ann.get(f"/decks/{deck.slug}.csv").status_code == 200
    for path in (page, f"/decks/{deck.slug}.json", f"/decks/{deck.slug}.csv"):
        assert bob.get(path).status_code == Client().get(path).status_code == 404
    assert "Geese" not in bob.get("/decks/").content.decode()
    assert f'value="{deck.slug}"' not in ann.get("/new/cards/").content.decode()
    ann.post(f"{page}change/", {"do": "delete"})
    assert bring(ann) is not None
    assert Deck.objects.filter(hidden=False).count() == 1


def test_staff_can_remove_and_restore_a_deck() -> None:
    bring(client_of(PersonFactory()))
    deck = Deck.objects.get()
    moderator = PersonFactory(is_staff=True)
    rights = Permission.objects.filter(codename__in=("view_deck", "change_deck"))
    moderator.user_permissions.set(rights)
    admin = client_of(moderator)
    assert "Who ate _?" in admin.get(f"/admin/games/deck/{deck.pk}/change/").content.decode()
    for action, hidden in (("take_out", True), ("put_back", False)):
        given = {"action": action, "_selected_action": deck.pk}
        assert "Reason" in admin.post("/admin/games/deck/", given).content.decode()
        admin.post("/admin/games/deck/", {**given, "why": "yes", "reason": "rude"})
        deck.refresh_from_db()
        assert deck.hidden is hidden


def test_pages_change_decks_only_through_the_writer() -> None:
    written = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if "games_deck" in sql and not sql.startswith("SELECT"):
            written.append(sql)
        return execute(sql, *rest)

    ann, admin = (
        client_of(PersonFactory()),
        client_of(PersonFactory(is_staff=True, is_superuser=True)),
    )
    with connection.execute_wrapper(note):
        deck = bring(ann)
        assert deck is not None
        given = {"name": "New", "language": "en", "text": CSV, "keep": "yes"}
        assert ann.post(f"/decks/{deck.slug}/file/", given).status_code == 302
        given = {"action": "take_out", "_selected_action": deck.pk, "why": "yes", "reason": "rude"}
        admin.post("/admin/games/deck/", given)
        assert Deck.objects.get().hidden
        for action in ("public", "private", "delete"):
            ann.post(f"/decks/{deck.slug}/change/", {"do": action})
    assert not Deck.objects.exists()
    assert not written


def busy(*_args: Any) -> Pending[Any]:
    pending: Pending[Any] = Pending()
    pending.set_exception(Refused("busy"))
    return pending


def test_write_failure_is_reported_and_the_text_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = client_of(PersonFactory())
    deck = bring(client)
    assert deck is not None
    for command in (
        "games.cards.decks.keep",
        "games.cards.decks.pages.set_public",
        "games.cards.decks.pages.delete",
    ):
        monkeypatch.setattr(command, busy)
    given = {"name": "Geese", "language": "en", "text": CSV, "keep": "yes"}
    for path in ("/decks/new/", f"/decks/{deck.slug}/file/"):
        answer = client.post(path, given)
        assert answer.status_code == 422
        assert "The server is busy" in answer.content.decode()
        assert "Who ate _?" in answer.content.decode()
    for action in ("public", "delete"):
        answer = client.post(f"/decks/{deck.slug}/change/", {"do": action})
        assert answer.status_code == 422
        assert "The server is busy" in answer.content.decode()


def large_deck(sign: str) -> bytes:
    """A CSV file of at most 1 MiB, filled with long cards in one script."""
    lines = [f'prompt,"{n} {sign * 290} ""_"""' for n in range(1000)]
    lines += [f'answer,"{n} {sign * 140} \\\\"' for n in range(3000)]
    file = "\n".join(("kind,text", *lines)).encode()[: 1024 * 1024]
    return file[: file.rindex(b"\n")]


@pytest.mark.parametrize("sign", ["\\", "𐰀"])
def test_large_deck_in_any_script_can_be_saved_and_reuploaded(sign: str) -> None:
    client = client_of(PersonFactory())
    file = SimpleUploadedFile("geese.csv", large_deck(sign))
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": file})
    page = shown.content.decode()
    assert "Nothing is saved yet" in page
    assert '<form class="inline" method="post" enctype="multipart/form-data" data-once' in page
    kept = client.post("/decks/new/", fields_of(page) | {"keep": "yes"})
    deck = Deck.objects.get()
    assert kept.headers["Location"] == f"/decks/{deck.slug}/"
    assert deck.prompts + deck.answers == large_deck(sign).count(b"\n")
    for kind in ("json", "csv"):
        file = SimpleUploadedFile("again", client.get(f"/decks/{deck.slug}.{kind}").content)
        again = {"name": "Geese", "language": "en", "file": file, "keep": "yes"}
        client.post(f"/decks/{deck.slug}/file/", again)
        before, deck = deck, Deck.objects.get()
        assert deck.updated_at > before.updated_at
        assert deck.pack == before.pack


def test_file_size_limit_is_independent_of_line_endings() -> None:
    client = client_of(PersonFactory())
    text = '{"prompts": [],' + "\n" * 1000 + '"answers": ["a"]}'
    file = SimpleUploadedFile("geese.json", text.encode().ljust(LONGEST))
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": file})
    client.post("/decks/new/", fields_of(shown.content.decode()) | {"keep": "yes"})
    assert Deck.objects.get().answers == 1


@pytest.mark.parametrize("name", ["a_b", "_", "Ünder_score_", "new", "own", "鵞", "x" * 60])
def test_pages_of_a_deck_open_for_any_name(name: str) -> None:
    client = client_of(PersonFactory())
    deck = bring(client, name=name)
    assert deck is not None
    for path in ("/", ".json", ".csv", "/file/"):
        assert client.get(f"/decks/{deck.slug}{path}").status_code == 200


def test_only_the_owner_can_change_a_deck() -> None:
    ann, bob = client_of(PersonFactory()), client_of(PersonFactory())
    deck = bring(ann, public="yes")
    assert deck is not None
    Deck.objects.update(public=True)
    for stranger in (bob, Client()):
        for action in ("delete", "private", "nonsense"):
            answer = stranger.post(f"/decks/{deck.slug}/change/", {"do": action})
            assert answer.status_code == 404
        assert stranger.get(f"/decks/{deck.slug}/file/").status_code == 404
        assert stranger.post(f"/decks/{deck.slug}/file/", {"text": CSV}).status_code == 404
    assert Client(enforce_csrf_checks=True).post(f"/decks/{deck.slug}/change/").status_code == 403
    assert ann.get(f"/decks/{deck.slug}/change/").url == f"/decks/{deck.slug}/"
    text = "kind,text\nanswer,another\n"
    ann.post(
        f"/decks/{deck.slug}/file/", {"name": "New", "language": "de", "text": text, "keep": "yes"}
    )
    deck.refresh_from_db()
    assert (deck.name, deck.language, deck.prompts, deck.answers) == ("New", "de", 0, 1)
    ann.post(f"/decks/{deck.slug}/change/", {"do": "delete"})
    assert not Deck.objects.exists()


def test_strangers_are_told_to_choose_a_name_first() -> None:
    answer = Client().get("/decks/new/")
    assert answer.status_code == 403
    assert "a name is enough" in answer.content.decode()
    assert Client().post("/decks/new/", {"text": CSV}).status_code == 403


def test_built_in_decks_can_be_viewed_and_downloaded() -> None:
    for slug in ("own", "own-de"):
        assert Client().get(f"/decks/{slug}/").status_code == 200
        table = Client().get(f"/decks/{slug}.csv")
        assert table.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert "attachment" in table.headers["Content-Disposition"]
        assert Client().post(f"/decks/{slug}/change/", {"do": "delete"}).status_code == 404
    assert Client().get("/decks/nothing/").status_code == 404


def test_table_can_be_opened_with_selected_packs() -> None:
    ann = PersonFactory()
    client = client_of(ann)
    deck = bring(client)
    assert deck is not None
    page = client.get("/new/cards/").content.decode()
    assert f'value="{deck.slug}"' in page
    given = {"name": "Ann", "visibility": "public", "bots": "0", "option-handSize": "7"}
    client.post("/new/cards/", given | {"option-packs": ["own", "own-de"]})
    assert ann.hosted.get().options["packs"] == ["own", "own-de"]
    refused = client.post("/new/cards/", given)
    assert refused.status_code == 422
    assert "Packs" in refused.content.decode()


def test_oversized_text_gets_an_error_page() -> None:
    client = Client(raise_request_exception=False)
    client.force_login(PersonFactory())
    given = {"name": "G", "language": "en", "text": "x" * 3_000_000}
    answer = client.post("/decks/new/", given)
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.content.decode()
