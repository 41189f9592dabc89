"""A folder of code that is upgraded in place, as with `git pull`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.kit.served import ROOT

FIRST = "fce4f61"
"""The commit to upgrade from until a version has a tag."""
GIT = ("git", "-C", str(ROOT))


def tag_before() -> str:
    """The newest tag before this commit."""
    described = [*GIT, "describe", "--tags", "--abbrev=0", "HEAD^"]
    return subprocess.run(described, capture_output=True, text=True).stdout.strip() or FIRST


def put_previous(folder: Path) -> Path:
    """Write the previous version, as its commit has it."""
    packed = subprocess.run([*GIT, "archive", tag_before()], check=True, capture_output=True).stdout
    _unpack(packed, folder)
    return folder


def put_this(folder: Path) -> Path:
    """Replace the code with this version. Keep the files that servers wrote."""
    listed = [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, check=True, capture_output=True).stdout.split(b"\0")
    there = b"\0".join(name for name in names if name and (ROOT / name.decode()).exists())
    tar = ["tar", "-c", "-C", str(ROOT), "--null", "-T", "-"]
    packed = subprocess.run(tar, input=there, check=True, capture_output=True).stdout
    for old in folder.iterdir():
        if old.is_dir() and old.name != "var":
            shutil.rmtree(old)
    _unpack(packed, folder)
    return folder


def _unpack(packed: bytes, folder: Path) -> None:
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
