"""The client with a scripted server: what it sends, and when it reconnects or stops."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

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
from parlour_client.faults import MOST
from parlour_client.pace import BURST, LONGEST, Pace, back_off
from tests.kit.scripted_server import LIMIT, OVER, ROLL, WELCOME, Line, served, sync


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "FIRST", 0.01)


def rolling(decision: Decision) -> Move:
    return decision.choose("Roll")


async def test_responses_are_matched_to_requests_in_any_order() -> None:
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


async def test_rejected_join_raises_the_code_and_message() -> None:
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
async def test_client_resumes_a_lost_connection_with_its_token(code: int | None) -> None:
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
async def test_client_does_not_reconnect_after_a_deliberate_close(code: int) -> None:
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


async def test_kicked_client_raises_the_reason() -> None:
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


async def test_play_fails_if_the_client_cannot_rejoin() -> None:
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


async def test_program_cancelled_while_joining_leaves_its_seat() -> None:
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


async def test_client_gives_up_when_its_patience_is_exhausted() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        await line.socket.close(1012)

    async def gone(line: Line) -> None:
        await line.break_off()

    async with served(script, *[gone] * 50) as url, Client(url, patience=0.05) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Unreachable, match="Giving up"):
            await client.play(rolling)


async def test_every_move_carries_its_prompt_number() -> None:
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


async def test_bot_decides_once_per_prompt_and_stale_answers_are_harmless() -> None:
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


async def test_lost_move_is_decided_again_if_the_prompt_is_still_open() -> None:
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


async def test_move_received_before_a_disconnect_is_not_repeated() -> None:
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


async def test_pending_request_fails_if_the_connection_is_lost() -> None:
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


async def test_playing_or_joining_without_a_table_fails_at_once() -> None:
    async def script(line: Line) -> None:
        await line.put(WELCOME)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        with pytest.raises(ValueError, match="Join a table first"):
            await client.play(rolling)
        with pytest.raises(ValueError, match="which table"):
            await client.join()


async def test_client_retries_when_the_server_is_busy() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.answer("Roll", {"type": "ActionFailed", "code": "busy", "reason": "Busy."})
        await line.answer("Roll")
        await line.put(OVER)
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(rolling)


def broken(decision: Decision) -> Move:
    raise KeyError("a mistake of its author")


def cheating(decision: Decision) -> Move:
    return Move("See", {})


def careless(decision: Decision) -> Any:
    return "Roll"


async def asking(line: Line, times: int) -> None:
    """Ask for a roll this many times. Then end the match."""
    await line.seat()
    for prompt in range(1, times + 1):
        await line.put(sync(prompt, [ROLL]))
        assert (await line.answer("Roll"))["prompt"] == prompt
    await line.put(OVER)
    await line.socket.wait_closed()


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (broken, "a mistake of its author"),
        (cheating, "See() is not among the offers"),
        (careless, "Roll is not among the offers"),
    ],
)
async def test_failing_bot_makes_random_moves_and_is_logged_once(
    bot: Any, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(partial(asking, times=MOST - 1)) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        assert await client.play(bot) == {"winners": ["bob"]}
    (record,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert record.exc_info is not None
    assert said in str(record.exc_info[1])


async def test_every_kind_of_error_of_a_bot_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    bots = {1: broken, 2: cheating, 3: broken}
    async with served(partial(asking, times=3)) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(lambda decision: bots[decision.prompt](decision))
    assert [record.levelname for record in caplog.records].count("ERROR") == 2


async def test_errors_of_the_client_in_two_lines_of_a_bot_are_two_kinds(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def bot(decision: Decision) -> Move:
        if decision.prompt == 1:
            return decision.choose("See")
        return decision.choose("Announce")

    async with served(partial(asking, times=3)) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        await client.play(bot)
    assert [record.levelname for record in caplog.records].count("ERROR") == 2


async def test_twentieth_error_of_a_bot_ends_its_match() -> None:
    async def script(line: Line) -> None:
        await line.seat()
        for prompt in range(1, MOST):
            await line.put(sync(prompt, [ROLL]))
            await line.answer("Roll")
        await line.put(sync(MOST, [ROLL]))
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(KeyError, match="a mistake"):
            await client.play(broken)


@pytest.mark.parametrize(("bot", "error"), [(broken, KeyError), (cheating, ValueError)])
async def test_strict_client_raises_the_first_error_of_a_bot(
    bot: Any, error: type[Exception]
) -> None:
    async def script(line: Line) -> None:
        await line.seat(sync(7, [ROLL]))
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(error):
            await client.play(bot, strict=True)


async def test_bot_may_be_async_and_may_skip_a_prompt() -> None:
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


async def test_latecomer_gets_earlier_events_before_deciding() -> None:
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
async def test_incompatible_server_is_rejected(welcome: Any, sentence: str) -> None:
    async def script(line: Line) -> None:
        await line.put(welcome)
        await line.socket.wait_closed()

    async with served(script) as url:
        with pytest.raises(Unreachable, match=sentence):
            await Client(url).__aenter__()


async def test_unreadable_packet_raises_a_clear_error() -> None:
    async def script(line: Line) -> None:
        await line.seat(sync())
        await line.socket.send("not JSON")
        await line.socket.wait_closed()

    async with served(script) as url, Client(url) as client:
        await client.join("K7QX2", "bob")
        with pytest.raises(Exception, match="could not be understood"):
            await client.play(rolling)


async def test_client_limits_its_request_rate(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_backoff_grows_with_jitter_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "FIRST", 1.0)
    coming = back_off()
    pauses = [next(coming) for _ in range(12)]
    assert 0.5 <= pauses[0] <= 1
    assert 4 <= pauses[3] <= 8
    assert max(pauses) <= LONGEST
    assert len(set(pauses)) == len(pauses)
