"""Finds the programs that tests start: a Chromium, PostgreSQL, Redis."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

HEADLESS_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without what only a person at its windows needs: a third of the processor's time."""
CHROMIUMS = (
    *HEADLESS_SHELLS,
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
)
POSTGRES_FOLDERS = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt")

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP parlour.test 127.0.0.1",
]
"""What a Chromium is started with: no way out, nothing in the background."""


class NotInstalled(Exception):
    """A program that the tests need is not on this machine."""


def chromium() -> str | None:
    """Return the path of a Chromium, or None; CHROMIUM in the environment goes first."""
    return os.environ.get("CHROMIUM") or _first(CHROMIUMS)


def quick_chromium() -> str | None:
    """Return the path of a Chromium that is cheap to run, or None; CHROMIUM is one's own choice."""
    return os.environ.get("CHROMIUM") or _first(HEADLESS_SHELLS)


def _first(names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := shutil.which(name))), None)


def find_program(name: str) -> str:
    """Return the path of a program. Raise NotInstalled where there is none."""
    if found := shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin"):
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
