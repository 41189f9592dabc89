"""A backup taken during matches can be restored and played on, on either kind of database."""

from __future__ import annotations

import io
import json
import os
import re
import sqlite3
import stat
import tarfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.loader import MigrationLoader

from games.registry import GAMES
from operations.backups import archive, keys, restoring, taking
from operations.backups.archive import Manifest
from operations.backups.restoring import Refused
from tests.chaos.world import GAPS
from tests.kit.halfway import halfway
from tests.kit.served import Served
from tests.kit.services import Postgres

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    service = Postgres()
    try:
        service.start()
        yield service
    finally:
        service.remove()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """An SQLite database with a half-played match of every game."""
    served = Served(tmp_path_factory.mktemp("server"))
    served.prepare()
    halfway(served, "begin")
    return served


@pytest.fixture(scope="module")
def backup(server: Served) -> Path:
    path = server.folder / "first.backup"
    said = server.manage("backup", str(path))
    assert f"{len(GAMES)} running matches" in said
    return path


def played(said: str) -> dict[str, int]:
    """Return the progress of each game from the output of `halfway`."""
    return {line.split()[0]: int(line.split()[2]) for line in said.splitlines()}


def everything(served: Served) -> list[str]:
    """Return the whole content of an SQLite database."""
    with closing(sqlite3.connect(served.database)) as database:
        return list(database.iterdump())


def a_place(folder: Path, url: str = "") -> Served:
    """Return a server to restore into. It shares the secret key through the environment."""
    folder.mkdir()
    return Served(folder, **({"DATABASE_URL": url} if url else {}))


def test_backup_moves_matches_from_sqlite_to_postgresql_and_back(
    backup: Path, server: Served, postgres: Postgres, tmp_path: Path
) -> None:
    """Move a match from SQLite to PostgreSQL, make some moves, then move it back and finish it."""
    there = a_place(tmp_path / "there", postgres.new_database())
    assert "Restored" in there.manage("restore", str(backup))
    far = played(halfway(there, "go_on"))
    assert set(far) == set(GAMES)
    second = tmp_path / "second.backup"
    there.manage("backup", str(second))

    back = a_place(tmp_path / "back")
    again = a_place(tmp_path / "again", postgres.new_database())
    with ThreadPoolExecutor() as both:
        for said in both.map(lambda place: place.manage("restore", str(second)), (back, again)):
            assert "The secret key is the same." in said
        ends = list(both.map(lambda place: halfway(place, "finish"), (back, again)))
    for said in ends:
        assert re.findall(r"^(\w+) (\d+) ", said, re.M) == [(g, str(v)) for g, v in far.items()]
    assert ends[0] == ends[1]


def test_restored_database_equals_the_original(
    backup: Path, server: Served, tmp_path: Path
) -> None:
    place = a_place(tmp_path / "place")
    place.manage("restore", str(backup))
    rows = [
        sqlite3.connect(served.database).execute("SELECT * FROM games_act ORDER BY id").fetchall()
        for served in (server, place)
    ]
    assert rows[0] == rows[1]


def test_backup_taken_during_moves_is_consistent(server: Served, tmp_path: Path) -> None:
    with ThreadPoolExecutor() as beside:
        playing = beside.submit(halfway, server, "go_on")
        paths = []
        while not playing.done() or not paths:
            paths.append(tmp_path / f"{len(paths)}.backup")
            server.manage("backup", str(paths[-1]))
        playing.result()
    for path in paths:
        with archive.unpacked(path) as (_, folder):
            copy = sqlite3.connect(folder / archive.SQLITE)
            assert copy.execute(GAPS).fetchall() == []


def test_restore_refuses_to_overwrite_a_database(
    backup: Path, server: Served, postgres: Postgres
) -> None:
    before = everything(server)
    with pytest.raises(AssertionError, match="never overwritten"):
        server.manage("restore", str(backup))
    assert everything(server) == before


def test_restore_refuses_if_a_write_ahead_log_is_left_over(backup: Path, tmp_path: Path) -> None:
    place = a_place(tmp_path / "place")
    wal = place.database.with_name(f"{place.database.name}-wal")
    wal.write_bytes(b"the last moves")
    with pytest.raises(AssertionError, match="move it, too"):
        place.manage("restore", str(backup))
    assert wal.read_bytes() == b"the last moves"


