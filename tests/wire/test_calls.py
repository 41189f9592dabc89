"""The badge on each page counts your own tables only."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts.models import User
from config.asgi import application
from games import rooms
from lobby import parts
from tests.kit.acting import on_turn
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.page_socket import Connection

OURS = "http://testserver"


@pytest.fixture(autouse=True)
def _hosts(settings: Any, monkeypatch: Any, transactional_db: None) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    monkeypatch.setattr(parts, "AT_MOST_EVERY", 0.0)


def session(person: User) -> str:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return f"sessionid={client.cookies['sessionid'].value}"


async def page_of(person: User, query: str = "") -> Connection:
    """Open a page as this user and read its initial frames."""
    cookie = await sync_to_async(session)(person)
    headers = [(b"cookie", cookie.encode()), (b"host", b"testserver"), (b"origin", OURS.encode())]
    page = Connection(application, f"/ws/you/{query}", headers=headers)
    assert (await page.connect())[0]
    await page.receive_from()
    return page


async def shows(page: Connection, part: str) -> str:
    """Return the first frame that contains this."""
    while True:
        frame = await page.receive_from()
        if part in frame:
            return str(frame)


async def make(factory: Any, *args: Any, **more: Any) -> Any:
    return await sync_to_async(factory)(*args, **more)


async def test_invitation_appears_at_once_and_disappears_when_declined() -> None:
    eve = await make(AccountFactory)
    room = await make(open_table, await make(PersonFactory, name="Ann"))
    page = await page_of(eve)
    await rooms.invite(room.pk, room.host_id, eve.username)
    assert 'hx-target="#badge"' in await shows(page, "1 invitation")
    await rooms.decline(room.code, eve.pk)
    await shows(page, " hidden")
    await page.disconnect()


async def test_badge_shows_a_turn_on_other_pages_but_not_at_that_table() -> None:
    ann, bob = await make(PersonFactory), await make(PersonFactory)
    room = await make(open_table, ann, bob)
    pages = [await page_of(person) for person in (ann, bob)]
    there = await page_of(ann, f"?at={room.code}")
    await rooms.start(room.pk, ann.pk)
    match = await room.matches.aget()
    first = (await make(on_turn, match)).user_id
    page = pages[0] if first == ann.pk else pages[1]
    assert f'href="/t/{room.code}/"' in await shows(page, "Your turn: Mia")
    assert await there.receive_nothing(0.5)
    for one in (*pages, there):
        await one.disconnect()


async def at_table(person: User, code: str, shown: str = "") -> Connection:
    """Open the page of a table, which also receives the badge."""
    cookie = await sync_to_async(session)(person)
    headers = [(b"cookie", cookie.encode()), (b"host", b"testserver"), (b"origin", OURS.encode())]
    page = Connection(application, f"/ws/table/{code}/?badge={shown}", headers=headers)
    assert (await page.connect())[0]
    await shows(page, 'id="people"')
    return page


async def test_table_socket_updates_the_badge_for_other_tables() -> None:
    eve, ann = await make(AccountFactory), await make(PersonFactory, name="Ann")
    here, there = await make(open_table, eve), await make(open_table, ann)
    page = await at_table(eve, here.code)
    assert "hidden" in await shows(page, 'hx-target="#badge"')
    await rooms.invite(there.pk, ann.pk, eve.username)
    assert 'hx-target="#badge"' in await shows(page, "1 invitation")
    await rooms.decline(there.code, eve.pk)
    assert " hidden" in await shows(page, 'hx-target="#badge"')
    await page.disconnect()


async def test_changes_are_sent_only_to_members_of_the_table() -> None:
    ann, host = await make(PersonFactory), await make(PersonFactory)
    page = await page_of(ann, "?lists")
    room = await make(open_table, host)
    await rooms.set_room(room.pk, host.pk, "unlisted")
    assert await page.receive_nothing(0.5)
    await rooms.join(room.code, ann.pk, "Ann")
    assert "#own" in await shows(page, room.code)
    await page.disconnect()


async def test_strangers_and_banned_users_receive_nothing() -> None:
    page = Connection(
        application, "/ws/you/", headers=[(b"host", b"testserver"), (b"origin", OURS.encode())]
    )
    await page.connect()
    output = await page.receive_output()
    assert (output["type"], output["code"]) == ("websocket.close", 4001)
    ann = await make(PersonFactory)
    room = await make(open_table, ann)
    page = await page_of(ann, "?lists")
    await User.objects.filter(pk=ann.pk).aupdate(is_active=False)
    await rooms.set_room(room.pk, ann.pk, "unlisted")
    assert room.code not in await shows(page, "hidden")
    await page.disconnect()
