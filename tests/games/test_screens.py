"""Big screens show public facts to permitted viewers, and phones learn that a screen is on."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.sanctions import decide
from games import rooms
from games.engine import time_source
from games.models import Room
from games.pages.page import first_view
from games.rooms.cleanup import UNHEARD_OF, Cleanup
from games.rooms.passwords import hashed
from games.sockets import connections, hub
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import Connection, closing, cookie_of, socket, text
from tests.kit.people import as_user
from tests.kit.version1 import start_before

pytestmark = pytest.mark.django_db(transaction=True)


def _screen(code: str, cookie: str = "") -> Connection:
    return socket(f"/ws/screen/{code}/", cookie)


def _table(game: str = "mia", **options: Any) -> Room:
    return open_table(*(PersonFactory() for _ in range(3)), game=game, **options)


def test_screen_shows_a_stranger_public_regions_and_the_code() -> None:
    room = _table("cards", pace="none")
    start_match(room)
    page = Client().get(f"/t/{room.code.lower()}/screen/").content.decode()
    for part in ('id="board"', 'id="seats"', 'id="status"', 'id="log-lines"', "<svg", room.code):
        assert part in page
    for part in ('id="hand"', 'id="actions"', 'id="chat-lines"', "data-person", "data-panel"):
        assert part not in page


@pytest.mark.parametrize(
    ("privacy", "sentence"),
    [
        ({"visibility": "invited"}, "This table is invite-only."),
        ({"spectators": "none"}, "This table has no spectators"),
    ],
)
def test_screen_is_refused_if_spectators_are_not_admitted(
    privacy: dict[str, str], sentence: str
) -> None:
    options = {k: v for k, v in privacy.items() if k == "spectators"}
    host = PersonFactory()
    room = open_table(host, game="mia", **options)
    if "visibility" in privacy:
        rooms.set_room(room.pk, host.pk, **privacy).result()
    shut = Client().get(f"/t/{room.code}/screen/")
    assert shut.status_code == 403
    assert sentence in shut.content.decode()
    own = as_user(host).get(f"/t/{room.code}/screen/")
    assert own.status_code == 200
    assert 'id="board"' in own.content.decode()


def test_kicked_user_cannot_open_a_screen() -> None:
    room = _table()
    sent = room.members.exclude(user=room.host).first()
    assert sent is not None
    assert sent.user is not None
    assert room.host_id is not None
    rooms.kick(room.pk, room.host_id, sent.name).result()
    assert as_user(sent.user).get(f"/t/{room.code}/screen/").status_code == 403


def test_screen_password_is_required_once_and_again_after_a_change() -> None:
    room = _table()
    Room.objects.filter(pk=room.pk).update(password=hashed("swordfish").result())
    client, at = Client(), f"/t/{room.code}/screen/"
    entrance = client.get(at).content.decode()
    assert "Password of the table" in entrance
    assert 'id="board"' not in entrance
    assert client.post(at, {"password": "trout"}).status_code == 422
    assert client.post(at, {"password": "swordfish"}).status_code == 302
    assert 'id="board"' in client.get(at).content.decode()
    Room.objects.filter(pk=room.pk).update(password=hashed("trout").result())
    assert "Password of the table" in client.get(at).content.decode()


async def test_screen_is_not_a_member_but_is_announced_to_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "SHOWN_AWAY_AFTER", 0.01)
    room = await sync_to_async(_table)()
    person = await sync_to_async(lambda: room.members.get(user=room.host).user)()
    phone = socket(f"/ws/table/{room.code}/", await sync_to_async(cookie_of)(person))
    await phone.connect()
    assert "data-screen" not in await text(phone, 'id="status"')
    screen = _screen(room.code)
    await screen.connect()
    first = await text(screen, 'id="seats"')
    assert 'id="actions"' not in first
    assert 'id="chat-lines"' not in first
    assert "data-screen" in await text(phone, 'id="status"')
    known = await sync_to_async(load)(room.pk)
    assert len(known.members) == 3
    assert not known.gone
    await screen.disconnect()
    assert "data-screen" not in await text(phone, 'id="status"')
    await phone.disconnect()


async def test_screen_receives_updates_and_its_commands_are_ignored() -> None:
    room = await sync_to_async(_table)("mia", pace="none")
    host = await sync_to_async(lambda: room.members.get(user=room.host).user)()
    screen = socket(f"/ws/screen/{room.code}/", await sync_to_async(cookie_of)(host))
    await screen.connect()
    await text(screen, 'id="seats"')
    await screen.send_to(text_data='{"headers": {}, "body": {"do": "LeaveGame"}}')
    match = await sync_to_async(start_match)(room)
    begun = await text(screen, 'id="board"')
    assert 'hx-target="#log-lines"' in begun
    assert 'id="hand"' not in begun
    player = await sync_to_async(on_turn)(match)
    await sync_to_async(act)(match, player, "Roll")
    assert f"{player.name} rolls" in await text(screen, 'hx-target="#log-lines"')
    assert await sync_to_async(room.members.filter(left_at=None).count)() == 3
    await screen.disconnect()


def test_heading_names_a_few_winners() -> None:
    room = _table("mia", scoring="points", rounds=1)
    Room.objects.filter(pk=room.pk).update(secret="ab" * 32)  # no Mia is rolled with this seed
    match = start_before(room)
    for dice in ("3,2", "2,1"):
        act(match, on_turn(match), "Roll")
        liar = on_turn(match)
        act(match, liar, "Announce", dice=dice)
    match.refresh_from_db()
    first, second = (player.name for player in match.players.exclude(pk=liar.pk))
    ending = first_view(room, None, "en")["ending"]
    assert f">{first} and {second} win!</h2>" in ending
    assert f"{first} and" not in ending.split("</h2>", 1)[1]


def test_reason_is_the_heading_if_there_are_many_winners() -> None:
    people = [PersonFactory() for _ in range(5)]
    room = open_table(*people, game="mia", scoring="points", rounds=1)
    Room.objects.filter(pk=room.pk).update(secret="ab" * 32)  # no Mia is rolled with this seed
    match = start_before(room)
    for dice in ("3,2", "2,1"):
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice=dice)
    ending = first_view(room, None, "en")["ending"]
    assert 'class="because"' not in ending
    (verdict,) = re.findall(r'<h2 class="verdict told">(.*?)</h2>', ending)
    assert verdict.count(",") == 2
    assert " win" in verdict


async def test_screens_over_the_limit_are_rejected_with_a_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "SCREENS", 2)
    room = await sync_to_async(_table)()
    opened = [_screen(room.code) for _ in range(3)]
    for one in opened[:2]:
        await one.connect()
        await text(one, 'id="seats"')  # connected from here on
    await opened[2].connect()
    assert "Too many screens show this table" in await text(opened[2], "notice")
    assert await closing(opened[2]) == 4008
    await opened[0].disconnect()
    again = _screen(room.code)
    await again.connect()
    assert await text(again, 'id="seats"')
    for one in (opened[1], again):
        await one.disconnect()


async def test_refused_screen_gets_the_reason() -> None:
    room = await sync_to_async(_table)("mia", spectators="none")
    screen = _screen(room.code)
    await screen.connect()
    assert "no spectators" in await text(screen, "notice")
    assert await closing(screen) == 4003


async def _screen_of(room: Room, client: Client) -> Connection:
    screen = _screen(room.code, f"sessionid={client.cookies['sessionid'].value}")
    await screen.connect()
    await text(screen, 'id="seats"')
    return screen


async def test_screen_closes_when_its_user_is_kicked() -> None:
    room = await sync_to_async(_table)()
    sent = await room.members.select_related("user").exclude(user=room.host_id).afirst()
    assert sent is not None
    assert sent.user is not None
    assert room.host_id is not None
    screen = await _screen_of(room, await sync_to_async(as_user)(sent.user))
    await rooms.kick(room.pk, room.host_id, sent.name)
    assert await closing(screen) == 4003


async def test_screen_closes_when_its_user_logs_out() -> None:
    room = await sync_to_async(_table)()
    client = await sync_to_async(lambda: as_user(room.members.first().user))()
    screen = await _screen_of(room, client)
    await sync_to_async(client.post)("/account/logout/")
    assert await closing(screen) == 1001


async def test_screen_closes_when_its_user_is_banned() -> None:
    room = await sync_to_async(_table)()
    person = await sync_to_async(PersonFactory)()
    screen = await _screen_of(room, await sync_to_async(as_user)(person))
    await sync_to_async(decide)(person.pk, "lock", "spam")
    assert "spam" in await text(screen, "banned")
    assert await closing(screen) == 4003


def test_stale_screen_is_removed() -> None:
    room = _table()
    rooms.screen_seen([room.pk]).result()
    assert "data-screen" in first_view(room, room.host_id, "en")["status"]
    Cleanup().run(time_source.now() + UNHEARD_OF + timedelta(seconds=1))
    assert not Room.objects.get(pk=room.pk).has_screen
    assert "data-screen" not in first_view(room, room.host_id, "en")["status"]
