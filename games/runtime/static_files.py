"""Collects static files while the server is running.

Files are collected in a temporary folder and moved one by one. The manifest is moved last. Files
that are no longer needed are kept for a while, for open pages.
"""

from __future__ import annotations

import filecmp
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from django.conf import settings
from django.contrib.staticfiles.management.commands.collectstatic import Command
from django.core.files.storage import storages
from django.core.management import call_command
from filelock import FileLock

MANIFEST = "staticfiles.json"
KEPT = 30 * 24 * 3600.0
"""Seconds a file is kept after it was last in a manifest."""
PATIENCE = 300.0
"""Maximum seconds to wait for another process that is collecting files."""


def collect() -> None:
    """Bring STATIC_ROOT up to date. Raise filelock.Timeout if another process takes too long."""
    root = Path(settings.STATIC_ROOT)
    lock = FileLock(root / ".prepare.lock", timeout=PATIENCE)
    with lock, TemporaryDirectory(prefix=".static-", dir=_beside(root)) as folder:
        _collect_into(Path(folder))
        publish(Path(folder), root)


def publish(new: Path, root: Path) -> None:
    """Move new files to the folder from which they are served.

    Remove files that were not needed for KEPT seconds.
    """
    current = {str(path.relative_to(new)) for path in _files(new)}
    _touch(root, _in_manifest(root))
    for name in sorted(current - {MANIFEST}):
        _put(new / name, root / name)
    if MANIFEST in current:
        _put(new / MANIFEST, root / MANIFEST)
    _remove_old(root, current)


def _collect_into(folder: Path) -> None:
    configured = cast(dict[str, Any], storages.backends["staticfiles"])
    options = {**configured.get("OPTIONS", {}), "location": str(folder)}
    command = Command()
    command.storage = storages.create_storage({**configured, "OPTIONS": options})
    call_command(command, verbosity=0, interactive=False)


def _beside(root: Path) -> Path:
    """Return a folder on the same disk as `root`, so that files can be moved atomically. If
    possible, this is the parent of `root`, which is not served.
    """
    same_disk = root.stat().st_dev == root.parent.stat().st_dev
    return root.parent if same_disk and os.access(root.parent, os.W_OK) else root


def _put(new: Path, target: Path) -> None:
    if target.exists() and filecmp.cmp(new, target, shallow=False):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(new, target)


def _in_manifest(root: Path) -> list[str]:
    """Return the names of the files in the current manifest."""
    try:
        paths: dict[str, str] = json.loads((root / MANIFEST).read_text())["paths"]
    except (OSError, ValueError, KeyError):
        return []
    return list(paths.values())


def _touch(root: Path, names: list[str]) -> None:
    """Mark these files as still needed, so that they are kept for another KEPT seconds."""
    for name in names:
        for path in (root / name, root / f"{name}.gz"):
            if path.exists():
                os.utime(path)


def _remove_old(root: Path, current: set[str]) -> None:
    since = time.time() - KEPT
    for path in _files(root):
        if str(path.relative_to(root)) not in current and path.stat().st_mtime < since:
            path.unlink()


def _files(folder: Path) -> Iterator[Path]:
    """Return all files in and below this folder, except temporary and lock files of this module."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return (path for path in files if not path.relative_to(folder).parts[0].startswith("."))
