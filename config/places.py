"""Where things are: the code, and what a server writes, which in a wheel is never beside it."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

CODE = Path(__file__).resolve().parent.parent
"""The folder with `config`, `games`, `templates` and the rest."""
DATA = "PARLOUR_DATA"
MARKS = ("parlour.env", "var/secret_key", "var/parlour.sqlite3")
"""What a folder has in which a server keeps its data."""


def is_installed(code: Path = CODE) -> bool:
    """Whether the code came in a wheel, and not as a checkout."""
    return code.name == "house" and (code.parent / "__main__.py").exists()


def data_folder(code: Path = CODE) -> Path:
    """The folder for `var/`, `parlour.env` and `deploy/`.

    The one that PARLOUR_DATA names; else the checkout. Without a checkout the current folder where
    it has been used before, else `parlour` in the account's own folder for data (XDG).
    """
    if named := os.environ.get(DATA, ""):
        return Path(named).expanduser().resolve()
    if not is_installed(code):
        return code
    here = Path.cwd()
    if any(os.path.lexists(here / mark) for mark in MARKS):
        return here
    own = os.environ.get("XDG_DATA_HOME", "")
    return Path(own if os.path.isabs(own) else Path.home() / ".local" / "share") / "parlour"


def make(folder: Path) -> None:
    """Make a folder for what is written, which others on this machine need not see.

    Raise ImproperlyConfigured where that is not allowed.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{folder} cannot be made: {error.strerror}. --data or {DATA} names another place."
        ) from None


def command() -> str:
    """How a command is called, as people write it."""
    return "parlour" if is_installed() else "python manage.py"


def full_command() -> str:
    """How it is called by services, which know no PATH: as it was installed."""
    if not is_installed():
        return f"{sys.executable} {CODE}/manage.py"
    script = Path(sys.executable).parent / "parlour"
    return str(script) if script.exists() else f"{sys.executable} -m parlour"


def version() -> str:
    """The version of this code: pyproject.toml has it, and nothing else."""
    text = (CODE / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])
