"""UDP test programs: one socket each, read until an expected line arrives."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from examples import mia_udp_bot
from games.contract.luck import ScriptedLuck
from games.models import UdpName
from games.udp.server import UdpServer
from tests.kit.waiting import PATIENCE


class Program:
    """One endpoint. `lines` holds all received lines, in order."""

    def __init__(self, name: str, server: int, address: str = "127.0.0.1") -> None:
        self.name, self.server = name, server
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.bind((address, 0))
        self.socket.settimeout(PATIENCE)
        self.lines: list[str] = []

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    def known(self) -> Program:
        """Register a name before the server starts."""
        UdpName.objects.create(name=self.name, address="127.0.0.1", port=self.port)
        return self

    def send(self, line: str | bytes) -> None:
        data = line if isinstance(line, bytes) else line.encode()
        self.socket.sendto(data, ("127.0.0.1", self.server))

    def read(self) -> str:
        line = self.socket.recv(65536).decode()
        self.lines.append(line)
        return line

    def until(self, *starts: str) -> str:
        """Read until a line arrives that begins with one of these words."""
        while not (line := self.read()).startswith(starts):
            pass
        return line

    def answer(self, to: str, command: str) -> None:
        """Wait for this prompt and answer it."""
        self.send(f"{command};{token(self.until(to))}")

    def join(self) -> None:
        self.answer("ROUND STARTING", "JOIN")

    def register(self) -> str:
        self.send(f"REGISTER;{self.name}")
        return self.until("REGISTERED", "REJECTED")

    def has_nothing(self, seconds: float = 0.3) -> bool:
        """Return whether nothing arrives for a while."""
        self.socket.settimeout(seconds)
        try:
            self.read()
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)
        return False

    def received(self) -> int:
        """Read all pending datagrams and return the total bytes received so far."""
        self.socket.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                self.read()
        self.socket.settimeout(PATIENCE)
        return sum(len(line.encode()) for line in self.lines)

    def close(self) -> None:
        self.socket.close()


def token(line: str) -> str:
    return line.split(";")[-1]


def points(score: str) -> dict[str, int]:
    """Return `SCORE;a:1,b:2` as a mapping."""
    entries = score.split(";", 1)[1]
    return {name: int(of) for name, of in (entry.split(":") for entry in entries.split(","))}


def wait_for(server: UdpServer) -> None:
    assert server.listening.wait(PATIENCE)


def wait_until(condition: object, patience: float = PATIENCE) -> None:
    """Poll until the condition holds."""
    assert callable(condition)
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "the condition was not met in time"
        time.sleep(0.02)


def scripted(dice: Sequence[str]) -> object:
    """A random source for rounds in memory: players in alphabetical order, and these dice."""
    thrown = [int(n) - 1 for pair in dice for n in pair.split(",")]

    def luck(self: object) -> ScriptedLuck:
        names = self.names  # type: ignore[attr-defined]
        order = sorted(range(len(names)), key=lambda at: names[at])
        made = ScriptedLuck(order=[order])
        made._script["die"] = thrown  # type: ignore[assignment]
        return made

    return luck


class Player(threading.Thread):
    """A program that plays on its own, like the example."""

    def __init__(self, name: str, server: int) -> None:
        super().__init__(daemon=True)
        self.program = Program(name, server)
        self.program.socket.settimeout(0.2)
        self.scores: list[dict[str, int]] = []
        self.numbers: list[int] = []
        self._mind = mia_udp_bot.Player()
        self._stopped = threading.Event()
        self.start()

    def run(self) -> None:
        self.program.send(f"REGISTER;{self.program.name}")
        while not self._stopped.is_set():
            try:
                line = self.program.read()
            except TimeoutError:
                if not self.program.lines:
                    self.program.send(f"REGISTER;{self.program.name}")
                continue
            except OSError:
                return
            self._note(line.split(";"))
            if reply := self._mind.answer(line):
                self.program.send(reply)

    def stop(self) -> None:
        self._stopped.set()
        self.join()
        self.program.close()

    def _note(self, fields: list[str]) -> None:
        match fields:
            case ["ROUND STARTING", number, _]:
                self.numbers.append(int(number))
            case ["SCORE", _]:
                self.scores.append(points(";".join(fields)))
            case _:
                pass
