"""The code in docs/programs.md runs as printed, against a real server."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from django.core.management import call_command

from games.wire.client import read, read_platform
from parlour_client import Client, run
from tests.kit.programs import PATIENCE, Finished, environment, finished
from tests.kit.served import ROOT, Served
from tests.kit.waiting import wait_for

TEXT = (ROOT / "docs" / "programs.md").read_text()
HERE = "http://127.0.0.1:8000"
TABLE = "K7QX2"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def programs(word: str) -> str:
    """Return the only Python block that contains this text."""
    found = [block for block in blocks("python") if word in block]
    assert len(found) == 1
    return found[0]


def run_block(block: str, server: Served, folder: Path, *args: str) -> Finished:
    (folder / "mybot.py").write_text(block.replace(HERE, server.url))
    return finished("mybot.py", *args, url=server.url, folder=folder)


def test_first_documented_bot_plays_a_match(server: Served, tmp_path: Path) -> None:
    done = run_block(programs("command("), server, tmp_path, "--host", "--bots", "3")
    assert done.returncode == 0, done.stderr
    assert "Honest won " in done.stdout


def test_documented_bot_of_a_file_plays_a_match(server: Served, tmp_path: Path) -> None:
    (tmp_path / "honest.py").write_text(programs("hand = "))
    how = ["honest.py", "--host", "coup", "--bots", "1", "--strict"]
    done = finished("-m", "parlour_client", *how, url=server.url, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "honest won " in done.stdout


@pytest.mark.parametrize("seats", [2, 4])
def test_improved_bot_beats_random_players(tmp_path: Path, seats: int) -> None:
    (tmp_path / "honest.py").write_text(programs("hand = "))
    out, how = StringIO(), {"game": "coup", "seats": seats, "games": 40, "against": "random"}
    call_command("arena", str(tmp_path / "honest.py"), stdout=out, **how)
    won = re.search(r"wins +([0-9.]+)%", out.getvalue())
    assert won is not None
    assert float(won[1]) > 75


def test_run_plays_and_returns(server: Served, tmp_path: Path) -> None:
    done = run_block(programs("import run"), server, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout.replace("'", '"'))) == 2


def test_conversation_example_matches_its_printed_output(server: Served, tmp_path: Path) -> None:
    done = run_block(programs("import Client"), server, tmp_path)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith(f"come to {server.url}/t/")
    assert said[-1] == "NewChatMessageSent"
    promised = re.search(r"# (bad_target - .*)", TEXT)
    assert promised is not None
    assert promised[1] == said[1]


def test_documented_copy_of_the_list_is_complete(server: Served, tmp_path: Path) -> None:
    (tmp_path / "copy.py").write_text(programs("matches.ndjson"))
    played = [
        run(lambda decision: decision.random(), server.url, host="mia", bots=["random"])
        for _ in range(2)
    ]
    assert all(played)

    def copied() -> list[Any]:
        done = finished("copy.py", server.url, "matches.json", url=server.url, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        return list(json.loads((tmp_path / "matches.json").read_text())["matches"].values())

    def listed() -> list[Any]:
        with urlopen(f"{server.url}/api/matches.ndjson?order=asc&limit=500") as answer:
            *matches, end = map(json.loads, answer)
        assert end["type"] == "Last"
        return matches

    # Finished matches, also of other tests, are listed a little later.
    wait_for(lambda: len(copied()) >= 2)
    wait_for(lambda: copied() == listed())


async def test_documented_bot_without_the_client_plays_a_match(
    server: Served, tmp_path: Path
) -> None:
    (tmp_path / "raw.py").write_text(programs("tenliner"))
    async with asyncio.timeout(PATIENCE), Client(server.url, rate=0) as host:
        code = await host.host("chamber", "ann", options={"startLives": 2})
        socket = f"{server.url.replace('http', 'ws')}/api/ws/"
        program = await asyncio.create_subprocess_exec(
            sys.executable, "raw.py", socket, code, cwd=tmp_path, env=environment(server.url)
        )
        try:
            await host.until(lambda data: len(data["players"]) == 2)
            await host.start()
            outcome = await host.play(lambda decision: decision.random())
            assert "tenliner" in str(outcome["places"])
        finally:
            program.kill()
            await program.wait()


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line.partition(" ")[2] for line in lines if line.startswith("python ")]


@pytest.mark.parametrize("line", commands())
async def test_documented_commands_work(server: Served, line: str) -> None:
    async with asyncio.timeout(PATIENCE), Client(server.url, rate=0) as host:
        code = await host.host("mia", "ann", options={"lives": 1})
        args = line.replace(HERE, server.url).replace(TABLE, code).split()
        playing = asyncio.create_task(asyncio.to_thread(finished, *args, url=server.url))
        if TABLE in line:
            await host.until(lambda data: len(data["players"]) == 2)
            await host.start()
            await host.play(lambda decision: decision.random())
        done = await playing
        assert done.returncode == 0, done.stderr
        assert "of 1." in done.stdout


def test_documented_packets_are_valid() -> None:
    shown = re.findall(r"^    (\{.*?\})$", TEXT, re.DOTALL | re.MULTILINE)
    assert shown
    for text in shown:
        _, body = read(text)
        read_platform(body)


def test_every_example_is_documented() -> None:
    files = {path.name for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".js")}
    assert {name for name in files if f"`{name}`" not in TEXT} == set()


def test_client_folder_can_be_copied_and_used_elsewhere(server: Served, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "parlour_client", tmp_path / "parlour_client")
    env = {**environment(server.url), "PYTHONPATH": ""}
    how = ["-m", "parlour_client", "--host", "mia", "--bots", "1", "--options", '{"lives": 1}']
    done = subprocess.run(
        [sys.executable, *how], cwd=tmp_path, env=env, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
