"""The server dies and comes back, programs too; at the table nobody notices but by the pause."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from parlour_client import Client, Decision, Ended, Json, Move, Rejected
from tests.programs.conftest import PATIENCE
from tests.programs.test_examples import node
from tests.served import ROOT, Served


@pytest.fixture
async def mortal(tmp_path: Path) -> AsyncIterator[Served]:
    """A Parlour of one's own, that may be killed."""
    server = Served(tmp_path, BOT_DELAY="0.02", WS_BURST="0")
    await asyncio.to_thread(server.manage, "prepare")
    await asyncio.to_thread(server.start)
    yield server
    await asyncio.to_thread(server.stop)


async def kill_and_start(server: Served, how: int = signal.SIGKILL) -> None:
    await asyncio.to_thread(server.stop, how)
    await asyncio.to_thread(server.start)


def counting(asked: list[Decision]) -> Callable[[Decision], Move | None]:
    def bot(decision: Decision) -> Move | None:
        asked.append(decision)
        return decision.random()

    return bot


async def story(client: Client) -> list[Json]:
    """The whole match as the server's log tells it to this client."""
    events: list[Json] = []
    since = 0
    while acts := (await client.request("LogRequest", since=since))["acts"]:
        events += [event for act in acts for event in act["events"]]
        since = acts[-1]["version"]
    return events


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_match_goes_on_after_the_server_was_killed(mortal: Served, how: int) -> None:
    asked: list[Decision] = []
    async with asyncio.timeout(PATIENCE), Client(mortal.url, rate=0) as client:
        await client.host("mia", "ann", options={"lives": 9})
        for _ in range(3):
            await client.add_bot("normal")
        await client.start()
        playing = asyncio.create_task(client.play(counting(asked)))
        for moves in (4, 8):
            await client.until(lambda data, moves=moves: len(asked) >= moves)  # type: ignore[misc]
            await kill_and_start(mortal, how)
        outcome = await playing
        assert outcome["reason"] == "last_alive"
        assert len({decision.prompt for decision in asked}) >= 8
        assert client.heard == await story(client)
        assert client.me == "ann"


async def test_the_javascript_example_comes_back_too(mortal: Served) -> None:
    async with asyncio.timeout(PATIENCE), Client(mortal.url, rate=0) as host:
        code = await host.host("mia", "ann", options={"lives": 4})
        script = [node(), "--experimental-websocket", "examples/random_bot.js", mortal.url, code]
        program = await asyncio.create_subprocess_exec(
            *script, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        try:
            await host.until(lambda data: len(data["players"]) == 2)
            await host.start()
            asked: list[Decision] = []
            playing = asyncio.create_task(host.play(counting(asked)))
            await host.until(lambda data: len(asked) > 3)
            await kill_and_start(mortal)
            assert "Nora" in str((await playing)["places"])
            assert program.stdout is not None
            said = [await program.stdout.readline() for _ in range(3)]
            assert said[0] == said[1] == f"Nora sits at {code}.\n".encode()
            assert said[2].startswith(b"match 1: ")
        finally:
            program.kill()
            await program.communicate()


async def test_a_program_that_stopped_comes_back_to_its_seat_by_its_token(house: Served) -> None:
    first = Client(house.url, rate=0)
    async with first:
        code = await first.host("coup", "ann", password="dragon")
        await first.add_bot("random")
        await first.start()
        before = await first.until(lambda data: data["status"] == "playing")
    async with Client(house.url, token=first.token, rate=0) as again:
        assert again.me == "ann"
        assert await again.join(code) == code
        now = await again.until(lambda data: data["status"] == "playing")
        assert now["matchId"] == before["matchId"]
        assert now["view"]["hand"] == before["view"]["hand"] or now["version"] > before["version"]
        assert again.heard[: len(first.heard)] == first.heard
        outcome = await again.play(lambda decision: decision.random())
        assert "ann" in str(outcome["places"])
        await again.leave()
        assert again.room is None


async def test_two_programs_of_one_guest_share_the_seat(house: Served) -> None:
    async with Client(house.url) as one:
        code = await one.host("mia", "ann")
        async with Client(house.url, token=one.token) as two:
            await two.join(code)
            data = await one.until(lambda data: True)
            assert [player["username"] for player in data["players"]] == ["ann"]
            assert two.data["you"] == "ann"


async def test_who_is_kicked_hears_it_and_stays_away(house: Served) -> None:
    async with Client(house.url) as host, Client(house.url) as guest:
        code = await host.host("mia", "ann")
        await guest.join(code, "bob")
        waiting = asyncio.create_task(guest.play(lambda decision: decision.random()))
        await host.kick("bob")
        with pytest.raises(Ended) as caught:
            await waiting
        assert caught.value.code == 4003
        assert "away" in str(caught.value) or str(caught.value).endswith(".")
        async with Client(house.url, token=guest.token) as again:
            with pytest.raises(Rejected) as rejected:
                await again.join(code)
            assert rejected.value.code == "Kicked"


async def test_a_bad_token_is_no_reason_to_try_again(house: Served) -> None:
    with pytest.raises(Ended, match="unknown or has expired"):
        await Client(house.url, token="nonsense").__aenter__()


async def test_a_flood_is_held_back_where_the_server_would_end_it(tmp_path: Path) -> None:
    strict = Served(tmp_path, WS_BURST="40", WS_RATE="20")
    await asyncio.to_thread(strict.manage, "prepare")
    await asyncio.to_thread(strict.start)
    try:
        async with Client(strict.url) as client:
            await client.host("mia", "ann")
            await asyncio.gather(*(client.request("GameDataRequest") for _ in range(80)))
    finally:
        await asyncio.to_thread(strict.stop)


async def test_a_match_played_again_asks_again(house: Served) -> None:
    async with Client(house.url, rate=0) as client:
        await client.host("mia", "ann", options={"lives": 1})
        await client.add_bot("random")
        ids = []
        for _ in range(3):
            await client.play_again()
            await client.play(lambda decision: decision.random())
            ids.append(client.data["matchId"])
        assert len(set(ids)) == 3
        assert sum(client.data["standings"].values()) == 3


async def test_who_watches_sees_the_end(house: Served) -> None:
    async with Client(house.url, rate=0) as host, Client(house.url) as watcher:
        code = await host.host("mia", "ann", options={"lives": 1})
        await host.add_bot("random")
        await watcher.join(code, "eve", spectate=True)
        await host.start()
        seen = asyncio.create_task(watcher.play(lambda decision: decision.random()))
        outcome = await host.play(lambda decision: decision.random())
        assert (await seen)["winners"] == outcome["winners"]
