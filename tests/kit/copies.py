"""Copies of the project, for tests that change it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.kit.repository import ROOT

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "node_modules", ".*_cache")
"""Bytecode is copied too, so that nothing needs compiling."""


def copied(folder: Path) -> Path:
    """Copy the project into this folder."""
    project = folder / "parlour"
    shutil.copytree(ROOT, project, ignore=LEFT_OUT)
    return project


def run(project: Path, *command: str, **env: str) -> str:
    """Run Python in a copy and return its output. Raise AssertionError if Python fails."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
