"""When a moderator acts, open sockets are notified or closed."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from asgiref.sync import sync_to_async

from accounts import tokens
from accounts.models import User
from games.engine import long_jobs
from games.engine.writer import command
from games.history import staff
from games.models import Room
from games.sockets.announcements import AnnouncementBroadcaster
from games.sockets.hub import hub
from lobby import parts
from tests.kit.client import Program
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.page_socket import closing, logged_in, socket, text

decide, say = command(staff.decide), command(staff.say)
take_name = command(staff.take_name)
close_room, end_match = command(staff.close_room), command(staff.end_match)


@pytest.fixture(autouse=True)
def _hosts(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    monkeypatch.setattr(parts, "AT_MOST_EVERY", 0.05)


@sync_to_async
def person_with_token() -> tuple[User, dict[str, str]]:
    user = PersonFactory()
    return user, {"authorization": f"Bearer {tokens.make(user)}"}


async def test_banned_player_is_notified_and_disconnected_and_others_see_it() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        await bob.join(created["room"], "bob")
        user = await User.objects.aget(name="bob")
        await decide(user.pk, "lock", "spam")
        left = await ann.until("PlayerLeft")
        assert (left["username"], left["reason"]) == ("bob", "banned")
        assert await bob.closing() == 4003
        told = [p["message"] for p in bob.packets if p["type"] == "ShowAlert"]
        assert len(told) == 1
        assert "spam" in told[0]


async def test_renamed_player_leaves_and_returns_under_the_new_name() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        await bob.join(created["room"], "bob")
        user = await User.objects.aget(name="bob")
        new = await take_name(user.pk, "rude")
        await sync_to_async(long_jobs.work)(user.pk)
        await bob.until(lambda p: p.get("data", {}).get("you") == new)
        assert (await bob.ask("LeaveGame"))["type"] == "Done"
        for one in (ann, bob):
            assert (await one.had("PlayerLeft"))["username"] == new
        await bob.ask("JoinGame", room=created["room"])
        assert (await ann.until("PlayerJoined"))["player"]["username"] == new


async def test_pages_of_a_banned_user_are_notified_and_closed() -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person)
    table, front = socket(f"/ws/table/{room.code}/", cookie), socket("/ws/lobby/", cookie)
    other = socket("/ws/you/", cookie)
    for page in (table, front, other):
        await page.connect()
    await text(table, "people")
    await text(front, "tables")
    await text(other, "badge")
    await decide(person.pk, "lock", "spam <b>")
    assert "spam &lt;b&gt;" in await text(table, "spam")
    assert await closing(table) == 4003
    assert "spam &lt;b&gt;" in await text(front, "spam")
    assert await closing(front) == 4003
    assert "spam &lt;b&gt;" in await text(other, "spam")
    assert await closing(other) == 4003
    for address in ("/ws/lobby/", "/ws/you/"):
        late = socket(address, cookie)
        await late.connect()
        assert await closing(late) == 4003


async def test_program_of_a_banned_user_is_disconnected_even_without_a_table() -> None:
    user, bearer = await person_with_token()
    async with Program(bearer) as program:
        await program.until("Welcome")
        await decide(user.pk, "lock", "spam")
        assert await program.closing() == 4003
        assert "spam" in program.packets[-1]["message"]
    async with Program(bearer) as late:
        assert await late.closing() == 4003
        assert late.kinds() == ["ShowAlert"]
        assert "spam" in late.packets[0]["message"]


async def test_banned_user_cannot_join_with_a_token_in_a_packet() -> None:
    user, bearer = await person_with_token()
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        await decide(user.pk, "lock", "spam")
        await hub().broadcaster.poll()  # else it could reach users who connect later
        token = bearer["authorization"].split()[1]
        answer = await bob.ask("JoinGame", room=created["room"], token=token)
        assert (answer["type"], answer["reason"]) == ("PlayerJoinRejected", "Banned")
        assert "spam" in answer["message"]


async def test_muted_user_is_notified_at_once_and_when_chatting() -> None:
    async with Program() as ann:
        await ann.host()
        user = await User.objects.aget(name="ann")
        await decide(user.pk, "mute", "spam")
        assert "spam" in (await ann.until("ShowAlert"))["message"]
        answer = await ann.ask("SendNewChatMessage", message="hello")
        assert (answer["type"], answer["code"]) == ("ActionFailed", "muted")
        assert "forever" in answer["reason"]


async def test_announcement_reaches_every_program_and_page_once() -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person)
    front = socket("/ws/lobby/", cookie)
    before = socket(f"/ws/table/{room.code}/", cookie)  # a page that also has a separate socket
    table = socket(f"/ws/table/{room.code}/?badge=", cookie)
    for page in (table, front, before):
        await page.connect()
    await text(table, "badge")
    await text(before, "people")
    async with Program() as ann, Program() as nobody:
        await ann.host()
        await nobody.until("Welcome")
        await say("Tea at <five>", "warning")
        for program in (ann, nobody):
            alert = await program.until("ShowAlert")
            assert (alert["level"], alert["message"]) == ("warning", "Tea at <five>")
        for page in (table, front):
            assert "Tea at &lt;five&gt;" in await text(page, "Tea")
        await decide(person.pk, "warning", "Tea first")
        assert "Tea first" in await text(table, "Tea")
        await say("For this table", "info", room.pk)
        heard = [await before.receive_from()]
        while "For this table" not in heard[-1]:
            heard.append(await before.receive_from())
        assert not any("Tea" in frame for frame in heard), "twice on one page"
        await say("Tea is over", "info")
        assert (await ann.until("ShowAlert"))["message"] == "Tea is over"


async def test_announcement_to_a_table_reaches_only_that_table() -> None:
    async with Program() as ann, Program() as eve:
        created = await ann.host()
        await eve.host(name="eve")
        room = await Room.objects.aget(code=created["room"])
        await say("Only you", "info", room.pk)
        assert (await ann.until("ShowAlert"))["message"] == "Only you"
        await say("All", "info")
        assert (await eve.until("ShowAlert"))["message"] == "All"


async def test_closing_a_table_or_ending_a_match_states_the_reason() -> None:
    async with Program() as ann:
        created = await ann.host()
        room = await Room.objects.aget(code=created["room"])
        await ann.send("AddBot")
        await ann.send("StartGame")
        await ann.until("GameStarted")
        await end_match(room.pk, "it hangs")
        assert "it hangs" in (await ann.until("ShowAlert"))["message"]
        await close_room(room.pk, "too loud")
        assert await ann.closing() == 4003
        assert "too loud" in ann.packets[-1]["message"]


async def test_players_learn_after_the_match_that_staff_viewed_its_secrets() -> None:
    from moderation import actions

    admin = await sync_to_async(PersonFactory)(is_staff=True, is_superuser=True)
    async with Program() as ann:
        created = await ann.host()
        room = await Room.objects.aget(code=created["room"])
        await ann.send("AddBot")
        await ann.send("StartGame")
        started = await ann.until("GameStarted")
        await actions.look(admin.pk, started["matchId"], "a report of cheating")
        await ann.ask("GameDataRequest")
        assert "ShowAlert" not in ann.kinds(), "not before the end"
        await end_match(room.pk, "enough")
        alerts = [(await ann.until("ShowAlert"))["message"] for _ in range(2)]
        assert any("a report of cheating" in alert for alert in alerts)


async def test_renaming_a_user_is_visible_at_once() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        await bob.join(created["room"], "rude")
        await ann.ask("StartGame")
        rude = await User.objects.aget(name="rude")
        await command(staff.take_name)(rude.pk, "not here")
        new = f"Player {rude.pk}"
        await ann.until(
            lambda p: (
                p["type"] == "GameDataSync"
                and [q["username"] for q in p["data"]["players"]] == ["ann", new]
            )
        )
        await bob.until(lambda p: p["type"] == "GameDataSync" and p["data"]["you"] == new)


async def test_muting_a_player_hides_their_chat_and_unmuting_restores_it() -> None:
    person, cookie = await sync_to_async(logged_in)()
    bob = await sync_to_async(PersonFactory)(name="Bob")
    room = await sync_to_async(open_table)(person, bob)
    await sync_to_async(start_match)(room)
    from games import rooms

    page = socket(f"/ws/table/{room.code}/", cookie)
    await page.connect()
    await text(page, "people")
    await rooms.say(room.pk, bob.pk, "blah")
    await text(page, "blah")
    await page.send_to(text_data='{"body": {"do": "Mute", "username": "Bob", "on": "true"}}')
    frame = await text(page, "#chat-lines")
    assert "blah" not in frame
    await page.send_to(text_data='{"body": {"do": "Mute", "username": "Bob", "on": "false"}}')
    assert "blah" in await text(page, "#chat-lines")


async def test_newcomer_does_not_receive_earlier_announcements() -> None:
    async with Program() as ann, Program() as late:
        await ann.host()
        await say("Tea at five", "info")
        await ann.until("ShowAlert")
        await late.host(name="eve")
        await say("Tea is over", "info")
        assert (await late.until("ShowAlert"))["message"] == "Tea is over"


async def test_announcement_made_while_a_socket_is_greeted_is_not_lost() -> None:
    """A program listens before the server reads what it missed, and again once it is greeted."""
    broadcaster, listener = AnnouncementBroadcaster(), Mock(room_id=None, person=None)
    broadcaster.listen(listener)
    await say("Tea at five", "info")
    broadcaster.listen(listener)
    await broadcaster.poll()
    listener.on_announcement.assert_called_once()


async def test_failing_socket_does_not_block_an_announcement_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from games.sockets.api_consumer import ApiConsumer

    told = ApiConsumer.on_announcement

    def fail_for_bob(self: ApiConsumer, alert: Any) -> None:
        assert self.client.name != "bob"
        told(self, alert)

    monkeypatch.setattr(ApiConsumer, "on_announcement", fail_for_bob)
    async with Program() as bob, Program() as ann:
        await bob.host(name="bob")
        await ann.host(name="ann")
        await say("Tea at five", "info")
        assert (await ann.until("ShowAlert"))["message"] == "Tea at five"
        assert (await bob.ask("GameDataRequest"))["type"] == "GameDataSync"
