"""From the front page to a table: input is kept, and every refusal offers a next step."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import User
from games import rooms
from games.models import Member, Room
from games.pages.templating import has_own_look
from games.registry import GAMES
from games.rooms import joining, passwords
from lobby.posters import poster
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)

PUBLIC = "https://parlour.example"


def invited_only(host: User, *others: User) -> Room:
    room = open_table(host, *others)
    rooms.set_room(room.pk, host.pk, "invited").result()
    return room


def locked(host: User, *others: User) -> Room:
    room = open_table(host, *others)
    hashed = passwords.hashed("dragon").result()
    rooms.set_room(room.pk, host.pk, password=hashed).result()
    return room


def shared(page: str) -> dict[str, str]:
    """Return the preview of a shared link, by property."""
    return dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page))


def get(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_every_game_has_a_poster_with_buttons_for_each_way_to_play(
    client: Client,
) -> None:
    client.get("/")  # the first visit also shows an offer
    page = get(client, "/")
    for slug, game in GAMES.items():
        assert f'src="{poster(game).picture}"' in page
        assert (
            len(re.findall(f'<button [^>]*name="game" value="{slug}"', page))
            == 3 + poster(game).lesson
        )
        (main,) = re.findall(f'<button [^>]*value="{slug}" class="main" id="([^"]*)"', page)
        assert main == f"seek-{slug}"
        assert f'href="/rules/{slug}/"' in page


def test_last_game_is_played_if_none_is_chosen(client: Client) -> None:
    client.post("/play/", {"name": "Ann"})
    assert Room.objects.get().game == "mia"
    client.post("/play/", {"game": "coup"})
    client.post("/play/")
    assert list(Room.objects.order_by("pk").values_list("game", flat=True)) == [
        *("mia", "coup", "coup")
    ]
    assert "Starts Iron Throne" in get(client, "/")


def test_invite_opens_an_unlisted_table(client: Client) -> None:
    answer = client.post("/invite/", {"game": "coup", "name": "Ann"})
    room = Room.objects.get()
    assert answer.url == f"/t/{room.code}/"
    assert (room.status, room.visibility) == ("open", "unlisted")
    assert list(room.members.values_list("name", flat=True)) == ["Ann"]


@pytest.mark.parametrize("address", ["/play/", "/invite/"])
def test_missing_name_is_required_and_the_code_is_kept(client: Client, address: str) -> None:
    answer = client.post(address, {"game": "mia", "name": " ", "code": "K7QX2"})
    page = answer.content.decode()
    (field,) = re.findall(r'<input id="play-name"[^>]*>', page)
    assert answer.status_code == 422
    assert "autofocus" in field
    assert 'aria-invalid="true"' in field
    assert 'value="K7QX2"' in page
    assert not User.objects.exists()


def test_refusal_is_told_in_the_language_of_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "ROOMS_PER_HOST", 0)
    given = {"game": "mia", "name": "Ann"}
    answer = client.post("/play/", given, headers={"Accept-Language": "de"})
    assert answer.status_code == 422
    assert "Du leitest schon 0 Tische." in answer.content.decode()


def test_wrong_code_keeps_the_name(client: Client) -> None:
    answer = client.post("/code/", {"name": "Ann", "code": "ZZZZZ"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="Ann"' in page
    assert 'value="ZZZZZ"' in page
    assert "There is no table with this code" in page


def test_code_and_name_join_the_table(client: Client) -> None:
    room = open_table(PersonFactory(name="Ann"))
    answer = client.post("/code/", {"name": "Bob", "code": room.code.lower()})
    assert answer.url == f"/t/{room.code}/"
    assert Member.objects.filter(room=room, name="Bob").exists()


def test_code_with_a_taken_name_shows_the_form_of_the_table(client: Client) -> None:
    room = open_table(PersonFactory(name="Ann"))
    answer = client.post("/code/", {"name": "Ann", "code": room.code})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f'action="/t/{room.code}/"' in page
    assert 'value="Ann"' in page


def test_entrance_shows_the_members_of_the_table() -> None:
    room = open_table(PersonFactory(name="Ann"), PersonFactory(name="Bob"))
    page = get(Client(), f"/t/{room.code}/")
    assert "Join Ann's Mia table" in page
    assert "Bob" in page
    assert page.partition("choose-face")[0].count('class="face"') == 2
    assert shared(page)["title"] == "Join Ann's Mia table"
    assert shared(page)["image"] == f"{settings.PUBLIC_URL}/static/games/mia/og.png"


@pytest.mark.parametrize("make", [locked, invited_only])
def test_restricted_table_reveals_nothing_in_link_previews(make: object) -> None:
    room = make(PersonFactory(name="Ann"), PersonFactory(name="Bobby"))  # type: ignore[operator]
    page = get(Client(), f"/t/{room.code}/")
    assert "Bobby" not in page
    assert "Ann" not in page
    assert "Mia" not in "".join(shared(page).values())
    assert shared(page)["image"].endswith("/static/games/any/og.png")


def test_link_preview_images_use_the_public_address(settings: object) -> None:
    settings.PUBLIC_URL = PUBLIC  # type: ignore[attr-defined]
    for address, name in (("/", "any"), ("/rules/coup/", "coup"), ("/rules/cards/", "cards")):
        assert shared(get(Client(), address))["image"] == f"{PUBLIC}/static/games/{name}/og.png"


PREVIEWS = {
    name: Path(path)
    for name in ("any", *GAMES)
    if (path := finders.find(f"games/{name}/og.png")) is not None
}


@pytest.mark.parametrize("name", PREVIEWS)
def test_link_preview_images_have_their_declared_size(name: str) -> None:
    picture = PREVIEWS[name].read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) < 100_000


def ways_on(page: str) -> set[str]:
    """Return the targets of a page's buttons."""
    main = page[page.index("<main") :]
    return set(re.findall(r'<a class="button[^"]*" href="([^"]+)"', main))


