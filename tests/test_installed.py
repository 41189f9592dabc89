"""Which of the machine's programs the tests start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import installed


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose programs are those in this folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    return tmp_path


def put(machine: Path, *programs: str) -> None:
    for name in programs:
        (machine / name).touch(0o755)


def test_a_headless_shell_is_preferred_to_a_whole_chromium(machine: Path) -> None:
    assert installed.chromium() is None
    put(machine, "chromium")
    assert installed.chromium() == str(machine / "chromium")
    assert installed.quick_chromium() is None
    put(machine, "chromium-headless-shell")
    shell = str(machine / "chromium-headless-shell")
    assert installed.chromium() == installed.quick_chromium() == shell


def test_whoever_names_a_chromium_gets_that_one(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(machine, "chromium-headless-shell")
    monkeypatch.setenv("CHROMIUM", "/opt/mine")
    assert installed.chromium() == installed.quick_chromium() == "/opt/mine"
