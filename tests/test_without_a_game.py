"""Without the folder of a game and its line in the list, everything else works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.kit.repository import ROOT

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "var", "node_modules", ".*_cache")


def run(project: Path, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=300,
        env={
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "STATIC_ROOT": str(project / "collected"),
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("slug", GAMES)
def test_everything_else_works_without_a_game(slug: str, tmp_path: Path) -> None:
    project, other = tmp_path / "parlour", next(one for one in GAMES if one != slug)
    shutil.copytree(ROOT, project, ignore=LEFT_OUT)
    shutil.rmtree(project / "games" / slug)
    registry = project / "games" / "registry.py"
    registry.write_text(registry.read_text("utf-8").replace(f'    "{slug}",\n', ""), "utf-8")
    run(project, "manage.py", "check")
    run(project, "manage.py", "collectstatic", "--noinput", "--verbosity=0")
    start = "test_every_game_has_a_poster_to_play_it_to_learn_it_or_to_invite_friends"
    tests = (f"tests/lobby/test_front.py::{start}", f"games/{other}/tests")
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", *tests)
    assert "[100%]" in said
