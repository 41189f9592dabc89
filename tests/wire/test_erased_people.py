"""A user deletes their account while pages and programs have the table open."""

from __future__ import annotations

from asgiref.sync import sync_to_async

from games import rooms
from games.history import erasure
from games.models import Room
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import guest, logged_in, socket, text


async def test_erasure_closes_the_users_pages_and_others_see_them_leave() -> None:
    ann, cookie = await sync_to_async(logged_in)()
    room: Room = await sync_to_async(open_table)(await guest(), ann)
    await rooms.say(room.pk, ann.pk, "words of mine")
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    async with Program() as other:
        await other.join(room.code, "bob")
        await text(page, "words of mine")
        await sync_to_async(erasure.erase, thread_sensitive=False)(ann.pk)
        gone = await other.until("PlayerLeft")
        assert gone["username"] == "Ann"
        data = (await other.ask("GameDataRequest"))["data"]
        assert "Ann" not in {player["username"] for player in data["players"]}
        assert data["chat"] == []
    while (await page.receive_output())["type"] != "websocket.close":
        pass
    again = socket(f"/ws/table/{room.code}/", cookie)
    await again.connect()
    assert (await again.receive_output())["code"] == 4001


async def test_open_pages_show_the_log_without_the_erased_name() -> None:
    bob, cookie = await sync_to_async(logged_in)()
    ann = await sync_to_async(PersonFactory)(name="Ann Other")
    room: Room = await sync_to_async(open_table)(bob, ann)
    page = socket(f"/ws/table/{room.code}/", cookie)
    assert (await page.connect())[0]
    await rooms.start(room.pk, bob.pk)
    await text(page, "Round 1<")
    await sync_to_async(erasure.erase, thread_sensitive=False)(ann.pk)
    log = "#log-lines"
    told = await text(page, f'hx-target="{log}" hx-swap="innerMorph"')
    lines = told.partition(f'"{log}"')[2].partition("</hx-partial>")[0]
    assert "Round 1<" in lines
    assert "former player" in lines
    assert "Ann Other" not in lines
    await page.disconnect()


async def test_program_of_an_erased_user_is_rejected() -> None:
    async with Program() as program:
        await program.host("mia", "ann")
        await program.ask("LeaveGame")
        user_id = program_user()
        await sync_to_async(erasure.erase, thread_sensitive=False)(await user_id)
        answer = await program.ask("HostGame", game="mia", username="ann")
        assert answer["type"] == "PlayerJoinRejected"


async def program_user() -> int:
    from accounts.models import User

    return (await User.objects.aget(name="ann")).pk


async def test_match_continues_for_the_others_after_an_erasure() -> None:
    ann = await sync_to_async(PersonFactory)(name="Ann")
    room: Room = await sync_to_async(open_table)(ann)
    async with Program() as bob, Program() as eve:
        await bob.join(room.code, "bob")
        await eve.join(room.code, "eve")
        await rooms.start(room.pk, ann.pk)
        await bob.until("GameStarted")
        await sync_to_async(erasure.erase, thread_sensitive=False)(ann.pk)
        await bob.until(lambda p: p.get("username") == "Ann" and p["type"] == "PlayerLeft")
        data = (await bob.ask("GameDataRequest"))["data"]
        assert "Ann" not in str(data)
        assert data["status"] == "playing"
        assert data["gameHost"] == "bob"
