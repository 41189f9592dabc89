"""The settings file written by `manage.py deploy`, read by every command and every server.

The environment takes precedence. Because they share one file, commands and server use the same
database.
"""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

NAME = "parlour.env"
taken: set[str] = set()
"""Names of this process's settings that came from the file."""


def read_env_file(base: Path) -> Path | None:
    """Read the file named by PARLOUR_ENV, else `parlour.env` in the folder `base` if it exists.

    Return the file's path. If PARLOUR_ENV is set but empty, no file is read. Raise
    ImproperlyConfigured if the file cannot be read, because the process would otherwise use another
    database.
    """
    named = os.environ.get("PARLOUR_ENV")
    path = Path(base / NAME if named is None else named)
    if named == "" or (named is None and not _is_there(path)):
        return None
    try:
        text = path.read_text(encoding="utf-8")
    except PermissionError:
        raise ImproperlyConfigured(
            f"You may not read {path}. Run this as its owner (sudo -u parlour …)."
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