def test_damaged_or_truncated_backup_is_rejected(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    cut = tmp_path / "cut.backup"
    cut.write_bytes(whole[: len(whole) // 2])
    other = tmp_path / "other.backup"
    with tarfile.open(backup) as old, tarfile.open(other, "w:gz") as new:
        for member in old:
            data = old.extractfile(member)
            assert data is not None
            text = data.read()
            changed = text.replace(b"wire", b"wife", 1) + b" "
            member.size = len(changed) if member.name == archive.SQLITE else len(text)
            new.addfile(member, io.BytesIO(changed if member.name == archive.SQLITE else text))
    for path, sentence in ((cut, "not a readable backup"), (other, "is damaged")):
        with pytest.raises(CommandError, match=sentence):
            call_command("restore", str(path), stdout=io.StringIO())
    said = io.StringIO()
    call_command("restore", str(backup), check=True, stdout=said)
    assert "It is intact." in said.getvalue()


def test_backup_is_private_to_its_owner_and_overwrites_nothing(backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(backup))
    assert not [path for path in backup.parent.iterdir() if path.name.startswith(".")]


def test_backup_of_a_later_version_is_rejected(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / archive.KEY).write_text("key")
    later = Manifest(
        made="then", kind="sqlite", migrations=[["games", "9999_x"]], people=0, running=0
    )
    archive.pack(folder, later, tmp_path / "later.backup")
    with pytest.raises(CommandError, match=r"from a later version \(9999_x\)"):
        call_command("restore", str(tmp_path / "later.backup"), stdout=io.StringIO())


def test_backup_of_the_first_version_is_accepted() -> None:
    """It must contain all migrations that each app's single migration has since replaced."""
    known = MigrationLoader(None).disk_migrations.values()
    replaced = [list(key) for one in known for key in one.replaces]
    made = Manifest(made="then", kind="sqlite", migrations=replaced, people=0, running=0)
    restoring.must_be_known(made)
    with pytest.raises(Refused, match=r"from before version 0\.1\.0"):
        restoring.must_be_known(replace(made, migrations=replaced[:-1]))


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    names = [f"parlour-2026010{day}-030000.backup" for day in range(1, 6)]
    for name in (*names, "parlour-mine.backup"):
        (tmp_path / name).touch()
    removed = taking.remove_old(tmp_path, 2)
    assert [path.name for path in removed] == names[:3]
    assert sorted(os.listdir(tmp_path)) == [*names[3:], "parlour-mine.backup"]


def test_abandoned_work_folders_are_removed_and_active_ones_kept(tmp_path: Path) -> None:
    left, under_way = (tmp_path / f"{taking.WORK_FOLDER}{name}" for name in ("left", "under-way"))
    for folder in (left, under_way):
        folder.mkdir()
        (folder / archive.KEY).touch()
    long_ago = time.time() - taking.ABANDONED_AFTER - 60
    os.utime(left, (long_ago, long_ago))
    taking.clear_abandoned(tmp_path)
    assert os.listdir(tmp_path) == [under_way.name]


@pytest.mark.parametrize("keep", [0, -1])
def test_keeping_no_backups_is_rejected(tmp_path: Path, keep: int) -> None:
    with pytest.raises(CommandError, match="from 1"):
        call_command("backup", f"{tmp_path}/", keep=keep)


def test_secret_key_is_restored_to_its_configured_place(settings: Any, tmp_path: Path) -> None:
    settings.SECRET_KEY, settings.VAR = "of the new place", tmp_path / "var"
    settings.ENV_FILE = tmp_path / "parlour.env"
    settings.ENV_FILE.write_text("# ours\nSECRET_KEY='of the new place'\nPORT=8000\n")
    said = keys.put_back("of the backup")
    assert settings.ENV_FILE.read_text() == "# ours\nSECRET_KEY='of the backup'\nPORT=8000\n"
    assert "parlour.env.before-restore" in said
    settings.ENV_FILE = None
    assert "log in again" in keys.put_back("of the backup")
    settings.VAR.mkdir()
    (settings.VAR / "secret_key").write_text("of the new place")
    keys.put_back("of the backup")
    assert (settings.VAR / "secret_key").read_text() == "of the backup"


def test_backup_contains_all_files_in_its_manifest(backup: Path) -> None:
    with tarfile.open(backup) as tar:
        names = tar.getnames()
        listed = tar.extractfile(archive.MANIFEST)
        assert listed is not None
        manifest = json.load(listed)
    assert names == [archive.MANIFEST, archive.KEY, archive.SQLITE]
    assert set(manifest["sums"]) == {archive.KEY, archive.SQLITE}
