"""Finds the programs that tests start: a Chromium, PostgreSQL, Redis."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
POSTGRES_FOLDERS = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt")


class NotInstalled(Exception):
    """A program that the tests need is not on this machine."""


def chromium() -> str | None:
    """Return the path of a Chromium, or None; CHROMIUM in the environment goes first."""
    named = os.environ.get("CHROMIUM")
    return named or next((found for name in CHROMIUMS if (found := shutil.which(name))), None)


def find_program(name: str) -> str:
    """Return the path of a program. Raise NotInstalled where there is none."""
    if found := shutil.which(name):
        return found
    for folder in POSTGRES_FOLDERS:  # Debian keeps PostgreSQL's own programs off the PATH
        for path in sorted(Path(folder).glob(f"*/bin/{name}"), reverse=True):
            return str(path)
    raise NotInstalled(f"The tests need {name}. Install it, or put it on the PATH.")


def is_installed(name: str) -> bool:
    """Return whether `find_program` finds it."""
    try:
        return bool(find_program(name))
    except NotInstalled:
        return False
