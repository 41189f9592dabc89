"""Where a server writes its files, and its error messages if it cannot write them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import places
from tests.kit.served import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: Any) -> Path:
    """An installed wheel, an empty home folder, and an empty current folder."""
    project = tmp_path / "parlour" / "project"
    project.mkdir(parents=True)
    (project.parent / "__main__.py").touch()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("PARLOUR_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return project


def test_a_checkout_keeps_its_data_beside_the_code(monkeypatch: Any) -> None:
    monkeypatch.delenv("PARLOUR_DATA", raising=False)
    assert places.data_folder(ROOT) == ROOT
    assert not places.is_installed(ROOT)


def test_wheel_keeps_its_data_in_the_users_data_folder(wheel: Path, monkeypatch: Any) -> None:
    assert places.is_installed(wheel)
    assert places.data_folder(wheel) == Path.home() / ".local" / "share" / "parlour"
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    assert places.data_folder(wheel) == Path("/srv/data/parlour")


@pytest.mark.parametrize("mark", places.MARKS)
def test_current_folder_is_used_if_it_already_has_data(wheel: Path, mark: str) -> None:
    (Path.cwd() / mark).parent.mkdir(exist_ok=True)
    (Path.cwd() / mark).touch()
    assert places.data_folder(wheel) == Path.cwd()


def test_parlour_data_takes_precedence(wheel: Path, monkeypatch: Any) -> None:
    (Path.cwd() / "parlour.env").touch()
    monkeypatch.setenv("PARLOUR_DATA", "elsewhere")
    assert places.data_folder(wheel) == Path.cwd() / "elsewhere" == places.data_folder(ROOT)


def test_data_folder_is_private(tmp_path: Path) -> None:
    places.make(tmp_path / "club" / "var")
    assert (tmp_path / "club" / "var").stat().st_mode & 0o777 == 0o700


def test_sqlite_files_are_private_wherever_they_are(tmp_path: Path) -> None:
    file = tmp_path / "club.sqlite3"
    env = {"PATH": os.defpath, "PARLOUR_ENV": "", "DATABASE_URL": f"sqlite:///{file}"}
    look = "import os, glob; from django.db import connection as c; c.cursor()"
    told = f"{look}; print({{oct(os.stat(f).st_mode)[-3:] for f in glob.glob('{file}*')}})"
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", told]
    for _ in ("a new file", "a file that others could read"):
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.stdout.strip() == "{'600'}", done.stderr
        file.chmod(0o644)


def test_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="Set --data or PARLOUR_DATA to another"):
        places.make(tmp_path / "file" / "var")


def command(*given: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.defpath, "PARLOUR_ENV": ""}
    called = [sys.executable, "manage.py", *given]
    return subprocess.run(called, cwd=ROOT, env=env, capture_output=True, text=True)


def test_any_command_accepts_a_data_folder(tmp_path: Path) -> None:
    where = "import django.conf as c; print(c.settings.DATA_DIR)"
    given = ("shell", "-v", "0", "-c", where, f"--data={tmp_path}/new")
    assert command(*given).stdout.strip().endswith(f"{tmp_path}/new")
    assert (tmp_path / "new" / "var" / "secret_key").exists()


def test_database_without_tables_is_reported(tmp_path: Path) -> None:
    said = command("changepassword", "ann", f"--data={tmp_path}").stderr
    assert said.startswith("The database cannot be used: no such table")
    assert "manage.py prepare" in said
    assert "Traceback" not in said


def test_data_option_without_a_folder_is_reported() -> None:
    assert command("prepare", "--data").stderr == "--data takes a folder.\n"
