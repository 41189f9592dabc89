"""Names and texts with markup, bidirectional controls, or look-alike letters."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib import admin
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import invitations, tokens
from accounts.models import User
from accounts.names import BadName, clean_name
from games import rooms
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.models import Member, Room, UdpName, UdpRound
from games.registry import GAMES
from games.rooms.decks import set_public
from games.sockets.hub import close_hub
from tests.kit import moderation_helpers
from tests.kit.client import Program
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import socket
from tests.kit.people import account, as_guest, as_user, signing_up
from tests.kit.quick import quick

pytestmark = pytest.mark.django_db(transaction=True)

MARKUP = "<i onx=1>&'\"zq"
"""Markup, quotes and an entity, within the length of a name."""
CARDS = (
    'kind,text\nprompt,"<i onx=1>&\'""zq _"\nanswer,<i onx=2>&\'zq\nanswer,<script>zq</script>\n'
)
TURNED = ("a\u202eb", "a\u2066b", "\u200eab", "a\u200bb", "a\u0000b", "a\nb", "a\u2028b")
"""Bidirectional and invisible characters."""


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def is_escaped(page: str) -> bool:
    """Check that no markup appears unescaped in a page."""
    return not re.search(r"<i onx|<script>zq|&'\"zq|\"zq\"", page)


def says(page: str, name: str = MARKUP) -> bool:
    return name in html.unescape(re.sub(r"<[^>]*>", "", page))


def joining(client: Client, room: Room, name: str) -> Any:
    return client.post(f"/t/{room.code}/", {"name": name})


class Everywhere:
    """Markup in everything that users can name or write."""

    def __init__(self, game: str = "mia") -> None:
        self.host = account("Host")
        as_user(self.host).post("/you/name/", {"name": MARKUP})
        self.host.refresh_from_db()
        assert self.host.name == MARKUP
        self.root = account("Root", is_staff=True, is_superuser=True)
        pack = read_deck(CARDS.encode(), MARKUP, "en")
        assert pack.pack is not None, pack.problems
        self.deck = decks.keep(self.host.pk, pack.pack).result()
        set_public(self.deck.pk, True).result()
        tokens.make(self.host, MARKUP)
        bots = GAMES[game].seats[0] - 1
        self.room = open_table(self.host, PersonFactory(name="Bob"), game=game, bots=bots)
        rooms.say(self.room.pk, self.host.pk, MARKUP).result()
        self.cleo = account("Cleo")
        rooms.invite(self.room.pk, self.host.pk, "Cleo").result()
        Room.objects.filter(pk=self.room.pk).update(standings={MARKUP: 2})
        invitations.make_link(self.root, MARKUP)
        UdpName.objects.create(name="<i onx=1>zq", user=self.host, points=2)
        UdpRound.objects.create(number=1, order=[MARKUP], losers=[MARKUP], transcript=[MARKUP])


def test_pages_escape_names() -> None:
    there = Everywhere()
    code, slug = there.room.code, there.deck.slug
    pages = ("/", "/you/", "/you/delete/", f"/t/{code}/", "/decks/", f"/decks/{slug}/", "/new/mia/")
    pages += ("/new/cards/", f"/decks/{slug}/file/", "/account/signup/", "/account/logout/")
    for person in (there.host, there.cleo, there.root, None):
        client = as_user(person) if person else Client()
        for address in pages:
            assert is_escaped(client.get(address).content.decode()), (address, person)
    assert says(as_user(there.host).get("/you/").content.decode())
    assert says(as_user(there.cleo).get("/").content.decode())
    assert says(as_user(there.cleo).get(f"/decks/{slug}/").content.decode())


def test_rejected_input_is_escaped_when_shown_again() -> None:
    there = Everywhere()
    for address in ("/play/", "/new/mia/", f"/t/{there.room.code}/", "/account/signup/"):
        long = MARKUP * 3
        answer = Client().post(address, {"name": long, "username": long, "game": "mia"})
        assert answer.status_code in (200, 422)
        assert is_escaped(answer.content.decode())
    client = as_user(there.host)
    for address in ("/you/name/", "/you/tokens/"):
        assert is_escaped(client.post(address, {"name": MARKUP * 9}).content.decode())
    shown = client.post("/decks/new/", {"name": MARKUP, "language": "en", "text": CARDS})
    assert is_escaped(shown.content.decode())
    wrong = {"name": MARKUP, "language": MARKUP[:9], "text": f"kind,text\n{MARKUP},x\n"}
    assert is_escaped(client.post("/decks/new/", wrong).content.decode())


def test_admin_pages_escape_names() -> None:
    there = Everywhere()
    start_match(there.room)
    moderation_helpers.end_match(there.room.pk).result()
    client = as_user(there.root)
    client.post(
        "/admin/accounts/user/", {"action": "lock_out", "_selected_action": [there.host.pk]}
    )
    shown = client.get("/admin/").content.decode()
    for model in admin.site._registry:
        label = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [client.get(reverse(f"{label}_changelist"), {"q": MARKUP})]
        pages.append(client.get(reverse(f"{label}_changelist")))
        for row in model._default_manager.all():
            pages += [
                client.get(reverse(f"{label}_{p}", args=[row.pk])) for p in ("change", "history")
            ]
        for each in pages:
            assert is_escaped(each.content.decode()), each.request["PATH_INFO"]
        shown += "".join(each.content.decode() for each in pages)
    assert says(shown)


def test_downloads_are_attachments_with_their_content_type() -> None:
    """A file that contains markup is never served as HTML."""
    there = Everywhere()
    client, slug = as_user(there.host), there.deck.slug
    for address, kind in (
        (f"/decks/{slug}.json", "application/json"),
        (f"/decks/{slug}.csv", "text/csv"),
        ("/you/data/", "application/json"),
    ):
        answer = download(client, address)
        assert answer.headers["Content-Type"].startswith(kind)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert MARKUP in answer.content.decode().replace('\\"', '"').replace('""', '"')


@pytest.mark.parametrize("game", GAMES)
async def test_page_sockets_escape_names(game: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.BOT_DELAY = ["testserver"], (0, 0)
    there = await sync_to_async(Everywhere)(game)
    client = await sync_to_async(as_user)(there.host)
    cookie = f"sessionid={client.cookies['sessionid'].value}"
    page, lobby = socket(f"/ws/table/{there.room.code}/", cookie), socket("/ws/lobby/", cookie)
    assert (await page.connect())[0]
    assert (await lobby.connect())[0]
    frames = await lobby.receive_from()
    frames += await page.receive_from()
    await rooms.start(there.room.pk, there.host.pk)
    while 'id="hand"' not in frames and 'id="board"' not in frames:
        frames += await page.receive_from()
    await page.send_to(text_data=json.dumps({"body": {"do": "KickPlayer", "username": MARKUP}}))
    await page.send_to(
        text_data=json.dumps({"body": {"do": "SendNewChatMessage", "message": f"{MARKUP} end"}})
    )
    while "end</" not in html.unescape(frames) and " end" not in frames:
        frames += await page.receive_from()
    await moderation_helpers.end_match(there.room.pk)
    frames += await page.receive_from()
    assert is_escaped(frames)
    assert says(frames)
    await page.disconnect()
    await lobby.disconnect()
    await close_hub()


ENTRANCES = ("play", "new table", "join", "sign up", "shown name", "deck", "token")


def entering(where: str, name: str) -> Any:
    """Enter this name at this place. Return the response."""
    room = open_table(PersonFactory(name="Somebody"))
    client, _ = as_guest("Wanda")
    match where:
        case "play":
            return Client().post("/play/", {"game": "mia", "name": name})
        case "new table":
            return Client().post("/new/mia/", {"name": name, "visibility": "public"})
        case "join":
            return joining(Client(), room, name)
        case "sign up":
            return Client().post("/account/signup/", signing_up(name))
        case "shown name":
            return client.post("/you/name/", {"name": name})
        case "deck":
            given = {"name": name, "language": "en", "text": CARDS, "keep": "yes"}
            return client.post("/decks/new/", given)
        case _:
            return client.post("/you/tokens/", {"name": name, "days": "30"})


@pytest.mark.parametrize("where", quick(ENTRANCES, "sign up", "shown name", "deck"))
def test_names_with_bidirectional_or_invisible_characters_are_rejected(where: str) -> None:
    before = set(User.objects.values_list("name", flat=True))
    for name in TURNED:
        answer = entering(where, name)
        assert answer.status_code in (200, 422), (where, name)
        assert 'id="made"' not in answer.content.decode()
    names = set(User.objects.values_list("name", flat=True)) - before
    assert names <= {"Somebody", "Wanda"}
    assert not decks.Deck.objects.exists()


async def test_programs_cannot_use_names_with_invisible_characters() -> None:
    async with Program() as program:
        for name in TURNED:
            answer = await program.ask("HostGame", game="mia", username=name)
            # No packet can contain NUL.
            wanted = "bad_packet" if "\x00" in name else "UsernameInvalid"
            assert answer.get("code", answer["reason"]) == wanted, name
    await close_hub()


def test_bidirectional_controls_are_removed_from_chat() -> None:
    ann = account("Ann")
    room = open_table(ann)
    rooms.say(room.pk, ann.pk, "left \u202eright\u202c \u2066x\u2069").result()
    client = as_user(ann)
    (said,) = json.loads(download(client).content)["chat"]
    assert said["text"] == "left right x"


NOTHING_TO_SEE = (
    *("\u3164", "\u2800\u2800", "\ufe0f", "\u0301", "Anna\u3164", "Anna\u115f", "An\u034fna"),
    *("\ufffc", "\U0001d159", "\U00013441", "Anna\ufffc", "Anna\U0001d159", "Anna\ufe0f"),
    *("An\U000e0100na", "An\u200dna", "\u00b7", "...", "\u2606", "\U000e0041"),
)
HEAP = "a" + "\u0323" * 12


@pytest.mark.parametrize("name", [*NOTHING_TO_SEE, HEAP])
def test_invisible_or_overflowing_name_is_rejected(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("\u2764\ufe0f", "Νίκος", "ΓΙΑΝΝΗΣ", "สมชาย", "कुमार", "محمد", "שָׁלוֹם", "山田　太郎"),
        *(
            "علی\u200cرضا",
            "क\u094d\u200dष",
            "葛\U000e0100城",
            "👨\u200d👩\u200d👧",
            "\U0001fae8",
            "🇩🇪",
        ),
        *(
            "7",
            "1\ufe0f\u20e3",
            "Dr. O'Neil-Smith",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        ),
    ],
)
def test_names_in_all_scripts_are_accepted(name: str) -> None:
    assert clean_name(name) == name.replace("\u3000", " ")


@pytest.mark.parametrize("name", ["former player", "Former Player 2", "FORMER\u00a0PLAYER"])
def test_placeholder_names_of_erased_users_are_reserved(name: str) -> None:
    with pytest.raises(BadName):
        clean_name(name)


def test_stacked_combining_marks_are_limited_in_chat() -> None:
    ann = account("Ann")
    room = open_table(ann)
    rooms.say(room.pk, ann.pk, f"x {HEAP} สวัสดี").result()
    (said,) = json.loads(download(as_user(ann)).content)["chat"]
    assert said["text"].count("\u0323") == 4
    assert said["text"].endswith("สวัสดี")


@pytest.mark.parametrize(
    ("name", "refused"),
    [("Аnna", "looks too much like another"), ("\uff21NNA", "That name is taken")],
)
def test_name_that_resembles_another_is_rejected(name: str, refused: str) -> None:
    anna = account("Anna")
    room = open_table(anna)
    answer = Client().post("/account/signup/", signing_up(name))
    assert refused in answer.content.decode()
    client, eve = as_guest("Eve")
    assert refused in client.post("/you/name/", {"name": name}).content.decode()
    assert joining(client, room, name).status_code == 422
    assert joining(Client(), room, name).status_code == 422
    eve.refresh_from_db()
    assert eve.name == "Eve"
    assert Member.objects.filter(room=room).count() == 1


def test_existing_name_is_kept_when_the_rules_become_stricter() -> None:
    guest, older = PersonFactory(name="☆"), account("Karl")
    User.objects.filter(pk=older.pk).update(name="Kar\u200bl")
    room = open_table(PersonFactory(name="Host"))
    assert rooms.join(room.code, guest.pk, "☆").result().name == "☆"
    assert rooms.join(room.code, older.pk, "Kar\u200bl").result().name == "Kar\u200bl"
