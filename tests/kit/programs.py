"""Programs of other people's, run to their end."""

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
    """As somebody has it who has installed the client and plays at this address."""
    return {**os.environ, "PARLOUR_URL": url, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def finished(*command: str, url: str, folder: Path = ROOT) -> Finished:
    """Run a Python program to its end."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment(url),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def table_in(said: str) -> str:
    """The code of the table whose link a program has printed."""
    return said.split("/t/", 1)[1].split("/", 1)[0]


def node() -> str:
    """A Node: the system's, else the one that came with Playwright."""
    return shutil.which("node") or str(compute_driver_executable()[0])
