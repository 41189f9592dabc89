"""The client with a scripted server: what it sends, and when it reconnects or stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from parlour_client import (
    Client,
    ConnectionLost,
    Ended,
    Json,
    Move,
    Refused,
    Rejected,
    Unreachable,
    play,
)
from parlour_client import pace as pace_module
from parlour_client.decision import Decision
from parlour_client.pace import BURST, LONGEST, Pace, back_off

WELCOME = {"type": "Welcome", "protocol": 1, "username": None, "games": []}
ROLL = {"move": "Roll", "args": {}, "risky": False}
LIMIT = 30


def sync(prompt: int = 1, offers: Sequence[Json] = (), **data: Any) -> Json:
    given = {
        "game": "mia",
        "you": "bob",
        "matchId": 1,
        "version": 0,
        "prompt": prompt,
        "status": "playing",
        "awaited": ["bob"],
        "offers": list(offers),
        "outcome": None,
        "view": {"phase": "turn"},
    }
    return {"type": "GameDataSync", "data": {**given, **data}}


OVER = sync(status="finished", outcome={"winners": ["bob"]})


class Line:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        assert socket.request is not None
        self.bearer = socket.request.headers.get("Authorization")

    async def put(self, *packets: Json) -> None:
        for packet in packets:
            await self.socket.send(json.dumps(packet))

    async def get(self, kind: str) -> Json:
        packet: Json = json.loads(await self.socket.recv())
        assert packet["type"] == kind, packet
        return packet

    async def answer(self, kind: str, reply: Json | None = None) -> Json:
        """Read a packet of this type and answer its id."""
        packet = await self.get(kind)
        await self.put({"id": packet["id"], **(reply or {"type": "Done"})})
        return packet

    async def seat(self, *then: Json) -> Json:
        """Welcome a client and let it join."""
        await self.put(WELCOME)
        kind = "GameRejoined" if self.bearer else "GameJoined"
        token = {} if self.bearer else {"token": "secret"}
        joined = {"type": kind, "room": "K7QX2", "username": "bob", **token}
        packet = await self.answer("JoinGame", joined)
        await self.put(*then)
        return packet

    async def break_off(self) -> None:
        """Drop the connection as a killed process would, without a close frame."""
        self.socket.transport.abort()
        await self.socket.wait_closed()


Script = Callable[[Line], Awaitable[None]]


@asynccontextmanager
async def served(*scripts: Script) -> AsyncIterator[str]:
    """Serve one script per connection, in order. A failing script fails the test."""
    coming, failed = iter(scripts), []

    async def handle(socket: ServerConnection) -> None:
        try:
            await next(coming)(Line(socket))
        except AssertionError as error:
            failed.append(error)

    async with serve(handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with asyncio.timeout(LIMIT):
            yield f"http://127.0.0.1:{port}"
    if failed:
        raise failed[0]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "FIRST", 0.01)


def rolling(decision: Decision) -> Move:
    return decision.choose("Roll")


async def test_answers_reach_whoever_asked_in_whatever_order_they_come() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        first, second = await line.get("AddBot"), await line.get("Nudge")
        refused = {"type": "ActionFailed", "code": "not_allowed_now", "reason": "Not now."}
        await line.put({"id": second["id"], **refused}, {"id": first["id"], "type": "Done"})
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        bot, nudge = await asyncio.gather(client.add_bot(), client.nudge(), return_exceptions=True)
        assert bot is None
        assert isinstance(nudge, Refused)
        assert (nudge.code, nudge.reason, str(nudge)) == ("not_allowed_now", "Not now.", "Not now.")


async def test_who_cannot_come_in_is_told_the_code_and_the_sentence() -> None:
    async def script(line: Line) -> None:
        await line.put(WELCOME)
        said = {"type": "PlayerJoinRejected", "reason": "UsernameTaken", "message": "Taken."}
        await line.answer("JoinGame", said)
        await line.socket.wait_closed()

    async with served(script) as url, Client(f"{url}/t/K7QX2/") as client:
        with pytest.raises(Rejected, match=r"Taken\.") as caught:
            await client.join(name="bob")
        assert caught.value.code == "UsernameTaken"


@pytest.mark.parametrize("code", [1001, 1012, 1011, None])
async def test_a_lost_connection_is_taken_up_again_by_the_token(code: int | None) -> None:
    async def first(line: Line) -> None:
        assert (await line.seat(sync()))["username"] == "bob"
        await (line.break_off() if code is None else line.socket.close(code))

    async def second(line: Line) -> None:
        assert line.bearer == "Bearer secret"
        packet = await line.seat(OVER)
        assert packet["room"] == "K7QX2"
        assert "username" not in packet
        await line.socket.wait_closed()

    async with served(first, second) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        assert await client.play(rolling) == {"winners": ["bob"]}


@pytest.mark.parametrize("code", [4001, 4003, 4008, 4321, 1000, 1009])
async def test_a_connection_that_was_ended_on_purpose_stays_ended(code: int) -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        await line.socket.close(code)

    async def never(line: Line) -> None:
        raise AssertionError("the client reconnected")

    async with served(script, never) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Ended) as caught:
            await client.play(rolling)
        assert caught.value.code == code
        with pytest.raises(Ended):
            await client.chat("hello?")


async def test_who_is_kicked_hears_why() -> None:
    async def script(line: Line) -> None:
        left = {"type": "PlayerLeft", "username": "bob", "reason": "kicked"}
        alert = {"type": "ShowAlert", "level": "warning", "message": "The host has had enough."}
        await line.seat(sync())
        await line.answer("AddBot")
        await line.put(left, alert)
        await line.socket.close(4003)

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.add_bot()
        with pytest.raises(Ended, match="The host has had enough") as caught:
            await client.play(rolling)
        assert caught.value.code == 4003


async def test_who_lost_the_chair_meanwhile_is_not_left_waiting() -> None:
    async def first(line: Line) -> None:
        await line.seat(sync())
        await line.socket.close(1012)

    async def second(line: Line) -> None:
        await line.put(WELCOME)
        said = {"type": "PlayerJoinRejected", "reason": "InvalidRoom", "message": "Gone."}
        await line.answer("JoinGame", said)
        await line.socket.wait_closed()

    async with served(first, second) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Rejected, match="Gone"):
            await client.play(rolling)


async def test_a_program_stopped_while_it_comes_in_leaves_the_seat_it_may_have() -> None:
    asked, left = asyncio.Event(), asyncio.Event()

    async def script(line: Line) -> None:
        await line.put(WELCOME)
        await line.get("JoinGame")
        asked.set()
        await line.answer("LeaveGame")
        left.set()

    async with served(script) as url:
        playing = asyncio.create_task(play(rolling, url, room="K7QX2", name="bob"))
        await asyncio.wait_for(asked.wait(), LIMIT)
        playing.cancel()
        await asyncio.wait_for(left.wait(), LIMIT)
        with pytest.raises(asyncio.CancelledError):
            await playing


async def test_it_gives_up_when_patience_is_over() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        await line.socket.close(1012)

    async def gone(line: Line) -> None:
        await line.break_off()

    async with served(script, *[gone] * 50) as url, Client(url, patience=0.05) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Unreachable, match="Giving up"):
            await client.play(rolling)


async def test_every_move_carries_the_number_of_its_question() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == 7
        await line.put(sync(8, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == 8
        await line.put(OVER)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


async def test_a_question_that_stands_is_asked_once_and_a_stale_answer_does_no_harm() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]), sync(7, [ROLL]))
        stale = {"type": "ActionFailed", "code": "stale", "reason": "Too late."}
        await line.answer("Roll", stale)
        await line.put(sync(7, [ROLL]), sync(8, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == 8
        await line.put(OVER)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


async def test_a_move_that_got_lost_is_thought_about_again_if_the_question_stands() -> None:
    async def first(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.get("Roll")
        await line.break_off()

    async def second(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == 7
        await line.put(OVER)
        await line.socket.wait_closed()

    async with served(first, second) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


async def test_a_move_that_got_through_before_the_line_broke_is_not_made_twice() -> None:
    async def first(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.get("Roll")
        await line.break_off()

    async def second(line: Line) -> None:
        await line.seat(sync(8, []), OVER)
        await line.socket.wait_closed()

    async with served(first, second) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


async def test_a_request_under_way_says_that_the_connection_was_lost() -> None:
    async def first(line: Line) -> None:
        await line.seat(sync())
        await line.get("SendNewChatMessage")
        await line.break_off()

    async def second(line: Line) -> None:
        await line.seat(sync())
        await line.answer("SendNewChatMessage")
        await line.socket.wait_closed()

    async with served(first, second) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(ConnectionLost):
            await client.chat("hello")
        await client.chat("hello?")


async def test_without_a_table_nothing_is_waited_for() -> None:
    async def script(line: Line) -> None:
        await line.put(WELCOME)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        with pytest.raises(ValueError, match="Join a table first"):
            await client.play(rolling)
        with pytest.raises(ValueError, match="which table"):
            await client.join()


async def test_a_busy_house_is_asked_again() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.answer("Roll", {"type": "ActionFailed", "code": "busy", "reason": "Busy."})
        await line.answer("Roll")
        await line.put(OVER)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


async def test_a_move_that_is_not_offered_is_the_author_s_to_know() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(ValueError, match=r"See\(\) is not among the offers"):
            await client.play(lambda decision: Move("See", {}))


async def test_a_bot_may_be_async_and_may_leave_a_question_alone() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]), sync(8, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == 8
        await line.put(OVER)
        await line.socket.wait_closed()

    async def bot(decision: Decision) -> Move | None:
        await asyncio.sleep(0)
        return decision.choose("Roll") if decision.prompt == 8 else None

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(bot)


async def test_a_late_comer_hears_the_story_before_it_decides() -> None:
    events = [{"type": "PlayerRolls", "username": "ann", "version": at} for at in (1, 2)]

    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL], version=2))
        acts = [{"version": at, "events": [event]} for at, event in enumerate(events, 1)]
        asked = await line.answer("LogRequest", {"type": "Log", "matchId": 1, "acts": acts})
        assert asked["since"] == 0
        empty: Json = {"type": "Log", "matchId": 1, "acts": []}
        assert (await line.answer("LogRequest", empty))["since"] == 2
        await line.answer("Roll")
        await line.put(OVER)
        await line.socket.wait_closed()

    heard = []

    def bot(decision: Decision) -> Move:
        heard.extend(decision.heard)
        return decision.choose("Roll")

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(bot)
    assert heard == events


@pytest.mark.parametrize(
    ("welcome", "sentence"),
    [
        ({"type": "Welcome", "protocol": 2}, "speaks protocol 2"),
        ({"type": "Hello"}, "is not a Parlour server"),
        ([], "is not a Parlour server"),
    ],
)
async def test_another_server_is_no_parlour(welcome: Any, sentence: str) -> None:
    async def script(line: Line) -> None:
        await line.put(welcome)
        await line.socket.wait_closed()

    async with served(script) as url:
        with pytest.raises(Unreachable, match=sentence):
            await Client(url).__aenter__()


async def test_a_close_that_no_packet_explains_is_no_traceback() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        await line.socket.send("not JSON")
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Exception, match="could not be understood"):
            await client.play(rolling)


async def test_not_more_goes_out_than_a_server_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(pace_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(pace_module, "sleep", sleep)
    pace, went = Pace(rate=10), []
    for _ in range(BURST + 30):
        await pace.take()
        went.append(now[0])
    assert went[BURST - 1] == 0
    assert went[-1] == pytest.approx(3.0)
    free = Pace(rate=0)
    for _ in range(1000):
        await free.take()
    assert now[0] == pytest.approx(3.0)


def test_pauses_grow_and_are_uneven_and_end_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "FIRST", 1.0)
    coming = back_off()
    pauses = [next(coming) for _ in range(12)]
    assert 0.5 <= pauses[0] <= 1
    assert 4 <= pauses[3] <= 8
    assert max(pauses) <= LONGEST
    assert len(set(pauses)) == len(pauses)
