"""Pages of the lobby, over HTTP."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.models import Match, Room
from games.rooms import passwords
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_front_page_lists_public_tables_only(client: Client) -> None:
    shown = open_table(PersonFactory(name="Ann"))
    hidden = open_table(PersonFactory(name="Bob"))
    rooms.set_room(hidden.pk, hidden.host_id, "unlisted").result()
    page = client.get("/").content.decode()
    assert shown.code in page
    assert hidden.code not in page


def test_who_comes_to_a_full_table_is_told_so_beforehand(client: Client) -> None:
    *others, _last = people = [PersonFactory(name=f"P{at}") for at in range(6)]
    full, free = open_table(*people, game="coup"), open_table(*others, game="coup")
    sentence = "All 6 seats are taken. Join, and you watch until one is free."
    assert sentence in client.get(f"/t/{full.code}/").content.decode()
    assert sentence not in client.get(f"/t/{free.code}/").content.decode()


def test_playing_now_makes_a_guest_and_a_running_match(client: Client) -> None:
    answer = client.post("/play/", {"game": "mia", "name": "Ann"})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert room.status == Room.Status.PLAYING
    match = Match.objects.get()
    assert match.players.count() == 4
    assert match.pace == "none", "the first matches alone with bots have no clock"
    assert User.objects.get(name="Ann").is_guest


def test_watching_bots_begins_a_match_without_the_visitor(client: Client) -> None:
    answer = client.post("/watch/", {"name": ""})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert room.status == Room.Status.PLAYING
    assert room.visibility == Room.Visibility.UNLISTED
    assert room.members.get(bot="").spectator
    assert set(Match.objects.get().players.values_list("user", flat=True)) == {None}


def test_an_unknown_game_cannot_be_watched(client: Client) -> None:
    assert client.post("/watch/", {"game": "chess"}).status_code == 422
    assert not Room.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"), [("lives", "99"), ("lives", "x"), ("pace", "warp"), ("humanMs", "-1")]
)
def test_a_bad_option_is_answered_with_a_sentence(client: Client, field: str, value: str) -> None:
    given = {"name": "Ann", "visibility": "public", f"option-{field}": value}
    answer = client.post("/new/mia/", given)
    assert answer.status_code == 422
    assert b"must be one of" in answer.content
    assert not Room.objects.exists()


def test_a_table_opened_with_options_has_them(client: Client) -> None:
    given = {"name": "Ann", "visibility": "unlisted", "password": "dragon", "bots": "2"}
    answer = client.post("/new/mia/", {**given, "option-lives": "5", "option-mustRaise": "on"})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert (room.options["lives"], room.options["mustRaise"]) == (5, True)
    assert room.options["littleMia"] is False
    assert room.password.startswith(("md5$", "argon2"))
    assert room.members.filter(bot="normal").count() == 2


def test_a_table_of_no_game_leads_to_the_front_page(client: Client) -> None:
    assert client.get("/new/nothing/").url == "/"


def test_who_is_refused_a_name_is_known_by_the_next_one_they_try(client: Client) -> None:
    room = open_table(PersonFactory(name="Nina"))
    refused = client.post(f"/t/{room.code}/", {"name": "nina"})
    assert refused.status_code == 422
    assert User.objects.count() == 1
    assert not client.session.get("_auth_user_id")
    client.post(f"/t/{room.code}/", {"name": "Olga"})
    assert str(User.objects.get(pk=client.session["_auth_user_id"])) == "Olga"


def test_a_wrong_password_leaves_no_guest_behind(client: Client) -> None:
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


def test_htmx_is_the_version_we_have_read() -> None:
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


def test_learning_and_watching_need_no_name(client: Client) -> None:
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


def test_somebody_with_a_name_keeps_it_when_they_only_watch(client: Client) -> None:
    bob = PersonFactory(name="Bob")
    room = open_table(PersonFactory(name="Ann"))
    client.force_login(bob)
    client.post(f"/t/{room.code}/", {"name": "", "spectate": "on"})
    assert room.members.get(user=bob).name == "Bob"
