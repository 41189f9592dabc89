"""Opening a table's page reads little if the table is in memory."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from chat import messages
from chat.models import Message
from config.http import KeptThreads
from games import rooms
from games.engine.memory import memory
from games.models import Match, Member, Room
from games.pages import page
from games.sockets import hub
from games.tables import loading
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import cookie_of, socket, text
from tests.kit.waiting import wait_for_async

pytestmark = pytest.mark.django_db(transaction=True)


def _at_a_table() -> tuple[Room, list[Any]]:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="mia", pace="none")
    start_match(room)
    memory.evict(room.pk)
    room.refresh_from_db()
    return room, people


def _held(room: Room) -> None:
    memory.put(loading.load(room.pk, for_pages=False), memory.ticket())


def test_table_in_memory_is_rendered_like_a_loaded_one() -> None:
    room, people = _at_a_table()
    with CaptureQueriesContext(connection) as read:
        anew = page.first_view(room, people[1].pk, "en")
    _held(room)
    with CaptureQueriesContext(connection) as few:
        at_hand = page.first_view(room, people[1].pk, "en")
    assert at_hand == anew
    assert len(few) < len(read)


def test_changes_by_another_process_are_loaded() -> None:
    room, people = _at_a_table()
    _held(room)
    version = room.version + 100
    Room.objects.filter(pk=room.pk).update(version=version)
    memory.evict(room.pk)
    assert loading.load_page(room, people[1].pk).room.version == version, "changed while loading"
    _held(room)
    Room.objects.filter(pk=room.pk).update(version=version + 1)
    room.refresh_from_db()
    assert loading._from_memory(room, people[1].pk) is None
    assert loading.load_page(room, people[1].pk).room.version == version + 1


def test_room_that_changes_between_the_queries_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, people = _at_a_table()
    read = messages.newest
    left: list[Member] = []

    def leave_meanwhile(thread: str) -> list[Message]:
        if not left:
            rooms.leave(room.pk, people[2].pk).result()
            left.append(room.members.get(user=people[2]))
        return read(thread)

    monkeypatch.setattr(messages, "newest", leave_meanwhile)
    table = loading.load(room.pk)
    assert table.room.version == Room.objects.get(pk=room.pk).version > room.version
    assert table.match is not None
    assert table.match.row.version == Match.objects.get(pk=room.match_id).version


def test_match_changed_by_another_process_is_reloaded() -> None:
    room, people = _at_a_table()
    _held(room)
    assert loading._from_memory(room, people[1].pk) is not None
    Match.objects.filter(pk=room.match_id).update(revision=F("revision") + 1)
    assert loading._from_memory(room, people[1].pk) is None


def test_messages_of_a_user_just_muted_elsewhere_are_hidden() -> None:
    from accounts import mutes_and_blocks

    room, (me, other, _) = _at_a_table()
    rooms.say(room.pk, other.pk, "hello there").result()
    _held(room)
    mutes_and_blocks.keep(me.pk, other, str(other), True, None)
    assert "hello there" not in page.first_view(room, me.pk, "en")["chat"]


async def test_up_to_date_page_triggers_no_load_when_it_connects(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    room, (ann, bob, _) = await sync_to_async(_at_a_table)()
    await Member.objects.filter(room=room).aupdate(at_page=True)
    read: list[int] = []
    load = hub.load
    monkeypatch.setattr(hub, "load", lambda *args: read.append(args[0]) or load(*args))
    first = socket(f"/ws/table/{room.code}/", await sync_to_async(cookie_of)(ann))
    await first.connect()
    await text(first, "people")
    view = await sync_to_async(page.first_view)(room, bob.pk, "en")
    before = len(read)
    second = socket(
        f"/ws/table/{room.code}/?seen={view['seen']}", await sync_to_async(cookie_of)(bob)
    )
    await second.connect()
    await wait_for_async(lambda: hub.hub()._rooms[room.pk].has(bob.pk))
    assert len(read) == before
    await rooms.say(room.pk, ann.pk, "hello there")
    assert "people" not in await text(second, "hello there"), "what it came with is not sent again"
    for one in (first, second):
        await one.disconnect()


async def test_pages_are_rendered_by_reused_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    handler = KeptThreads()
    names: list[str] = []
    monkeypatch.setattr(
        handler, "get_response", lambda request: names.append(threading.current_thread().name)
    )
    for _ in range(2):
        await handler.get_response_async(None)  # type: ignore[arg-type]
    assert names[0].startswith("page")
    assert names[0] == names[1]
