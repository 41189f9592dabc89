"""The project itself: import contracts, types, lock files and settings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

ROOT = Path(__file__).parent.parent


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_import_contracts_hold() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_mypy_passes() -> None:
    """Writing a cache would take a quarter of the time."""
    assert not run("mypy", "--cache-dir", os.devnull)


def test_ruff_passes() -> None:
    assert not run("ruff", "check", ".")
    assert not run("ruff", "format", "--check", ".")


FIXED_SLEEP = re.compile(r"wait_for_timeout\(|networkidle|\btime\.sleep\((?!BETWEEN)")
WAITS = {"tests/kit/browser.py"}
"""Files that may sleep, to let browser events through while they wait for a condition."""


def test_tests_use_no_fixed_sleeps() -> None:
    folders = ("tests/browser", "tests/chaos", "tests/games", "tests/kit", "tests/programs")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in WAITS and path.name != "udp.py"
        for line in path.read_text().splitlines()
        if FIXED_SLEEP.search(line)
    ]
    assert not found


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_daphne_is_not_an_installed_app() -> None:
    """As an app, daphne would import Twisted into every process: a third of the startup time."""
    assert "daphne" not in settings.INSTALLED_APPS


def test_redis_is_imported_at_module_level_only_in_accounts_counts() -> None:
    """The import takes a tenth of the startup time. Only `SharedCounts` needs it."""
    folders = ("accounts", "chat", "config", "games", "lobby", "moderation", "operations")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    first = re.compile(r"^(?:from|import) redis\b", re.M)
    loads = [str(path.relative_to(ROOT)) for path in files if first.search(path.read_text())]
    assert loads == ["accounts/counts.py"]


def test_development_server_supports_websockets() -> None:
    """`runserver` must be daphne's, because Django's has no WebSockets."""
    command = [sys.executable, "manage.py", "runserver", "--help"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "--http_timeout" in said.stdout, said.stderr


def test_every_setting_is_documented() -> None:
    asked = set(re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "config" / "settings.py").read_text()))
    documented = (ROOT / "docs" / "settings.md").read_text()
    assert not [name for name in asked if f"`{name}`" not in documented]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_pin_hashes_and_name_no_host(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text


def test_readme_and_ci_use_the_same_test_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert "make test" in (ROOT / "README.md").read_text()


def test_no_test_module_is_imported() -> None:
    """Test modules are never imported, so that they can be moved, split and deleted."""
    imports = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)?(?:test_\w+|conftest)\b", re.M)
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
    assert not [str(f.relative_to(ROOT)) for f in files if imports.search(f.read_text("utf-8"))]
