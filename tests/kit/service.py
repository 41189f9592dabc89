"""A server as systemd runs it, with an inherited socket that stays open without it."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from tests.kit.served import Served

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "manage.py", "serve"])
"""


class Service(Served):
    """The server of `parlour.service`, with the port of `parlour.socket`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BOT_DELAY="0.05", WS_BURST="0", METRICS_TOKEN="for tests")
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=64)

    def start(self) -> None:
        """Start it without waiting: early connections are answered once it is up."""
        self.log = (self.folder / "served.log").open("ab")
        number = self.socket.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AS_SYSTEMD, str(number)],
            cwd=self.root,
            env=self.env,
            pass_fds=[number],
            stdout=self.log,
            stderr=self.log,
        )

    def workers(self) -> list[int]:
        assert self.process is not None
        pid = self.process.pid
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
