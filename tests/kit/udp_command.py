"""`manage.py mia_udp` as a process with a separate database, and the kit that tests it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.kit.served import ROOT, Served, free_udp_port


class Command:
    """The command, which can be started, killed and restarted. `args`: further arguments."""

    def __init__(self, folder: Path, *args: str, answer_ms: int) -> None:
        self.port, self.args, self.answer_ms = free_udp_port(), args, answer_ms
        self.served = Served(folder, MIA_ANSWER_MS=str(answer_ms))
        self.served.prepare()
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process and wait until it prints its address."""
        self._close()
        command = [sys.executable, "manage.py", "mia_udp", "--port", str(self.port), *self.args]
        env = self.served.env
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        assert "Mia over UDP" in self.process.stdout.readline()

    def stop(self) -> str:
        """Stop it and return its output."""
        assert self.process is not None
        self.process.terminate()
        return self.process.communicate(timeout=20)[0]

    def kill(self) -> None:
        """Kill the process without warning."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Stop the process if it is still running."""
        if self.process is not None and self.process.poll() is None:
            self.stop()
        self._close()

    def _close(self) -> None:
        """Close this process's end of the pipe, which outlives a killed process."""
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    def check(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run `manage.py mia_check` against it."""
        command = [sys.executable, "manage.py", "mia_check", "127.0.0.1", str(self.port), *args]
        given = [*command, "--answer-ms", str(self.answer_ms)]
        return subprocess.run(given, cwd=ROOT, env=self.served.env, capture_output=True, text=True)
