"""A really served Parlour for programs, one for each worker of the test run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served import ROOT, Served

PATIENCE = 120
Finished = subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("programs"), WS_BURST="0")
    server.manage("prepare")
    server.start()
    yield server
    server.stop()


def environment(url: str) -> dict[str, str]:
    """As somebody has it who has installed the client and plays at this address."""
    return {**os.environ, "PARLOUR_URL": url, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def finished(*command: str, url: str, folder: Path = ROOT) -> Finished:
    """Runs a Python program to its end."""
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
