"""Half of a surrogate pair in any field is answered with the packet's id and a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from chat.models import Message
from games.wire.client import HALF
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import cookie_of, socket, text

pytestmark = pytest.mark.django_db(transaction=True)

HALVES: list[dict[str, Any]] = [
    {"type": "SendNewChatMessage", "message": "\ud83d"},
    {"type": "SendNewChatMessage", "message": "hi", "\udc00": 1},
    {"type": "HostGame", "game": "mia", "username": "a\ud83d"},
    {"type": "SetOptions", "options": {"packs": ["\ud83d"]}},
    {"type": "SetNonce", "nonce": "\ud83d" * 64},
]


@pytest.mark.parametrize("packet", HALVES)
async def test_lone_surrogate_is_rejected_with_the_packets_id(packet: dict[str, Any]) -> None:
    async with Program() as ann:
        await ann.host()
        await ann.raw(json.dumps({**packet, "id": 77}))
        answer = await ann.until(lambda p: p.get("id") == 77)
        assert (answer["code"], answer["reason"]) == ("bad_packet", HALF)


async def test_long_packet_is_rejected_with_its_id_unless_the_id_is_invalid() -> None:
    async with Program() as ann:
        await ann.raw(json.dumps({"type": "LeaveGame", "id": 7, "x": "\ud83d" * 4000}))
        assert (await ann.until("ActionFailed"))["id"] == 7
        await ann.raw(json.dumps({"type": "LeaveGame", "id": "\ud83d"}))
        assert "id" not in await ann.until("ActionFailed")


@pytest.mark.parametrize("number", ["1e999", "1" * 5000])
async def test_out_of_range_number_is_rejected_with_the_packets_id(number: str) -> None:
    async with Program() as ann:
        await ann.host()
        await ann.raw(f'{{"type": "SetOptions", "options": {{"lives": {number}}}, "id": 7}}')
        answer = await ann.until(lambda p: p.get("id") == 7)
        assert answer["code"] == "bad_packet"
        assert "out of range" in answer["reason"]


async def test_page_error_names_the_rejected_command() -> None:
    ann = await sync_to_async(PersonFactory)()
    room = await sync_to_async(open_table)(ann)
    page = socket(f"/ws/table/{room.code}/", await sync_to_async(cookie_of)(ann))
    assert (await page.connect())[0]
    for do, shown in (("SendNewChatMessage", "SendNewChatMessage"), ("\ud83d", "")):
        body = {"do": do, "message": "hi \ud83d"}
        await page.send_to(text_data=json.dumps({"body": body}))
        assert "could not be read" in await text(page, f'data-refused="{shown}"')
    assert not await Message.objects.aexists()
    await page.disconnect()
