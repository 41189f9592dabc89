"""Rooms over the wire: joining, leaving, and permissions."""

from __future__ import annotations

from typing import Any

import pytest

from games.sockets.hub import Hub
from tests.kit.client import Program, seated


async def test_the_first_message_says_which_games_there_are() -> None:
    async with Program() as ann:
        welcome = await ann.read()
    assert welcome["type"] == "Welcome"
    assert welcome["protocol"] == 1
    assert welcome["username"] is None
    mia = next(game for game in welcome["games"] if game["slug"] == "mia")
    assert (mia["minPlayers"], mia["maxPlayers"]) == (2, 8)
    assert mia["options"]["properties"]["lives"]["default"] == 3


async def test_a_guest_hosts_and_another_joins() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        assert created["username"] == "ann"
        assert created["token"]
        joined = await bob.join(created["room"], "bob")
        assert joined["type"] == "GameJoined"
        assert [p["username"] for p in bob.data["players"]] == ["ann", "bob"]
        assert bob.data["gameHost"] == "ann"
        assert bob.data["you"] == "bob"
        assert (await ann.had("PlayerJoined"))["player"]["username"] == "ann"
        assert (await ann.until("PlayerJoined"))["player"]["username"] == "bob"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ANN", "UsernameTaken"),
        ("аnn", "UsernameLookalike"),
        ("x" * 21, "UsernameTooLong"),
        (" ", "UsernameEmpty"),
        ("a\u202eb", "UsernameInvalid"),
        ("a\nb", "UsernameInvalid"),
    ],
)
async def test_names_that_cannot_be_had(name: str, reason: str) -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        answer = await bob.join(created["room"], name)
        assert (answer["type"], answer["reason"]) == ("PlayerJoinRejected", reason)
        assert answer["message"].endswith(".")


async def test_a_token_brings_the_same_guest_back() -> None:
    async with Program() as ann, Program() as bob, Program() as again:
        created = await ann.host(password="dragon")
        joined = await bob.join(created["room"], "bob", password="dragon")
        back = await again.ask("JoinGame", room=created["room"], token=joined["token"])
        assert back["type"] == "GameRejoined"
        assert back["username"] == "bob"
        wrong = await again.ask("JoinGame", room=created["room"], token="nonsense")
        assert wrong["code"] == "already_in_room"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"room": "ZZZZZ"}, "InvalidRoom"),
        ({"token": "nonsense"}, "BadToken"),
        ({"password": "wrong"}, "WrongPassword"),
        ({}, "WrongPassword"),
    ],
)
async def test_who_cannot_come_in_is_told_why(fields: dict[str, str], reason: str) -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host(password="dragon")
        asked = {"room": created["room"], "username": "bob", **fields}
        answer = await bob.ask("JoinGame", **asked)
        assert answer["reason"] == reason


async def test_only_invited_people_come_to_an_invited_room() -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host(visibility="invited")
        assert (await bob.join(created["room"], "bob"))["reason"] == "NotInvited"


async def test_the_kicked_are_told_and_cannot_come_back() -> None:
    async with Program() as ann, Program() as bob, Program() as again:
        created = await ann.host()
        joined = await bob.join(created["room"], "bob")
        assert (await ann.ask("KickPlayer", username="bob"))["type"] == "Done"
        alert = await bob.until("ShowAlert")
        assert "You were removed" in alert["message"]
        with pytest.raises(ConnectionError):
            await bob.read()
        assert bob.closed == 4003
        back = await again.ask("JoinGame", room=created["room"], token=joined["token"])
        assert back["reason"] == "Kicked"


async def test_who_is_kicked_on_the_way_in_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Program() as ann, Program() as bob:
        created = await ann.host()
        enter = Hub.enter

        async def late(there: Hub, room_id: int, watcher: Any) -> None:
            await ann.ask("KickPlayer", username="bob")
            await enter(there, room_id, watcher)

        monkeypatch.setattr(Hub, "enter", late)
        await bob.ask("JoinGame", room=created["room"], username="bob")
        assert (await bob.until("PlayerLeft"))["reason"] == "kicked"
        assert await bob.closing() == 4003


async def test_the_one_present_longest_follows_a_host_who_leaves() -> None:
    async with Program() as ann, Program() as bob, Program() as eve:
        await seated(ann, bob, eve)
        await ann.send("AddBot")
        await ann.ask("LeaveGame")
        assert (await eve.until("PlayerLeft"))["reason"] == "left"
        assert (await eve.until("HostSet"))["username"] == "p1"
        assert (await bob.ask("SetHost", username="p2"))["type"] == "Done"
        assert (await eve.until("HostSet"))["username"] == "p2"
        assert (await bob.ask("AddBot"))["code"] == "ignored"


