"""The pages of decks: bringing, looking, changing, taking home; who may see what."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from games.models import Deck
from tests.factories import PersonFactory

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


def test_a_deck_is_shown_before_it_is_kept() -> None:
    ann = PersonFactory()
    client = client_of(ann)
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "text": CSV})
    assert shown.status_code == 200
    assert "Nothing is kept yet" in shown.content.decode()
    assert "<b>bold" not in shown.content.decode()
    assert not Deck.objects.exists()
    canonical = shown.context["canonical"]
    kept = client.post(
        "/decks/new/", {"name": "Geese", "language": "en", "text": canonical, "keep": "yes"}
    )
    deck = Deck.objects.get()
    assert kept.headers["Location"] == f"/decks/{deck.slug}/"
    assert (deck.owner, deck.prompts, deck.answers, deck.public) == (ann, 1, 2, False)


def test_a_file_is_read_like_its_text() -> None:
    client = client_of(PersonFactory())
    file = SimpleUploadedFile("geese.csv", CSV.encode())
    shown = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": file})
    assert "Nothing is kept yet" in shown.content.decode()
    huge = SimpleUploadedFile("huge.csv", b"x" * 1_100_000)
    refused = client.post("/decks/new/", {"name": "Geese", "language": "en", "file": huge})
    assert refused.status_code == 422
    assert "too large" in refused.content.decode()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": "kind,text\nanswer,\n"}, "line 2: the text is empty"),
        ({"text": ""}, "The file is empty"),
        ({"name": ""}, "This field is required"),
        ({"language": "!!"}, "The language is a code"),
        ({"text": "kind,text\nanswer,<script>\u202e\n"}, "U+202E"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_kept(given: dict[str, str], said: str) -> None:
    client = client_of(PersonFactory())
    answer = client.post("/decks/new/", {"name": "G", "language": "en", "text": CSV} | given)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "<script>\u202e" not in answer.content.decode()
    assert not Deck.objects.exists()


def test_a_private_deck_is_there_for_its_owner_alone() -> None:
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
    Deck.objects.update(hidden=True)
    for page in pages:
        assert ann.get(page).status_code == bob.get(page).status_code == 404


def test_only_the_owner_changes_a_deck() -> None:
    ann, bob = client_of(PersonFactory()), client_of(PersonFactory())
    deck = bring(ann, public="yes")
    assert deck is not None
    Deck.objects.update(public=True)
    for stranger in (bob, Client()):
        for deed in ("delete", "private", "nonsense"):
            answer = stranger.post(f"/decks/{deck.slug}/change/", {"do": deed})
            assert answer.status_code == 404
        assert stranger.get(f"/decks/{deck.slug}/file/").status_code == 404
        assert stranger.post(f"/decks/{deck.slug}/file/", {"text": CSV}).status_code == 404
    assert Client(enforce_csrf_checks=True).post(f"/decks/{deck.slug}/change/").status_code == 403
    assert ann.get(f"/decks/{deck.slug}/change/").status_code == 405
    text = "kind,text\nanswer,another\n"
    ann.post(
        f"/decks/{deck.slug}/file/", {"name": "New", "language": "de", "text": text, "keep": "yes"}
    )
    deck.refresh_from_db()
    assert (deck.name, deck.language, deck.prompts, deck.answers) == ("New", "de", 0, 1)
    ann.post(f"/decks/{deck.slug}/change/", {"do": "delete"})
    assert not Deck.objects.exists()


def test_strangers_are_told_what_to_do_first() -> None:
    answer = Client().get("/decks/new/")
    assert answer.status_code == 403
    assert "a name is enough" in answer.content.decode()
    assert Client().post("/decks/new/", {"text": CSV}).status_code == 403


def test_built_in_decks_can_be_looked_at_and_taken_home() -> None:
    for slug in ("own", "own-de"):
        assert Client().get(f"/decks/{slug}/").status_code == 200
        table = Client().get(f"/decks/{slug}.csv")
        assert table.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert "attachment" in table.headers["Content-Disposition"]
        assert Client().post(f"/decks/{slug}/change/", {"do": "delete"}).status_code == 404
    assert Client().get("/decks/nothing/").status_code == 404


def test_a_table_can_be_opened_with_packs_of_ones_choice() -> None:
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


def test_a_text_far_too_large_gets_a_page_with_a_sentence() -> None:
    client = Client(raise_request_exception=False)
    client.force_login(PersonFactory())
    given = {"name": "G", "language": "en", "text": "x" * 3_000_000}
    answer = client.post("/decks/new/", given)
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.content.decode()
