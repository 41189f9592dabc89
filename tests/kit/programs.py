"""Run users' programs until they exit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

from tests.kit.served import ROOT

PATIENCE = 120


Finished = subprocess.CompletedProcess[str]


def environment(url: str) -> dict[str, str]:
    """Return the environment of a user who has installed the client and plays at this URL."""
    return {**os.environ, "PARLOUR_URL": url, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def finished(*command: str, url: str, folder: Path = ROOT) -> Finished:
    """Run a Python program until it exits."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment(url),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def table_in(said: str) -> str:
    """Return the room code from the link a program has printed."""
    return said.split("/t/", 1)[1].split("/", 1)[0]


def node() -> str:
    """Return the path of Node: the system's, else Playwright's."""
    return shutil.which("node") or str(compute_driver_executable()[0])