async def test_options_are_checked_and_told_to_all() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        assert (await ann.ask("SetOptions", options={"lives": 2}))["type"] == "Done"
        assert (await bob.until("OptionsSet"))["options"]["lives"] == 2
        for options in ({"lives": 10}, {"nonsense": 1}, {"lives": "3"}, {"pace": "warp"}):
            answer = await ann.ask("SetOptions", options=options)
            assert answer["code"] == "bad_options"
            assert next(iter(options)) in answer["reason"]


async def test_room_settings_are_told_to_all() -> None:
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        await ann.send("SetRoom", visibility="unlisted", password="dragon")
        told = await bob.until("RoomSet")
        assert (told["visibility"], told["locked"]) == ("unlisted", True)


async def test_starting_needs_enough_players() -> None:
    async with Program() as ann:
        await ann.host()
        answer = await ann.ask("StartGame")
        assert answer["code"] == "not_enough_players"
        assert "2" in answer["reason"]


async def test_a_spectator_watches_and_may_play_the_next_match() -> None:
    async with Program() as ann, Program() as bob, Program() as eve:
        created = await seated(ann, bob)
        await ann.ask("StartGame")
        await eve.join(created, "eve")
        assert eve.data["status"] == "playing"
        assert eve.data["prompt"] is None
        assert eve.data["offers"] == []
        assert [p["isSpectator"] for p in eve.data["players"]] == [False, False, True]
        assert (await eve.ask("Roll"))["code"] == "ignored"


async def test_bots_are_added_up_to_the_table_and_kicked() -> None:
    async with Program() as ann:
        await ann.host("coup")
        for _ in range(5):
            assert (await ann.ask("AddBot"))["type"] == "Done"
        assert (await ann.ask("AddBot"))["code"] == "table_full"
        assert (await ann.ask("AddBot", level="clever"))["code"] == "bad_level"
        await ann.ask("GameDataRequest")
        bot = ann.packets[-1]["data"]["players"][1]["username"]
        assert (await ann.ask("KickPlayer", username=bot))["type"] == "Done"
        assert (await ann.ask("KickPlayer", username="nobody"))["code"] == "bad_target"
        assert (await ann.ask("KickPlayer", username="ann"))["code"] == "bad_target"


async def test_a_host_has_at_most_twenty_rooms() -> None:
    async with Program() as first:
        created = await first.host()
    token = {"authorization": f"Bearer {created['token']}"}
    for _ in range(19):
        async with Program(token) as more:
            assert (await more.ask("HostGame", game="mia"))["type"] == "GameCreated"
    async with Program(token) as last:
        assert (await last.ask("HostGame", game="mia"))["code"] == "too_many_rooms"


async def test_an_unknown_bearer_is_closed_with_4001() -> None:
    program = Program({"authorization": "Bearer nonsense"})
    async with program:
        with pytest.raises(ConnectionError):
            await program.read()
        assert program.closed == 4001


async def test_chat_is_heard_by_all_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1000.0)
    async with Program() as ann, Program() as bob:
        await seated(ann, bob)
        assert (await ann.ask("SendNewChatMessage", message="  hi <b> "))["type"] == "Done"
        heard = await bob.until("NewChatMessageSent")
        assert (heard["message"], heard["player"]["username"]) == ("hi <b>", "p0")
        assert heard["audience"] == "table"
        assert (await ann.ask("SendNewChatMessage", message=" "))["code"] == "bad_message"
        assert (await ann.ask("SendNewChatMessage", message="x" * 501))["code"] == "bad_message"
        for _ in range(2):
            answer = await ann.ask("SendNewChatMessage", message="again")
            assert answer["type"] == "Done"
        assert (await ann.ask("SendNewChatMessage", message="again"))["code"] == "busy"


async def test_the_table_does_not_hear_the_gallery() -> None:
    async with Program() as ann, Program() as bob, Program() as eve, Program() as kim:
        room = await seated(ann, bob)
        await ann.ask("StartGame")
        await eve.join(room, "eve")
        await kim.join(room, "kim")
        await eve.ask("SendNewChatMessage", message="she is bluffing")
        assert (await kim.until("NewChatMessageSent"))["audience"] == "gallery"
        await ann.ask("SendNewChatMessage", message="your turn")
        await bob.until("NewChatMessageSent")
        assert [p["message"] for p in bob.packets if p["type"] == "NewChatMessageSent"] == [
            "your turn"
        ]
        answer = await bob.ask("GameDataRequest")
        assert [m["message"] for m in answer["data"]["chat"]] == ["your turn"]
