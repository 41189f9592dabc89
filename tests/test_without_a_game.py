"""If a game's folder and its line in the list are removed, everything else works.

`test_games_apart` checks that games name no other game, so several can be removed at once.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from games.registry import GAMES
from tests.kit.copies import copied, run

pytestmark = pytest.mark.slow

WITH_PAGES_OF_ITS_OWN = {"cards", "mia"}
"""Games that bring more than tables: decks, and a server over UDP."""


@pytest.mark.parametrize("removed", [WITH_PAGES_OF_ITS_OWN, GAMES.keys() - WITH_PAGES_OF_ITS_OWN])
def test_everything_else_works_if_a_game_is_removed(removed: set[str], tmp_path: Path) -> None:
    project, other = copied(tmp_path), min(GAMES.keys() - removed)
    registry = project / "games" / "registry.py"
    for slug in removed:
        shutil.rmtree(project / "games" / slug)
        registry.write_text(registry.read_text("utf-8").replace(f'    "{slug}",\n', ""), "utf-8")
    run(project, "manage.py", "check")
    static = str(tmp_path / "static")
    run(project, "manage.py", "collectstatic", "--noinput", "--verbosity=0", STATIC_ROOT=static)
    start = "test_every_game_has_a_poster_with_buttons_for_each_way_to_play"
    tests = (f"tests/lobby/test_front.py::{start}", f"games/{other}/tests")
    tests += ("-k", "not bots and not hard")  # strength does not depend on other games
    said = run(project, "-m", "pytest", "-q", "-p", "no:xdist", *tests)
    assert "[100%]" in said
