"""A process as systemd runs it, with an inherited socket that stays open without it."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from tests.kit.served import Served
from tests.kit.waiting import wait_for

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "manage.py", "serve"])
"""


class Service(Served):
    """The process of `parlour@.service`, with the port of `parlour@.socket`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BOT_DELAY="0.05", WS_BURST="0", METRICS_TOKEN="for tests")
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=64)
        self.systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.systemd.bind(str(folder / "systemd"))
        self.systemd.setblocking(False)
        self.env["NOTIFY_SOCKET"] = str(folder / "systemd")

    def start(self) -> None:
        """Start the process without waiting. It answers early connections once it is running."""
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

    def restart(self) -> None:
        """Restart it as `systemctl restart` does: return when it reports that it is ready."""
        self.stop()
        self.start()
        wait_for(self._is_ready, self.said)

    def _is_ready(self) -> bool:
        try:
            return self.systemd.recv(100) == b"READY=1"
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Stop the process, and close its port."""
        self.stop()
        self.socket.close()
        self.systemd.close()
