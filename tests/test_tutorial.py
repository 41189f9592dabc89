"""The tutorial works as printed: its blocks, written in order, make a game that passes the laws."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.copies import copied, run
from tests.kit.repository import ROOT
from tests.kit.tutorial import follow, steps_of

TUTORIAL = ROOT / "docs/add-a-game.md"
SLUG = "liars_dice"
WORDS_A_MINUTE, MINUTES = 200, 30
LINES = 110
"""Maximum lines of the game after the first chapter, without blank lines."""


@pytest.mark.slow
def test_tutorial_game_builds_and_plays(tmp_path: Path) -> None:
    project = copied(tmp_path)
    registry = project / "games/registry.py"
    registry.write_text(registry.read_text().replace("\n)\n", f'\n    "{SLUG}",\n)\n', 1))
    first, *others = steps_of(TUTORIAL.read_text())
    follow(project, first)
    folder = project / "games" / SLUG
    lines = [line for path in folder.rglob("*.py") for line in path.read_text().splitlines()]
    assert len([line for line in lines if line.strip()]) <= LINES
    assert "random" in run(project, "manage.py", "arena", SLUG, "--games", "20")
    run(project, "manage.py", "check")
    _tested(project, "tests/games/test_generic_regions.py", "-k", SLUG)

    for blocks in others:
        follow(project, blocks)
    run(project, "-m", "ruff", "check", "-q", "--fix", f"games/{SLUG}")
    run(project, "-m", "ruff", "format", "-q", f"games/{SLUG}")
    run(project, "-m", "ruff", "check", f"games/{SLUG}")
    run(project, "-m", "mypy", f"games/{SLUG}")
    said = run(project, "manage.py", "check")
    assert [line for line in said.splitlines() if "Liar's Dice" in line] == [
        "?: (games.I002) Liar's Dice has no recap at the end of matches.",
    ]
    run(project, "-m", "tests.rules.golden")
    _tested(project, "tests/rules", f"games/{SLUG}", "-k", f"{SLUG} and not arena")


def _tested(project: Path, *arguments: str) -> None:
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", *arguments)
    assert "[100%]" in said
    assert "failed" not in said


def test_tutorial_can_be_read_in_half_an_hour() -> None:
    assert len(TUTORIAL.read_text().split()) <= WORDS_A_MINUTE * MINUTES