def test_kicked_user_gets_an_explanation_and_links_onward() -> None:
    client, bob = as_guest("Bob")
    room = open_table(PersonFactory(name="Ann"), bob)
    rooms.kick(room.pk, room.host_id, "Bob").result()
    for answer in (client.get(f"/t/{room.code}/"), client.post(f"/t/{room.code}/", {"name": "B"})):
        page = answer.content.decode()
        assert "You were removed" in page
        assert ways_on(page) == {"/", "/#tables"}


def test_latecomer_may_watch_and_join_the_next_match() -> None:
    room = open_table(PersonFactory(name="Ann"), PersonFactory(name="Bob"))
    start_match(room)
    client = Client()
    assert "Watch now, join the next one" in get(client, f"/t/{room.code}/")
    client.post(f"/t/{room.code}/", {"name": "Eve", "spectate": "on"})
    assert Member.objects.get(room=room, name="Eve").spectator


def test_running_match_closed_to_spectators_is_shown_as_full() -> None:
    room = open_table(PersonFactory(name="Ann"), PersonFactory(name="Bob"))
    room.options |= {"spectators": "none"}
    room.save()
    start_match(room)
    answer = Client().get(f"/t/{room.code}/")
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "This table is full" in page
    assert ways_on(page) == {"/", "/#tables"}


@pytest.mark.parametrize("address", ["/nowhere/", "/t/%00/", "/people/nobody/"])
def test_not_found_page_has_links_onward(address: str) -> None:
    client = as_user(PersonFactory())
    answer = client.get(address)
    assert answer.status_code == 404
    assert ways_on(answer.content.decode()) == {"/", "/#tables"}


def test_mistyped_code_can_be_corrected(client: Client) -> None:
    page = get(client, "/t/ZZZZZ/")
    assert re.search(r'<form method="post" action="/code/"', page)


@pytest.mark.parametrize("known", [False, True])
def test_theme_can_be_chosen_in_the_header_of_any_page(known: bool) -> None:
    client = as_user(PersonFactory()) if known else Client()
    answer = client.post("/theme/", {"theme": "dark", "next": "/rules/mia/"})
    assert answer.url == "/rules/mia/"
    for address in ("/", "/rules/mia/", "/nowhere/"):
        assert 'data-theme="dark"' in get(client, address)
    client.post("/theme/", {"theme": ""})
    assert "data-theme" not in get(client, "/")


@pytest.mark.parametrize("given", [{"theme": "pink"}, {"theme": "dark", "next": "//evil.example"}])
def test_invalid_theme_is_harmless(client: Client, given: dict[str, str]) -> None:
    assert client.post("/theme/", given).url == "/"


def test_guest_keeps_the_theme_chosen_before(client: Client) -> None:
    client.post("/theme/", {"theme": "light"})
    client.post("/play/", {"game": "mia", "name": "Ann"})
    assert 'data-theme="light"' in get(client, "/you/")


def test_deck_is_in_the_language_of_the_table_creator() -> None:
    german = {"HTTP_ACCEPT_LANGUAGE": "de-CH"}
    for language, packs in ((german, ["own-de"]), ({}, ["own"])):
        client = Client(**language)
        client.post("/invite/", {"game": "cards", "name": "Ann"})
        assert Room.objects.latest("pk").options["packs"] == packs
        page = client.get("/new/cards/").content.decode()
        assert f'value="{packs[0]}" checked' in page
    Client(**german).post("/play/", {"game": "mia", "name": "Ann"})
    assert "packs" not in Room.objects.latest("pk").options


@pytest.mark.parametrize("slug", GAMES)
def test_rules_begin_with_a_turn_and_link_to_every_section(client: Client, slug: str) -> None:
    page = client.get(f"/rules/{slug}/").content.decode()
    turn, rest = page.split('class="ways-to-play"', 1)
    assert ('class="turn"' in turn) == has_own_look(slug, "art")
    links = re.findall(r'<li><a href="#([\w-]+)">', rest)
    assert len(links) > 1
    assert links == re.findall(r'<section id="([\w-]+)"', rest)
