"""A program on the ladder of a scripted server plays what it is given until it is stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from parlour_client import Decision, Ended, Json, Misused, Move, Refused, Unreachable, play_ladder
from parlour_client import ladder as ladder_module
from parlour_client import pace as pace_module
from tests.kit.programs import PATIENCE, environment, finished, node
from tests.kit.scripted_server import ROLL, WELCOME, Line, served, sync
from tests.kit.served import ROOT, Served
from tests.kit.waiting import BETWEEN

HELLO: Json = {**WELCOME, "username": "Nemo v1", "games": [{"slug": "coup"}, {"slug": "mia"}]}
PLACES = [["eve"], ["bob", "ann"]]


def over(**data: Any) -> Json:
    outcome = {"winners": ["eve"], "places": PLACES, "reason": "last_alive"}
    return sync(status="finished", outcome=outcome, **data)


def table(room: str, again: bool = False) -> Json:
    return {"type": "TableStart", "room": room, "game": "mia", "again": again}


async def available(line: Line) -> Json:
    """Read which games a program plays."""
    await line.put(HELLO)
    return await line.answer("SetAvailable")


async def stopped(line: Line) -> None:
    """Read that a program wants no more matches."""
    assert (await line.answer("SetAvailable"))["games"] == []
    await line.socket.wait_closed()


async def match(line: Line) -> None:
    """Play a match with one question."""
    await line.seat(sync(offers=[ROLL]))
    await line.answer("Roll")
    await line.put(over(prompt=2))
    await line.socket.wait_closed()


def rolling(decision: Decision) -> Move:
    return decision.choose("Roll")


class Told:
    """What a program says about its tables. When it has said `until`, it is stopped."""

    def __init__(self, until: str = "place") -> None:
        self.said: list[str] = []
        self.stop = asyncio.Event()
        self._until, self._news = until, asyncio.Event()

    def __call__(self, sentence: str) -> None:
        self.said.append(sentence)
        self._news.set()
        if self._until in sentence:
            self.stop.set()

    async def heard(self, words: str) -> None:
        """Wait until it has said these words."""
        while not any(words in sentence for sentence in self.said):
            self._news.clear()
            await self._news.wait()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace_module, "FIRST", 0.01)


async def test_busy_server_is_asked_again() -> None:
    busy = {"type": "ActionFailed", "code": "busy", "reason": "Busy."}

    async def control(line: Line) -> None:
        await line.put(HELLO)
        await line.answer("SetAvailable", busy)
        await line.answer("SetAvailable", busy)
        await line.answer("SetAvailable")
        await line.put(table("K7QX2"))
        await stopped(line)

    async def refused_once(line: Line) -> None:
        await line.put(WELCOME)
        await line.answer("JoinGame", busy)
        joined = {"type": "GameRejoined", "room": "K7QX2", "username": "bob"}
        await line.answer("JoinGame", joined)
        await line.put(sync(offers=[ROLL]))
        await line.answer("Roll")
        await line.put(over(prompt=2))
        await line.socket.wait_closed()

    told = Told()
    async with served(control, refused_once) as url:
        await play_ladder(rolling, url, token="x", stop=told.stop, tell=told)
    assert any("place" in sentence for sentence in told.said)


async def test_program_plays_the_tables_it_is_given() -> None:
    async def control(line: Line) -> None:
        packet = await available(line)
        assert (packet["games"], packet["tables"]) == (["mia"], 3)
        assert line.bearer == "Bearer secret"
        await line.put(table("K7QX2"))
        await stopped(line)

    tell = Told()
    async with served(control, match) as url:
        how: Any = {"games": ["mia"], "tables": 3, "stop": tell.stop, "tell": tell}
        await play_ladder(rolling, url, token="secret", **how)
        assert tell.said == [
            "Nemo v1 waits for matches of mia. Stop it with Ctrl-C.",
            f"mia: playing at {url}/t/K7QX2/",
            f"mia: place 2 of 3. {url}/matches/1/",
        ]


async def test_program_offers_all_games_of_the_server() -> None:
    async def control(line: Line) -> None:
        assert (await available(line))["games"] == ["coup", "mia"]
        await stopped(line)

    tell = Told("waits")
    async with served(control) as url:
        await play_ladder(rolling, url, token="secret", stop=tell.stop, tell=tell)


async def test_program_returns_after_a_restart_and_continues_its_match() -> None:
    restarted = asyncio.Event()

    async def control(line: Line) -> None:
        await available(line)
        await line.put(table("K7QX2"))
        await restarted.wait()
        await line.break_off()

    async def interrupted(line: Line) -> None:
        await line.seat(sync())
        restarted.set()
        await line.break_off()

    async def later(line: Line) -> None:
        """Either of the two connections, in any order."""
        await line.put(HELLO)
        packet = await line.next()
        await line.put({"id": packet["id"], **JOINED.get(packet["type"], {"type": "Done"})})
        if packet["type"] == "SetAvailable":
            await line.put(table("K7QX2", again=True))
            await stopped(line)
        else:
            await line.put(over())
            await line.socket.wait_closed()

    tell = Told()
    async with served(control, interrupted, later, later) as url:
        await play_ladder(rolling, url, token="secret", stop=tell.stop, tell=tell)
    assert sum("playing at" in said for said in tell.said) == 1


JOINED = {"JoinGame": {"type": "GameRejoined", "room": "K7QX2", "username": "bob"}}


async def test_bot_that_fails_loses_only_its_match(caplog: pytest.LogCaptureFixture) -> None:
    first, second = asyncio.Event(), asyncio.Event()

    async def control(line: Line) -> None:
        await available(line)
        for room, wanted in (("AAAAA", first), ("BBBBB", second)):
            await line.put(table(room))
            await wanted.wait()
        await stopped(line)

    async def lost(line: Line) -> None:
        await line.seat(sync(offers=[ROLL]))
        await line.socket.wait_closed()
        first.set()

    async def played(line: Line) -> None:
        second.set()
        await match(line)

    def bot(decision: Decision) -> Move:
        if not first.is_set():
            raise KeyError("a mistake of its author")
        return rolling(decision)

    tell = Told()
    async with served(control, lost, played) as url:
        await play_ladder(bot, url, token="secret", strict=True, stop=tell.stop, tell=tell)
    assert "a mistake of its author" in caplog.text
    assert "place 2 of 3" in tell.said[-1]


async def test_running_matches_are_finished_before_the_program_stops() -> None:
    tell, gone = Told("playing at"), asyncio.Event()

    async def control(line: Line) -> None:
        await available(line)
        await line.put(table("K7QX2"))
        assert (await line.answer("SetAvailable"))["games"] == []
        gone.set()
        await line.socket.wait_closed()

    async def long_match(line: Line) -> None:
        await line.seat(sync())
        await gone.wait()
        await line.put(over())
        await line.socket.wait_closed()

    async with served(control, long_match) as url:
        await play_ladder(rolling, url, token="secret", stop=tell.stop, tell=tell)
    assert "matches (1)" in tell.said[-2]
    assert "place 2 of 3" in tell.said[-1]


async def test_closed_table_without_a_result_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_module, "SOON", 0.01)
    tell = Told("never")

    async def control(line: Line) -> None:
        await available(line)
        await line.put(table("K7QX2"))
        await seated.wait()
        await line.put({"type": "TableEnd", "room": "K7QX2", "match": None})
        await stopped(line)

    seated = asyncio.Event()

    async def closed(line: Line) -> None:
        await line.seat(sync(status="open", matchId=None))
        seated.set()
        await line.socket.wait_closed()
        tell.stop.set()

    async with served(control, closed) as url:
        await play_ladder(rolling, url, token="secret", stop=tell.stop, tell=tell)


async def test_withdrawn_token_ends_the_program() -> None:
    async def control(line: Line) -> None:
        await available(line)
        await line.socket.close(4001)

    async with served(control) as url:
        with pytest.raises(Ended, match="token"):
            await play_ladder(rolling, url, token="secret")


async def test_token_of_a_person_is_refused() -> None:
    async def control(line: Line) -> None:
        await line.put(HELLO)
        refused = {"type": "ActionFailed", "code": "programs_only", "reason": "Not possible."}
        await line.answer("SetAvailable", refused)
        await line.socket.wait_closed()

    async with served(control) as url:
        with pytest.raises(Refused, match="Not possible"):
            await play_ladder(rolling, url, token="secret")


async def test_misuse_is_reported_before_anything_is_offered() -> None:
    async def control(line: Line) -> None:
        await line.put(HELLO)
        await line.socket.wait_closed()

    with pytest.raises(Misused, match="1 to 20"):
        await play_ladder(rolling, "http://127.0.0.1:1", token="secret", tables=21)
    with pytest.raises(Unreachable):
        await play_ladder(rolling, "http://127.0.0.1:1", token="secret")
    async with served(control) as url:
        with pytest.raises(Misused, match="no chess"):
            await play_ladder(rolling, url, token="secret", games=["chess"])


async def test_command_plays_the_bot_of_a_file_until_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("def bot(decision):\n    return decision.choose('Roll')\n")

    async def control(line: Line) -> None:
        assert (await available(line))["games"] == ["mia"]
        await line.put(table("K7QX2"))
        await stopped(line)

    async with served(control, match) as url:
        how = ["mybot.py", "--ladder", "mia", "--token", "secret"]
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "parlour_client", *how),
            cwd=tmp_path,
            env=environment(url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert program.stdout is not None
        said = [(await program.stdout.readline()).decode() for _ in range(3)]
        assert said[2].startswith("mia: place 2 of 3. ")
        program.send_signal(signal.SIGINT)
        assert await program.communicate() == (b"", b"")
        assert program.returncode == 130


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "There is no file mybot.py.\n"),
        ("x = 1", "mybot.py has no function bot(decision).\n"),
        ("def bot(decision):\n    return None\n", "Give the token of your program"),
    ],
)
def test_command_explains_mistakes(tmp_path: Path, source: str | None, said: str) -> None:
    if source is not None:
        (tmp_path / "mybot.py").write_text(source)
    how = ["-m", "parlour_client", "mybot.py", "--ladder"]
    done = finished(*how, url="http://127.0.0.1:1", folder=tmp_path)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith(said)


MAKE = """
from accounts.models import User
from games.models import ProgramVersion
from games.rooms.programs import make_program, make_version
for name in {names}:
    owner = User.objects.create_user(f"author of {{name}}", is_guest=False)
    version, token = make_version(owner.pk, make_program(owner.pk, name).result().pk).result()
    ProgramVersion.objects.filter(pk=version.pk).update(state={state!r})
    print(token)
