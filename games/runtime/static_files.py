"""Collecting static files while they are being served: nothing that is there is taken away.

They are collected beside the folder and moved in one by one, each whole; the manifest, by which
pages find the rest, comes last. What is no longer needed stays for a while, for open pages.
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
"""So many seconds a file stays after it was in a manifest."""
PATIENCE = 300.0
"""So many seconds one waits for another who collects."""


def collect() -> None:
    """Bring STATIC_ROOT up to date. Raise filelock.Timeout where others do so for too long."""
    root = Path(settings.STATIC_ROOT)
    lock = FileLock(root / ".prepare.lock", timeout=PATIENCE)
    with lock, TemporaryDirectory(prefix=".static-", dir=_beside(root)) as folder:
        _collect_into(Path(folder))
        publish(Path(folder), root)


def publish(new: Path, root: Path) -> None:
    """Move what is new to where it is served, and remove what has not been needed for long."""
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
    """Where files can be moved from in one step: the same disk, and not what a server looks at."""
    same_disk = root.stat().st_dev == root.parent.stat().st_dev
    return root.parent if same_disk and os.access(root.parent, os.W_OK) else root


def _put(new: Path, target: Path) -> None:
    if target.exists() and filecmp.cmp(new, target, shallow=False):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(new, target)


def _in_manifest(root: Path) -> list[str]:
    """The files that pages were told of until now."""
    try:
        paths: dict[str, str] = json.loads((root / MANIFEST).read_text())["paths"]
    except (OSError, ValueError, KeyError):
        return []
    return list(paths.values())


def _touch(root: Path, names: list[str]) -> None:
    """From now on their time runs, should they not be needed any more."""
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
    """Every file below, but none of ours."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return (path for path in files if not path.relative_to(folder).parts[0].startswith("."))
