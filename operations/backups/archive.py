"""The file format of backups: a compressed tar file whose first member lists the checksums of the
others.
"""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

FORMAT = 1
MANIFEST = "manifest.json"
KEY, ROWS, SQLITE, POSTGRES = "secret_key", "rows.jsonl", "database.sqlite3", "database.dump"
MEMBERS = (KEY, ROWS, SQLITE, POSTGRES)
AT_ONCE = 1 << 20


class Damaged(Exception):
    """The file is damaged, or is not a backup."""


@dataclass(frozen=True)
class Manifest:
    """Description of a backup's contents."""

    made: str
    kind: str
    """Kind of database: sqlite or postgresql."""
    migrations: list[list[str]]
    people: int
    running: int
    """Number of running matches."""
    format: int = FORMAT
    sums: dict[str, str] = field(default_factory=dict)

    @property
    def applied(self) -> set[tuple[str, str]]:
        return {(app, name) for app, name in self.migrations}


def pack(folder: Path, manifest: Manifest, target: Path) -> None:
    """Pack the members of a backup from a folder into one file, atomically."""
    names = [name for name in MEMBERS if (folder / name).exists()]
    manifest.sums.update({name: checksum(folder / name) for name in names})
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as to:
            with tarfile.open(fileobj=to, mode="w:gz", compresslevel=6) as tar:
                for name in (MANIFEST, *names):
                    tar.add(folder / name, arcname=name)
            to.flush()
            os.fsync(to.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def unpacked(path: Path) -> Iterator[tuple[Manifest, Path]]:
    """Unpack a backup into a temporary folder and verify its checksums.

    Raise Damaged if that fails.
    """
    with tempfile.TemporaryDirectory(prefix="parlour-restore-") as name:
        folder = Path(name)
        try:
            with tarfile.open(path, "r:gz") as tar:
                manifest = _manifest(tar)
                for member in manifest.sums:
                    _extract(tar, member, folder / member)
        except (tarfile.TarError, EOFError, OSError, KeyError, ValueError, TypeError) as error:
            raise Damaged(f"{path} is not a readable backup: {error}") from None
        for member, wanted in manifest.sums.items():
            if checksum(folder / member) != wanted:
                raise Damaged(f"{path} is damaged: the checksum of {member} is wrong.")
        yield manifest, folder


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _manifest(tar: tarfile.TarFile) -> Manifest:
    member = tar.next()
    file = tar.extractfile(member) if member and member.name == MANIFEST else None
    if file is None:
        raise ValueError("it does not begin with its manifest")
    manifest = Manifest(**json.load(file))
    if manifest.format != FORMAT or not set(manifest.sums) <= set(MEMBERS):
        raise ValueError("it is of a later version of Parlour")
    return manifest


def _extract(tar: tarfile.TarFile, member: str, target: Path) -> None:
    """Extract one known member to `target`. Ignore any paths in the archive."""
    file = tar.extractfile(member)
    if file is None:
        raise ValueError(f"{member} is missing")
    with file, target.open("wb") as to:
        while block := file.read(AT_ONCE):
            to.write(block)