"""


def server_with_ladder(folder: Path, names: list[str], state: str) -> tuple[Served, list[str]]:
    """Start a server. Return it with the tokens of versions of these programs."""
    server = Served(folder, LADDER="on", WS_BURST="0", BOT_DELAY="0.02")
    server.prepare()
    said = server.manage("shell", "-c", MAKE.format(names=names, state=state))
    server.start()
    return server, said.split()[-len(names) :]


@pytest.mark.slow
async def test_program_plays_on_a_real_server_through_a_restart(tmp_path: Path) -> None:
    made = await asyncio.to_thread(server_with_ladder, tmp_path, ["Nemo"], "checking")
    server, (token,) = made
    tell = Told("place")
    try:
        async with asyncio.timeout(PATIENCE):
            how: Any = {"games": ["mia"], "stop": tell.stop, "tell": tell}
            playing = asyncio.create_task(play_ladder(at_random, server.url, token=token, **how))
            await tell.heard("playing at")
            await asyncio.to_thread(server.stop, signal.SIGKILL)
            await asyncio.to_thread(server.start)
            await playing
    finally:
        await asyncio.to_thread(server.stop)
    assert tell.said[0].startswith("Nemo v1 waits for matches of mia.")


def at_random(decision: Decision) -> Move | None:
    return decision.random()


@pytest.mark.slow
async def test_javascript_example_gets_a_rating_through_a_restart(tmp_path: Path) -> None:
    names = ["Nemo", "Nora"]
    server, tokens = await asyncio.to_thread(server_with_ladder, tmp_path, names, "active")
    script = [node(), "--experimental-websocket", "examples/random_bot.js", server.url]
    bots = [
        await asyncio.create_subprocess_exec(
            *(*script, "--ladder", "mia"),
            cwd=ROOT,
            env={**environment(server.url), "PARLOUR_TOKEN": token},
            stdout=asyncio.subprocess.PIPE,
        )
        for token in tokens
    ]

    async def heard(bot: asyncio.subprocess.Process, words: str) -> None:
        assert bot.stdout is not None
        while line := (await bot.stdout.readline()).decode():
            if words in line:
                return
        pytest.fail("The example has ended.")

    try:
        async with asyncio.timeout(PATIENCE):
            await heard(bots[0], "sits at")
            await asyncio.to_thread(server.stop, signal.SIGKILL)
            await asyncio.to_thread(server.start)
            for bot in bots:
                await heard(bot, f"won. {server.url}/matches/")
            ladder: Json = {"versions": []}
            while len(ladder["versions"]) < 2:  # a match is counted within seconds
                await asyncio.sleep(BETWEEN)
                with urlopen(f"{server.url}/ladder/mia.json") as answer:
                    ladder = json.load(answer)
    finally:
        for bot in bots:
            bot.kill()
            await bot.communicate()
        await asyncio.to_thread(server.stop)
    assert {version["program"] for version in ladder["versions"]} == {*names}
    assert all(version["matches"] for version in ladder["versions"])
