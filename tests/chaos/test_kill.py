"""The server is really killed, in the middle of a match, and nothing that was said is lost."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.kit.browser import open_table, play_on, start, until_mine
from tests.kit.served import Served

Json = dict[str, Any]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    server = Served(tmp_path, BOT_DELAY="0.05", WS_BURST="0")
    server.prepare()
    server.start()
    yield server
    server.stop()


class Program:
    """A program that knows only offers, and comes back by its token."""

    def __init__(self, house: Served, seed: int) -> None:
        self.house, self.dice = house, random.Random(seed)
        self.token: str | None = None
        self.room = ""
        self.acknowledged: list[tuple[int, int]] = []
        self.data: Json = {}
        self.asked: dict[int, int] = {}
        self.number = 0
        self.open = ExitStack()

    def host(self, **options: Any) -> None:
        self.socket = self._connect()
        self.send("HostGame", game="mia", username="Prog", options=options)
        self.until(lambda p: p["type"] == "GameDataSync")

    def come_back(self) -> None:
        self.socket = self._connect()
        self.send("JoinGame", room=self.room, token=self.token)
        self.until(lambda p: p["type"] == "GameDataSync")

    def send(self, type_: str, **fields: Any) -> None:
        self.number += 1
        self.socket.send(json.dumps({"type": type_, "id": self.number, **fields}))

    def until(self, wanted: Any) -> Json:
        while True:
            packet = json.loads(self.socket.recv(timeout=30))
            self.take(packet)
            if wanted(packet):
                return packet

    def take(self, packet: Json) -> None:
        if packet["type"] in ("GameCreated", "GameRejoined"):
            self.token = packet.get("token", self.token)
            self.room = packet["room"]
        if packet["type"] == "GameDataSync":
            self.data = packet["data"]
        if packet["type"] == "Done" and packet.get("id") in self.asked:
            self.acknowledged.append((self.asked[packet["id"]], packet["version"]))

    def play(self, moves: int) -> bool:
        """So many moves; True when the match is over."""
        while moves:
            if self.data["status"] == "finished":
                return True
            offers = [o for o in self.data["offers"] if not o["risky"]] or self.data["offers"]
            if not offers:
                self.until(lambda p: p["type"] == "GameDataSync")
                continue
            offer, prompt = self.dice.choice(offers), self.data["prompt"]
            args = {name: self.dice.choice(of["oneOf"]) for name, of in offer["args"].items()}
            self.asked[self.number + 1] = prompt
            self.data["offers"] = []
            self.send(offer["move"], prompt=prompt, **args)
            moves -= 1
        return False

    def _connect(self) -> ClientConnection:
        self.open.close()
        return self.open.enter_context(connect(f"ws://127.0.0.1:{self.house.port}/api/ws/"))


def logged(house: Served) -> set[tuple[int, int]]:
    """(prompt, version) of every move in the log."""
    with sqlite3.connect(house.database) as database:
        rows = database.execute("select prompt, number from games_act where kind = 'move'")
        return set(rows.fetchall())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_acknowledged_move_is_lost_when_the_server_is_killed(house: Served, seed: int) -> None:
    program = Program(house, seed)
    program.host(lives=9)
    for _ in range(3):
        program.send("AddBot")
    program.send("StartGame")
    program.until(lambda p: p["type"] == "GameStarted")
    program.until(lambda p: p["type"] == "GameDataSync")
    for _ in range(2):
        program.play(program.dice.randint(2, 8))
        house.stop(signal.SIGKILL)
        try:
            while True:
                program.take(json.loads(program.socket.recv(timeout=5)))
        except (ConnectionClosed, TimeoutError):
            pass
        assert program.acknowledged
        assert set(program.acknowledged) <= logged(house)
        house.start()
        program.come_back()
        assert program.data["you"] == "Prog"
        assert program.data["status"] == "playing"
    while not program.play(50):
        pass
    assert set(program.acknowledged) <= logged(house)
    with sqlite3.connect(house.database) as database:
        (match_id,) = database.execute("select id from games_match").fetchone()
    program.open.close()
    assert "fair" in house.manage("verify_match", str(match_id))


def test_a_browser_comes_back_by_itself(house: Served, browser: Browser) -> None:
    context = browser.new_context(base_url=house.url)
    page = context.new_page()
    page.set_default_timeout(30000)
    open_table(page, "Ann", bots=2, lives="5")
    start(page)
    until_mine(page)
    house.stop(signal.SIGKILL)
    expect(page.locator("#offline")).to_be_visible()
    house.start()
    expect(page.locator("#offline")).to_be_hidden(timeout=30000)
    play_on(page)
    expect(page.locator("#board .end")).to_be_visible()
    context.close()
