"""Pages of the lobby, over HTTP."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.models import Match, Room
from games.registry import GAMES
from games.rooms import passwords
from lobby import listing
from tests.kit.factories import PersonFactory, open_table
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_front_page_lists_only_public_tables(client: Client) -> None:
    shown = open_table(PersonFactory(name="Ann"))
    hidden = open_table(PersonFactory(name="Bob"))
    rooms.set_room(hidden.pk, hidden.host_id, "unlisted").result()
    page = client.get("/").content.decode()
    assert shown.code in page
    assert hidden.code not in page


def test_every_public_table_is_on_one_page_of_the_front_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST", 2)
    codes = {open_table(PersonFactory()).code for _ in range(5)}
    shown, address = list[str](), "/"
    for number in range(1, 4):
        page = client.get(address).content.decode()
        shown += re.findall(r'id="table-(\w+)"', page)
        assert ("/ws/lobby/" in page) == (number == 1), "only the first page changes by itself"
        assert ("First page" in page) == (number > 1)
        if more := re.search(r'href="(/\?page=\d+)#tables"', page):
            address = more[1]
    assert more is None
    assert len(shown) == 5
    assert set(shown) == codes
    for odd in ("0", "x", "-1", "9" * 50):
        assert client.get("/", {"page": odd}).status_code == 200


def test_visitor_is_told_that_a_table_is_full_before_joining(client: Client) -> None:
    *others, _last = people = [PersonFactory(name=f"P{at}") for at in range(6)]
    full, free = open_table(*people, game="coup"), open_table(*others, game="coup")
    sentence = "All 6 seats are taken. Join, and you watch until one is free."
    assert sentence in client.get(f"/t/{full.code}/").content.decode()
    assert sentence not in client.get(f"/t/{free.code}/").content.decode()


def test_tables_offer_automatic_passing_only_in_games_that_have_it() -> None:
    for game in GAMES.values():
        host = PersonFactory()
        room = open_table(host, game=game.slug)
        page = as_user(host).get(f"/t/{room.code}/").content.decode()
        assert ('data-habit="declines"' in page) == (game.rules.auto_pass is not None), game.slug
    assert {game.rules.auto_pass is None for game in GAMES.values()} == {True, False}


def test_play_now_creates_a_guest_and_starts_a_match(client: Client) -> None:
    answer = client.post("/play/", {"game": "mia", "name": "Ann"})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert room.status == Room.Status.PLAYING
    match = Match.objects.get()
    assert match.players.count() == 4
    assert match.pace == "none", "the first matches alone with bots have no clock"
    assert User.objects.get(name="Ann").is_guest


def test_watch_bots_starts_a_match_without_the_visitor(client: Client) -> None:
    answer = client.post("/watch/", {"name": ""})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert room.status == Room.Status.PLAYING
    assert room.visibility == Room.Visibility.UNLISTED
    assert room.members.get(bot="").spectator
    assert set(Match.objects.get().players.values_list("user", flat=True)) == {None}


def test_watching_an_unknown_game_is_refused(client: Client) -> None:
    assert client.post("/watch/", {"game": "chess"}).status_code == 422
    assert not Room.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"), [("lives", "99"), ("lives", "x"), ("pace", "warp"), ("humanMs", "-1")]
)
def test_invalid_option_is_rejected_with_a_message(client: Client, field: str, value: str) -> None:
    given = {"name": "Ann", "visibility": "public", f"option-{field}": value}
    answer = client.post("/new/mia/", given)
    assert answer.status_code == 422
    assert b"must be one of" in answer.content
    assert not Room.objects.exists()


def test_new_table_has_the_given_options(client: Client) -> None:
    given = {"name": "Ann", "visibility": "unlisted", "password": "dragon", "bots": "2"}
    answer = client.post("/new/mia/", {**given, "option-lives": "5", "option-mustRaise": "on"})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert (room.options["lives"], room.options["mustRaise"]) == (5, True)
    assert room.options["littleMia"] is False
    assert room.password.startswith(("md5$", "argon2"))
    assert room.members.filter(bot="normal").count() == 2


def test_new_table_page_of_an_unknown_game_redirects_to_the_front_page(client: Client) -> None:
    assert client.get("/new/nothing/").url == "/"


def test_visitor_refused_a_name_can_join_with_another(client: Client) -> None:
    room = open_table(PersonFactory(name="Nina"))
    refused = client.post(f"/t/{room.code}/", {"name": "nina"})
    assert refused.status_code == 422
    assert User.objects.count() == 1
    assert not client.session.get("_auth_user_id")
    client.post(f"/t/{room.code}/", {"name": "Olga"})
    assert str(User.objects.get(pk=client.session["_auth_user_id"])) == "Olga"


def test_wrong_password_creates_no_guest(client: Client) -> None:
    room = open_table(PersonFactory())
    hashed = passwords.hashed("dragon").result()
    rooms.set_room(room.pk, room.host_id, password=hashed).result()
    before = User.objects.count()
    answer = client.post(f"/t/{room.code}/", {"name": "Eve", "password": "wrong"})
    assert b"password is wrong" in answer.content
    field = re.search(r'<input[^>]*id="id_password"[^>]*>', answer.content.decode())
    assert field
    assert 'aria-invalid="true"' in field[0]
    assert "id_password_error" in field[0]
    assert "autofocus" in field[0]
    assert User.objects.count() == before


def test_htmx_has_the_reviewed_version() -> None:
    from django.contrib.staticfiles import finders

    found = finders.find("django_htmx/htmx-4.js")
    assert isinstance(found, str)
    with open(found) as script:
        assert "this.version = '4.0.0-beta6'" in script.read()


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "utf-16", "base64", "idna"])
def test_a_form_in_another_charset_is_refused(charset: str) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(PersonFactory())
    name = b'Content-Disposition: form-data; name="name"\r\n\r\n\\ud800+2AA-'
    answer = client.generic(
        "POST",
        "/decks/new/",
        b"--x\r\n" + name + b"\r\n--x--\r\n",
        content_type=f"multipart/form-data; boundary=x; charset={charset}",
    )
    assert answer.status_code == 400
    assert "Nothing was changed" in answer.content.decode()


def test_learning_and_watching_require_no_name(client: Client) -> None:
    room = open_table(PersonFactory(name="Ann"))
    assert client.post("/learn/", {"game": "mia", "name": " "}).status_code == 302
    assert re.fullmatch(r"Guest \d{4}", User.objects.latest("pk").name)
    stranger = Client()
    answer = stranger.post(f"/t/{room.code}/", {"name": "", "spectate": "on"})
    assert answer.status_code == 302
    watcher = room.members.latest("pk")
    assert watcher.spectator
    assert re.fullmatch(r"Guest \d{4}", watcher.name)
    refused = Client().post(f"/t/{room.code}/", {"name": ""})
    assert refused.status_code == 422
    assert Client().post("/play/", {"game": "mia", "name": ""}).status_code == 422


def test_named_user_keeps_the_name_as_a_spectator(client: Client) -> None:
    bob = PersonFactory(name="Bob")
    room = open_table(PersonFactory(name="Ann"))
    client.force_login(bob)
    client.post(f"/t/{room.code}/", {"name": "", "spectate": "on"})
    assert room.members.get(user=bob).name == "Bob"
