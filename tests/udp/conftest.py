"""A server in a thread, on a separate port. It is stopped at the end of each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.udp import commands
from games.udp.rounds import AmongPrograms
from games.udp.server import UdpServer
from tests.kit.served import free_udp_port
from tests.kit.udp import Player, Program, scripted, wait_for
from tests.kit.udp_command import Command


@pytest.fixture
def port(transactional_db: None, settings: Any) -> int:
    settings.MIA_ANSWER_MS = 10_000  # nobody is late unless a test asks for it
    return free_udp_port()


@pytest.fixture
def serve(port: int) -> Iterator[Callable[..., UdpServer]]:
    """Start a server. Called again, start another one on the same port."""
    started: list[UdpServer] = []

    def start(**given: Any) -> UdpServer:
        server = UdpServer("127.0.0.1", port, **{"pause": 0.0, **given})
        started.append(server)
        server.start()
        wait_for(server)
        return server

    yield start
    for server in started:
        server.stop()
    commands.drop_unused_names().result()  # flush pending writes


@pytest.fixture
def program(port: int) -> Iterator[Callable[..., Program]]:
    """Create programs that talk to that port."""
    made: list[Program] = []

    def make(name: str, address: str = "127.0.0.1") -> Program:
        made.append(Program(name, port, address))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Set the dice of rounds among programs, whose order is alphabetical."""

    def throw(*pairs: str) -> None:
        monkeypatch.setattr(AmongPrograms, "_luck", scripted(pairs))

    return throw


@pytest.fixture
def player(port: int) -> Iterator[Callable[[str], Player]]:
    """Create programs that play by themselves on that port."""
    made: list[Player] = []

    def make(name: str) -> Player:
        made.append(Player(name, port))
        return made[-1]

    yield make
    for one in made:
        one.stop()


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    """Start `manage.py mia_udp`."""
    started: list[Command] = []

    def start(*args: str, **given: Any) -> Command:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(Command(folder, *args, **given))
        started[-1].start()
        return started[-1]

    yield start
    for one in started:
        one.end()
