"""Programs that are out of a match leave for a new game on the same connection."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async

from games import rooms
from games.models import Match, Member
from games.sockets.hub import close_hub
from tests.kit.acting import go_out, let_time_run_out
from tests.kit.client import Program, answer_of, started
from tests.kit.factories import open_table, start_match
from tests.kit.page_socket import cookie_of, guest, socket, text


async def go_out_of(room: str, *names: str) -> None:
    match = await Match.objects.aget(room__code=room)
    for name in names:
        member = await Member.objects.select_related("user").aget(room__code=room, name=name)
        await sync_to_async(go_out)(match, member.user)
        await sync_to_async(let_time_run_out)(match)


async def test_programs_that_are_out_meet_in_a_new_room_and_play_there() -> None:
    async with Program() as ann, Program() as bob, Program() as cleo, Program() as dan:
        room = await started(ann, bob, cleo, dan, options={"lives": 1})
        assert answer_of(await bob.ask("LeaveForNewGame")) == "ignored"
        await go_out_of(room, "p1", "p2")
        created = await bob.ask("LeaveForNewGame")
        assert (answer_of(created), created["username"]) == ("GameCreated", "p1")
        await bob.until(lambda p: p["type"] == "GameDataSync" and p["data"]["gameId"] != room)
        assert (bob.data["gameHost"], bob.data["options"]["lives"]) == ("p1", 1)
        for program in (ann, cleo, dan):
            told = await program.had("NewGameOpened")
            assert told == {"type": "NewGameOpened", "room": created["room"], "username": "p1"}
            left = {"type": "PlayerLeft", "username": "p1", "reason": "left"}
            assert left in program.packets
        joined = await cleo.ask("LeaveForNewGame", room=created["room"])
        assert (answer_of(joined), joined["room"]) == ("GameJoined", created["room"])
        assert (await bob.had("PlayerJoined"))["player"]["username"] == "p1"
        assert answer_of(await bob.ask("StartGame")) == "Done"
        await cleo.until(lambda p: p["type"] == "GameDataSync" and p["data"]["gameStarted"])
        assert cleo.data["gameId"] == created["room"]
        await ann.until(lambda p: p["type"] == "PlayerLeft" and p["username"] == "p2")
        assert ann.data["gameId"] == room


async def test_pages_of_those_who_watch_differ_in_whom_they_meet(settings: Any) -> None:
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
