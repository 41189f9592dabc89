"""Notices about a seat are announced once on open pages. Moderators' messages remain."""

from __future__ import annotations

import re

from asgiref.sync import sync_to_async

from games.engine import notifications
from games.models import Announcement, Room
from tests.kit.factories import open_table
from tests.kit.page_socket import guest, logged_in, socket, text


async def test_seat_notices_are_temporary_and_moderator_messages_stay() -> None:
    ann, cookie = await sync_to_async(logged_in)()
    room: Room = await sync_to_async(open_table)(await guest(), ann)
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    await text(page, 'id="seats"')
    for code, written, said in (
        ("seat_given", "Bob 2 → Bob", "Bob 2 was given Bob&#x27;s seat."),
        ("", "Please be kind", "Please be kind"),
    ):
        await Announcement.objects.acreate(room=room, code=code, text=written)
        notifications.notify_everybody()
        word = re.search(r'<p class="([^"]*)"', await text(page, said))
        assert word is not None
        assert ("passing" in word[1].split()) == bool(code)
    await page.disconnect()
