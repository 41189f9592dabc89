"""Restore the secret key from a backup, so that users stay logged in."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from django.conf import settings

from operations.deployment import env_text


def put_back(key: str) -> str:
    """Replace the secret key with `key` if it is in a file. Return a sentence about the result."""
    if key == settings.SECRET_KEY:
        return "The secret key is the same."
    for path, text in _places(key):
        before = path.with_name(f"{path.name}.before-restore")
        shutil.copy2(path, before)
        _write(path, text)
        return f"The secret key in {path} was restored. The old file is {before.name}."
    return (
        "SECRET_KEY is set in the environment and differs from the backup: all users must log in"
        " again."
    )


def _places(key: str) -> list[tuple[Path, str]]:
    """Return the files that hold the key in use, with their new contents."""
    found: list[tuple[Path, str]] = []
    file: Path | None = settings.ENV_FILE
    if file is not None:
        text = file.read_text(encoding="utf-8")
        if env_text.read(text).get("SECRET_KEY") == settings.SECRET_KEY:
            found.append((file, env_text.updated(text, {"SECRET_KEY": key})))
    kept = Path(settings.VAR) / "secret_key"
    if kept.exists() and kept.read_text() == settings.SECRET_KEY:
        found.append((kept, key))
    return found


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as to:
        to.write(text)
    os.replace(beside, path)
