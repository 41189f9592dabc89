"""Parlour installed from its wheel, in an environment without the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from functools import cached_property
from pathlib import Path

from tests.kit.served import ROOT, Served, free_port

PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
OFFLINE = ("--no-index", "--no-deps")


def build(folder: Path) -> Path:
    """Build the wheel of this checkout, offline."""
    made = folder / "wheel"
    command = [*PIP, "wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", str(made), str(ROOT)]
    subprocess.run(command, check=True)
    (wheel,) = made.iterdir()
    return wheel


class Installed(Served):
    """A server run by the wheel's command, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.root = folder, free_port(), folder / "here"
        self.url = self.asked = f"http://127.0.0.1:{self.port}"
        self.home, self.python = folder / "home", folder / "venv" / "bin" / "python"
        self.env = {"PATH": os.defpath, "HOME": str(self.home), "MIA_UDP_PORT": ""}
        self.process = None
        self.root.mkdir()

    def install(self, wheel: Path) -> None:
        """Create an environment with the packages of this one, and install the wheel."""
        venv.create(self.python.parents[1], symlinks=True)
        packages = f"lib/python3.{sys.version_info.minor}/site-packages"
        others = self.python.parents[1] / packages / "others.pth"
        others.write_text(sysconfig.get_path("purelib") + "\n")
        command = [*PIP, "--python", str(self.python), "install", *OFFLINE, "--no-compile"]
        subprocess.run([*command, str(wheel)], check=True)

    @cached_property
    def command(self) -> Path:
        """The path of the command."""
        return self.python.with_name("parlour")

    def run(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Run a command until it exits."""
        command = [str(self.command), *args]
        return subprocess.run(command, cwd=self.root, env=self.env, capture_output=True, text=True)

    def start(self) -> None:
        """Start it with `parlour run` and wait until it answers."""
        self.log = (self.folder / "served.log").open("ab")
        command = [str(self.command), "run", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=self.root, env=self.env, stdout=self.log, stderr=self.log
        )
        self.wait_until_it_answers()

    def files_of_ours(self) -> set[Path]:
        """Return the installed files, without Python's caches."""
        folder = self.python.parents[1] / "lib"
        found = folder.rglob("*")
        return {path for path in found if path.is_file() and "__pycache__" not in path.parts}
