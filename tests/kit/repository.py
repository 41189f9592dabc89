"""The files of the repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def files(*endings: str) -> list[str]:
    """Return the files of the repository, except migrations, which stay as they were written."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    return [
        name
        for name in listed
        if name.endswith(endings) and "/migrations/" not in name and (ROOT / name).exists()
    ]


def templates() -> list[Path]:
    """Return the templates of pages and regions, including those in game folders."""
    return [ROOT / name for name in files(".html", ".jinja") if "operations/" not in name]
