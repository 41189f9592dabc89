"""Page sockets open only for permitted users, and junk sent to them has no effect."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import rooms
from games.contract.core import Refused
from games.models import Match, Room
from games.sockets.hub import Hub, hub
from tests.kit.factories import open_table, start_match
from tests.kit.page_socket import guest, logged_in, socket, text


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


JUNK = [
    "nonsense",
    "[]",
    "{}",
    '{"body": 1}',
    '{"body": {}}',
    '{"body": {"do": 1}}',
    '{"body": {"do": "fly"}}',
    '{"body": {"do": "move"}}',
    '{"body": {"do": "KickPlayer", "username": "a\\u0000"}}',
    '{"body": {"do": "Report", "what": "name", "which": "a", "reason": "spam", "note": "\\u0000"}}',
    '{"body": {"do": "move", "move": "Roll", "prompt": {"a": 1}, "more": ["x"]}}',
    '{"body": {"do": "move", "move": "Announce", "dice": ["1", "2"]}}',
    '{"body": {"do": "move", "move": ["Roll"]}}',
    '{"body": {"do": "KickPlayer", "username": ["x"]}}',
    '{"body": {"do": "Invite", "username": ["x"]}}',
    '{"body": {"do": "InviteAgain", "member": "x"}}',
    '{"body": {"do": "WithdrawInvitation", "invitation": "\u0661"}}',
    '{"body": {"do": "WithdrawInvitation"}}',
    '{"body": {"do": "SetBotLevel", "username": "Ann", "level": {}}}',
    '{"body": {"do": "SetOthersSpectating", "username": "Ann"}}',
    '{"body": {"do": "FillWithBots", "upTo": "yes"}}',
    '{"body": {"do": "SetOptions", "option-lives": "x"}}',
    '{"body": {"do": "SetRoom", "visibility": "secret"}}',
    '{"body": {"do": "SendNewChatMessage", "message": {}}}',
    "[" * 5000,
    "x" * 20000,
]


async def test_junk_is_answered_with_an_error_and_the_page_keeps_working() -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person, await guest())
    await sync_to_async(start_match)(room)
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    await text(page, "#status")
    for junk in JUNK:
        await page.send_to(text_data=junk)
        assert "<p " in await text(page, "#notice"), junk
    await page.send_to(bytes_data=b"\x00\xff")
    assert "<p " in await text(page, "#notice")
    body = {"do": "SendNewChatMessage", "message": "still here"}
    await page.send_to(text_data=json.dumps({"headers": {}, "body": body}))
    assert "still here" in await text(page, "#chat-lines")
    assert await Match.objects.filter(version=1).aexists()
    await page.disconnect()


async def test_user_kicked_while_connecting_is_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person, cookie = await sync_to_async(logged_in)()
    host = await guest()
    room: Room = await sync_to_async(open_table)(host, person)
    enter = Hub.enter

    async def late(there: Hub, room_id: int, watcher: Any) -> None:
        await rooms.kick(room.pk, host.pk, "Ann")
        await enter(there, room_id, watcher)

    monkeypatch.setattr(Hub, "enter", late)
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    assert "You were removed" in await page.receive_from()
    output = await page.receive_output()
    assert (output["type"], output["code"]) == ("websocket.close", 4003)


async def test_page_shows_the_table_while_the_writer_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a restart, thousands of pages may connect before the writer is ready."""
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person, await guest())
    await sync_to_async(start_match)(room)
    asked = []

    async def busy(*members: Any) -> None:
        asked.append(members)
        raise Refused("busy")

    monkeypatch.setattr(rooms, "seen", busy)
    monkeypatch.setattr(rooms, "opened_page", busy)
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    await text(page, "#status")
    assert asked
    monkeypatch.undo()
    await page.disconnect()


@pytest.mark.parametrize("path", ["/ws/table/", "/ws/screen/"])
async def test_user_logged_out_while_connecting_is_not_kept_in_the_room(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person, await guest())

    async def log_out(*members: Any) -> None:
        for sockets in list(hub().credentials._sockets_of.values()):
            for one in list(sockets):
                one.on_revoked()

    monkeypatch.setattr(rooms, "seen", log_out)
    monkeypatch.setattr(rooms, "screen_seen", log_out)
    monkeypatch.setattr(rooms, "opened_page", log_out)
    page = socket(f"{path}{room.code}/", cookie)
    assert (await page.connect())[0]
    output = await page.receive_output()
    assert (output["type"], output["code"]) == ("websocket.close", 1001)
    await page.disconnect()
    assert room.pk not in hub()._rooms
