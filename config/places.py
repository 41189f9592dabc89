"""Folders of code and data. Only in a checkout can both be the same folder."""

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
"""Files that identify a folder as a server's data folder."""


def is_installed(code: Path = CODE) -> bool:
    """Whether the code was installed from a wheel."""
    return code.name == "project" and (code.parent / "__main__.py").exists()


def data_folder(code: Path = CODE) -> Path:
    """Return the folder that contains `var/`, `parlour.env` and `deploy/`.

    This is the folder named by PARLOUR_DATA, or else the checkout. Without a checkout, it is the
    current folder if that is already a data folder, or else `parlour` in the user's data folder
    (XDG).
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
    """Create a data folder that only this user can read.

    Raise ImproperlyConfigured if that fails.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{folder} cannot be created: {error.strerror}. Set --data or {DATA} to another folder."
        ) from None


def command() -> str:
    """Return the program name to type for commands."""
    return "parlour" if is_installed() else "python manage.py"


def full_command() -> str:
    """Return the full path of the program.

    Services need it, because their PATH does not include its folder.
    """
    if not is_installed():
        return f"{sys.executable} {CODE}/manage.py"
    script = Path(sys.executable).parent / "parlour"
    return str(script) if script.exists() else f"{sys.executable} -m parlour"


def version() -> str:
    """Return the version from pyproject.toml, its only source."""
    text = (CODE / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])
