"""`manage.py add_game` creates a playable game that keeps every law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.kit.copies import copied, run
from tests.kit.repository import ROOT

FILES, LINES = 6, 250
"""Maximum size of the files that the command writes, without the line in the registry."""


@pytest.mark.slow
def test_new_game_passes_all_checks_and_is_playable(tmp_path: Path) -> None:
    project = copied(tmp_path)
    said = run(project, "manage.py", "add_game", "Night Watch")
    assert "Night Watch was added" in said
    made = written(project)
    assert {path.parts[:2] for path in made} == {("games", "night_watch")}
    assert len(made) <= FILES
    assert sum(len((project / path).read_text().splitlines()) for path in made) <= LINES
    changed = (project / "games/registry.py").read_text().splitlines()
    kept = (ROOT / "games/registry.py").read_text().splitlines()
    assert [line for line in changed if line not in kept] == ['    "night_watch",']
    run(project, "-m", "mypy", "games/night_watch")
    run(project, "-m", "ruff", "check", "games/night_watch")
    run(project, "-m", "ruff", "format", "--check", "games/night_watch", "games/registry.py")
    run(project, "-m", "tests.rules.golden")
    wanted = "night_watch and not arena"
    tests = ["tests/rules", "tests/wire/test_whole_matches.py", "tests/games"]
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", "-k", wanted, *tests)
    assert "[100%]" in said
    assert "failed" not in said
    said = run(project, "manage.py", "check")
    assert [line for line in said.splitlines() if "Night Watch" in line] == [
        "?: (games.I001) Night Watch has no templates. The generic regions are used.",
        "?: (games.I002) Night Watch has no recap at the end of matches.",
    ]


def written(project: Path) -> list[Path]:
    """Return the files of a copy that the project does not have, except bytecode."""
    found = (path.relative_to(project) for path in project.rglob("*") if path.is_file())
    return [
        path
        for path in found
        if path.suffix != ".pyc" and path.parts[0] != "var" and not (ROOT / path).exists()
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "begin with a letter"),
        ("class", "begin with a letter"),
        ('Say "uncle"', "at most 40"),
        ("The Longest Game of All", "more than 20 characters"),
        ("Mia", "games/mia already exists"),
        ("Checks", "games/checks already exists"),
    ],
)
def test_invalid_game_name_is_rejected_with_a_message(name: str, said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("add_game", name)


def test_nothing_is_written_if_the_list_of_games_is_not_found(
    tmp_path: Path, settings: Any
) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "tests").mkdir()
    (tmp_path / "games").mkdir()
    (tmp_path / "games/registry.py").write_text('SLUGS = ("mia", "coup")\n')
    with pytest.raises(CommandError, match="no list SLUGS"):
        call_command("add_game", "Night Watch")
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["registry.py"]
