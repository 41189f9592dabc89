"""The server or programs die and restart, and players notice only a pause."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from parlour_client import Client, Decision, Ended, Json, Misused, Move, play
from tests.kit.programs import PATIENCE, environment, finished, node
from tests.kit.served import ROOT, Served

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that a test may kill. It is running again when the test ends."""
    server = Served(tmp_path_factory.mktemp("mortal"), BOT_DELAY="0.02", WS_BURST="0")
    server.prepare()
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses between the client's retries.

    test_client.py tests that these pauses grow.
    """
    monkeypatch.setattr("parlour_client.pace.LONGEST", 0.3)


SHORT = {"lives": 1}


def at_random(decision: Decision) -> Move | None:
    return decision.random()


async def kill_and_start(server: Served) -> None:
    await asyncio.to_thread(server.stop, signal.SIGKILL)
    await asyncio.to_thread(server.start)


def counting(asked: list[Decision]) -> Callable[[Decision], Move | None]:
    def bot(decision: Decision) -> Move | None:
        asked.append(decision)
        return decision.random()

    return bot


async def story(client: Client) -> list[Json]:
    """Return the whole match from the server's log, as this client may see it."""
    events: list[Json] = []
    since = 0
    while acts := (await client.request("LogRequest", since=since))["acts"]:
        events += [event for act in acts for event in act["events"]]
        since = acts[-1]["version"]
    return events


async def test_match_continues_after_the_server_was_killed(mortal: Served) -> None:
    asked: list[Decision] = []
    async with asyncio.timeout(PATIENCE), Client(mortal.url, rate=0) as client:
        await client.host("mia", "ann", options={"lives": 9})
        for _ in range(3):
            await client.add_bot("normal")
        await client.start()
        playing = asyncio.create_task(client.play(counting(asked)))
        for moves in (4, 8):
            await client.until(lambda data, moves=moves: len(asked) >= moves)  # type: ignore[misc]
            await kill_and_start(mortal)
        outcome = await playing
        assert outcome["reason"] == "last_alive"
        assert len({decision.prompt for decision in asked}) >= 8
        assert client.heard == await story(client)
        assert client.me == "ann"


async def test_javascript_example_reconnects_after_a_restart(mortal: Served) -> None:
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


async def test_restarted_program_returns_to_its_seat_with_its_token(server: Served) -> None:
    first = Client(server.url, rate=0)
    async with first:
        code = await first.host("coup", "ann", password="dragon")
        await first.add_bot("random")
        await first.start()
        before = await first.until(lambda data: data["status"] == "playing")
    async with Client(server.url, token=first.token, rate=0) as again:
        assert again.me == "ann"
        assert await again.join(code) == code
        now = await again.until(lambda data: data["status"] == "playing")
        assert now["matchId"] == before["matchId"]
        assert now["view"]["hand"] == before["view"]["hand"] or now["version"] > before["version"]
        assert again.heard[: len(first.heard)] == first.heard
        outcome = await again.play(at_random)
        assert "ann" in str(outcome["places"])
        await again.leave()
        assert again.room is None


async def test_client_can_play_several_matches_in_a_row(server: Served) -> None:
    async with Client(server.url, rate=0) as client:
        await client.host("mia", "ann", options={"lives": 1})
        await client.add_bot("random")
        ids = []
        for _ in range(3):
            await client.play_again()
            await client.play(at_random)
            ids.append(client.data["matchId"])
        assert len(set(ids)) == 3
        assert sum(client.data["standings"].values()) == 3


async def test_strict_bot_that_fails_leaves_its_seat_and_raises_its_error(server: Served) -> None:
    async with Client(server.url, rate=0) as host:
        code = await host.host("mia", "ann")

        def broken(decision: Decision) -> Move:
            raise KeyError("a mistake of its author")

        failing = asyncio.create_task(play(broken, server.url, room=code, name="bob", strict=True))
        await host.until(lambda data: len(data["players"]) == 2)
        await host.start()
        outcome = await host.play(at_random)
        assert outcome["winners"] == ["ann"]
        with pytest.raises(KeyError, match="a mistake"):
            await failing


async def test_program_stopped_by_a_signal_leaves_the_table(server: Served) -> None:
    async with asyncio.timeout(PATIENCE), Client(server.url, rate=0) as host:
        code = await host.host("mia", "ann")
        args = ["-m", "examples.mia_bot", "--room", code, "--name", "bob"]
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, *args),
            cwd=ROOT,
            env=environment(server.url),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert program.stdout is not None  # others may see it sit first
        assert (await program.stdout.readline()).startswith(b"bob sits at ")
        await host.until(lambda data: len(data["players"]) == 2)
        program.send_signal(signal.SIGTERM)
        _, said = await program.communicate()
        assert (program.returncode, said) == (130, b"")
        await host.until(lambda data: len(data["players"]) == 1)


async def test_bot_leaves_a_table_of_another_game(server: Served) -> None:
    async with Client(server.url, rate=0) as host:
        code = await host.host("mia", "ann")
        with pytest.raises(Misused, match="This bot plays coup"):
            await play(at_random, server.url, room=code, name="bob", game="coup")
        await host.until(lambda data: len(data["players"]) == 1)
        assert "PlayerLeft" in [packet["type"] async for packet in some(host)]


async def some(client: Client) -> AsyncIterator[Json]:
    """Return the packets up to the one that reports that a player has left."""
    async for packet in client:
        yield packet
        if packet["type"] == "PlayerLeft":
            return


async def test_play_ends_if_the_user_leaves_through_another_connection(server: Served) -> None:
    async with Client(server.url) as one:
        code = await one.host("mia", "ann")
        waiting = asyncio.create_task(one.play(at_random))
        async with Client(server.url, token=one.token) as two:
            await two.join(code)
            await two.leave()
        with pytest.raises(Ended, match="another connection"):
            await waiting


async def test_hosting_bot_waits_for_players_and_plays_with_them(server: Served) -> None:
    async with asyncio.timeout(PATIENCE):
        codes: asyncio.Queue[str] = asyncio.Queue()

        def seated(client: Client) -> None:
            codes.put_nowait(str(client.room))

        bot = asyncio.create_task(
            play(at_random, server.url, host="mia", players=3, options=SHORT, seated=seated, rate=0)
        )
        code = await codes.get()
        async with Client(server.url, rate=0) as ann, Client(server.url, rate=0) as eve:
            for client, name in ((ann, "ann"), (eve, "eve")):
                await client.join(code, name)
            ends = await asyncio.gather(ann.play(at_random), eve.play(at_random), bot)
        assert ends[0] == ends[1]
        assert ends[0]["winners"] == ends[2][0]["winners"]


TOKEN = """
from accounts.models import User
from accounts.tokens import make
print(make(User.objects.create_user("owner", name="Olga", is_guest=False)))
"""


async def test_account_token_can_play_if_guests_are_disabled(tmp_path: Path) -> None:
    closed = Served(tmp_path, GUESTS="off", WS_BURST="0")
    await asyncio.to_thread(closed.prepare)
    token = (await asyncio.to_thread(closed.manage, "shell", "-c", TOKEN)).split()[-1]
    await asyncio.to_thread(closed.start)
    try:
        how = ["-m", "examples.mia_bot", "--host", "--bots", "1", "--options", '{"lives": 1}']
        refused = await asyncio.to_thread(finished, *how, url=closed.url)
        assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
        assert "/you/" in refused.stderr
        played = await asyncio.to_thread(finished, *how, "--token", token, url=closed.url)
        assert played.returncode == 0, played.stderr
    finally:
        await asyncio.to_thread(closed.stop)
