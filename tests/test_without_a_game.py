"""If a game's folder and its line in the list are removed, everything else works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.kit.copies import copied, run


@pytest.mark.parametrize("slug", GAMES)
def test_everything_else_works_without_a_game(slug: str, tmp_path: Path) -> None:
    project, other = copied(tmp_path), next(one for one in GAMES if one != slug)
    shutil.rmtree(project / "games" / slug)
    registry = project / "games" / "registry.py"
    registry.write_text(registry.read_text("utf-8").replace(f'    "{slug}",\n', ""), "utf-8")
    run(project, "manage.py", "check")
    static = str(tmp_path / "static")
    run(project, "manage.py", "collectstatic", "--noinput", "--verbosity=0", STATIC_ROOT=static)
    start = "test_every_game_has_a_poster_to_play_it_to_learn_it_or_to_invite_friends"
    tests = (f"tests/lobby/test_front.py::{start}", f"games/{other}/tests")
    tests += ("-k", "not bots and not hard")  # strength does not depend on other games
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", *tests)
    assert "[100%]" in said
