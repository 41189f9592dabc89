"""Programs that are out of a match leave for a new game on the same connection."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from games import rooms
from games.sockets.hub import close_hub
from tests.kit.factories import open_table, start_match
from tests.kit.page_socket import cookie_of, guest, socket, text


async def test_spectator_does_not_see_the_new_game_of_a_user_blocking_them(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    people = [await guest() for _ in range(5)]
    ann, bob, cleo, eve, fay = people
    room = await sync_to_async(open_table)(ann, bob, cleo)
    await sync_to_async(start_match)(room)
    for watcher in (eve, fay):
        await rooms.join(room.code, watcher.pk, str(watcher), spectate=True)
    pages = [
        socket(f"/ws/table/{room.code}/", await sync_to_async(cookie_of)(p)) for p in (eve, fay)
    ]
    for page in pages:
        await page.connect()
        await text(page, 'id="spectating"')
    dan = await guest()
    await rooms.join(room.code, dan.pk, str(dan), spectate=True)
    await rooms.block(room.pk, dan.pk, str(eve), on=True)
    new = await rooms.leave_for_new_game(room.pk, dan.pk)
    assert new.code in await text(pages[1], "has started a new game")
    await rooms.set_host(room.pk, ann.pk, str(bob))
    frames = ""
    while 'id="people"' not in frames:
        frames += await pages[0].receive_from()
    assert new.code not in frames
    for page in pages:
        await page.disconnect()
    await close_hub()
