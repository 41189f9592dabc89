"""Each method of the client library sends a packet that the server can read."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from games.wire import client, commands
from games.wire.declaration import Command
from parlour_client import Client
from parlour_client.commands import Commands, Json

WRITTEN_BY_HAND = {
    "HostGame": "host",
    "JoinGame": "join",
    "LeaveGame": "leave",
    "LeaveForNewGame": "leave_for_new_game",
    "Seek": "seek",
    "CancelSeek": "seek",
    "SetAvailable": "request",
}
CALLS: dict[str, tuple[tuple[Any, ...], Command]] = {
    "start": ((), commands.StartGame()),
    "play_again": ((), commands.PlayAgain()),
    "add_bot": (("normal",), commands.AddBot("normal")),
    "set_room": (("unlisted", "x"), commands.SetRoom(visibility="unlisted", password="x")),
    "invite": (("cleo",), commands.Invite("cleo")),
    "set_host": (("bob",), commands.SetHost("bob")),
    "kick": (("bob",), commands.KickPlayer("bob")),
    "spectate": ((), commands.SetSpectating(True)),
    "chat": (("hello",), commands.SendNewChatMessage(message="hello")),
    "set_nonce": (("mine",), commands.SetNonce("mine")),
    "nudge": ((), commands.Nudge()),
    "pause": ((), commands.Pause()),
    "resume": ((), commands.Resume()),
    "skip_ahead": ((), commands.SkipAhead()),
    "set_game": (
        ("coup", {"startCoins": 3}),
        commands.SetGame(game="coup", options={"startCoins": 3}),
    ),
    "call_vote": (("host", "bob"), commands.CallVote(about="host", username="bob")),
    "cast_vote": ((True,), commands.CastVote(True)),
    "react": (("laugh",), commands.React("laugh")),
    "restart": ((), commands.Restart()),
}
"""The interface bots rely on: names and arguments."""


class Recorder(Commands):
    """Records packets instead of sending them."""

    async def request(self, packet_type: str, /, **fields: Any) -> Json:
        given = {name: of for name, of in fields.items() if of is not None}
        self.sent = client.read_platform({"type": packet_type, **given})
        return {}


@pytest.mark.parametrize("name", CALLS)
async def test_a_method_sends_its_packet(name: str) -> None:
    arguments, packet = CALLS[name]
    recorder = Recorder()
    await getattr(recorder, name)(*arguments)
    assert recorder.sent == packet


def test_every_member_packet_has_a_client_method() -> None:
    made = {name for name, _ in inspect.getmembers(Commands, inspect.iscoroutinefunction)}
    assert made == {*CALLS, "set_options", "request"}
    for name in (*made, *WRITTEN_BY_HAND.values()):
        assert inspect.iscoroutinefunction(getattr(Client, name))
    packets = {packet.__name__ for packet in commands.PACKETS}
    by_itself = {"GameDataRequest", "LogRequest", "CommitLuck", "RevealLuck"}
    assert len(made) - 1 + len(WRITTEN_BY_HAND) == len(packets - by_itself)
