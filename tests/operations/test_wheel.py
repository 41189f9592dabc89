"""`pip install` of the wheel, then `parlour`, in an empty environment without a checkout."""

from __future__ import annotations

import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from operations.deployment import env_text
from tests.kit.plain_browser import Browser
from tests.kit.served import ROOT
from tests.kit.wheel import Installed, build

pytestmark = pytest.mark.slow

LEFT_OUT = re.compile(
    r"\.|(tests|tools|examples|docs|parlour)/|games/\w+/tests/|(games/)?conftest\.py$|"
    r"(Makefile|README\.md|CONTRIBUTING\.md)$|requirements-dev\.lock$"
)
"""Files a server does not need."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    made = Installed(tmp_path_factory.mktemp("installed"))
    made.install(wheel)
    yield made
    made.stop()


def version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def test_wheel_contains_all_server_files_in_one_package(wheel: Path) -> None:
    git = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    ours = subprocess.run(git, check=True, capture_output=True, text=True).stdout.split("\n")
    wanted = {name for name in ours if name and not LEFT_OUT.match(name)}
    found = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in found} == {
        *("parlour", f"parlour-{version()}.dist-info")
    }
    project = {name.removeprefix("parlour/project/") for name in found}
    assert not wanted - project
    assert any(name.endswith(".dist-info/sboms/sbom.cdx.json") for name in found)


def test_version_and_help_create_no_files(installed: Installed) -> None:
    assert installed.run("--version").stdout == f"Parlour {version()}\n"
    said = installed.run("--help").stdout
    for word in ("parlour run", "parlour deploy", "parlour doctor", "parlour backup", "--data"):
        assert word in said
    assert not installed.home.exists()
    assert not list(installed.root.iterdir())


def test_one_command_starts_a_server_on_which_a_guest_opens_a_table(installed: Installed) -> None:
    before = installed.files_of_ours()
    installed.start()
    try:
        ann = Browser(installed.url)
        front = ann.get("/")
        static = re.search(r"/static/app\.[^\"]+\.css", front)
        assert static is not None
        assert "{" in ann.get(static[0])
        table = ann.post("/", "/invite/", name="Ann", game="mia")
        assert re.search(r"/t/[A-Z0-9]+/$", ann.at), table
        assert "Ann" in table
    finally:
        assert installed.process is not None
        process = installed.process
        installed.stop()
    assert process.returncode == 0, installed.said()
    data = installed.home / ".local" / "share" / "parlour"
    assert f"All data are in {data}." in installed.said()
    assert (data / "var" / "parlour.sqlite3").exists()
    assert not list(installed.root.iterdir())
    assert installed.files_of_ours() == before


def test_deploy_uses_the_installed_command_and_its_data_folder(installed: Installed) -> None:
    data = installed.folder / "club"
    given = ("--url", "https://play.example.org", "--yes", "--data", str(data))
    said = installed.run("deploy", *given).stdout
    unit = (data / "deploy" / "parlour@.service").read_text()
    assert f"ExecStart={installed.command} serve --port %i --workers 1\n" in unit
    assert f"PARLOUR_DATA={data}\n" in unit
    backup = (data / "deploy" / "parlour-backup.service").read_text()
    assert f"ExecStart={installed.command} backup {data}/var/backups/" in backup
    found = env_text.read((data / "parlour.env").read_text())
    assert found["DATABASE_URL"] == f"sqlite:///{data}/var/parlour.sqlite3"
    assert f"{installed.command} --data {data} doctor" in said
    assert "manage.py" not in said + unit + backup


def test_command_that_needs_a_checkout_reports_it(installed: Installed) -> None:
    assert "Clone Parlour first" in installed.run("add_game", "Night Watch").stderr
