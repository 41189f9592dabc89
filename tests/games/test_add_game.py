"""`manage.py add_game`: what it makes is a game that keeps every law and can be played."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "node_modules", ".*_cache")
"""Bytecode is copied: nothing has to be compiled again."""


def run(project: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=project, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_new_game_is_made_checked_and_played(tmp_path: Path) -> None:
    project = tmp_path / "parlour"
    shutil.copytree(settings.BASE_DIR, project, ignore=LEFT_OUT)
    said = run(project, "manage.py", "add_game", "Night Watch")
    assert "Night Watch is in the list" in said
    changed = (project / "games/registry.py").read_text().splitlines()
    kept = (settings.BASE_DIR / "games/registry.py").read_text().splitlines()
    assert [line for line in changed if line not in kept] == ['    "night_watch",']
    run(project, "-m", "tests.rules.golden")
    wanted = "night_watch and not arena"
    tests = ["tests/rules", "tests/wire/test_whole_matches.py", "tests/games"]
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", "-k", wanted, *tests)
    assert "[100%]" in said
    assert "failed" not in said
    said = run(project, "manage.py", "check")
    assert [line for line in said.splitlines() if "Night Watch" in line] == [
        "?: (games.I001) Night Watch has no look of its own; the generic regions draw it.",
        "?: (games.I002) Night Watch is not looked back on at the end.",
    ]
    run(project, "-m", "mypy", "games/contract/night_watch")
    run(project, "-m", "ruff", "check", "games/contract/night_watch")
    run(project, "-m", "ruff", "format", "--check", "games/rules", "tests/rules/secrets")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "begins with a letter"),
        ("21", "begins with a letter"),
        ("class", "begins with a letter"),
        ('Say "uncle"', "at most 40"),
        ("x" * 41, "at most 40"),
        ("Mia", "something called mia"),
    ],
)
def test_a_name_that_will_not_do_gets_a_sentence(name: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("add_game", name)
