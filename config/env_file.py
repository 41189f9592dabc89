"""The file of settings that `manage.py deploy` writes: read by every command and every server.

What the environment says goes first. One file for all of them, so that no command works on another
database than the server does.
"""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

NAME = "parlour.env"
taken: set[str] = set()
"""Which settings of this process came from the file."""


def read_env_file(base: Path) -> Path | None:
    """Read the file that PARLOUR_ENV names, else `parlour.env` in this folder where there is one.

    Return which it was. PARLOUR_ENV= (empty) reads none. Raise ImproperlyConfigured where it cannot
    be read: to go on without would be to go on with another database.
    """
    named = os.environ.get("PARLOUR_ENV")
    path = Path(base / NAME if named is None else named)
    if named == "" or (named is None and not _is_there(path)):
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except PermissionError:
        raise ImproperlyConfigured(
            f"{path} is not yours to read: run this as its owner (sudo -u parlour …)."
        ) from None
    except OSError as error:
        raise ImproperlyConfigured(
            f"PARLOUR_ENV names {path}, which cannot be read: {error.strerror}."
        ) from None
    before = set(os.environ)
    environ.Env.read_env(StringIO(text))
    taken.update(set(os.environ) - before)
    return path


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:
        return True
