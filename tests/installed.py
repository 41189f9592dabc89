"""Find the programs that tests start: Chromium, PostgreSQL, Redis."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

HEADLESS_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Flags for Chromium without desktop features, which take a third of its processor time."""
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
"""Flags for Chromium: no network access, nothing in the background."""


class NotInstalled(Exception):
    """A program that the tests need is not installed."""


def chromium() -> str | None:
    """Return the path of a Chromium, or None. CHROMIUM in the environment has priority."""
    return os.environ.get("CHROMIUM") or _first(CHROMIUMS)


def quick_chromium() -> str | None:
    """Return the path of a cheap Chromium, or None. CHROMIUM in the environment has priority."""
    return os.environ.get("CHROMIUM") or _first(HEADLESS_SHELLS)


def _first(names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := shutil.which(name))), None)


def find_program(name: str) -> str:
    """Return the path of a program. Raise NotInstalled if the program is missing."""
    if found := shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin"):
        return found
    for folder in POSTGRES_FOLDERS:  # Debian keeps PostgreSQL's server programs off the PATH
        for path in sorted(Path(folder).glob(f"*/bin/{name}"), reverse=True):
            return str(path)
    raise NotInstalled(f"The tests need {name}. Install it, or put it on the PATH.")


def is_installed(name: str) -> bool:
    """Return whether `find_program` finds it."""
    try:
        return bool(find_program(name))
    except NotInstalled:
        return False
