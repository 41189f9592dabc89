"""A recorded match still looks the same to everybody when replayed."""

from __future__ import annotations

from difflib import unified_diff
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.game import AnyGame
from games.registry import GAMES
from tests.kit.altered import altered
from tests.rules import golden

HINT = "If this is meant: python -m tests.rules.golden"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_match_is_seen_as_it_was(game: AnyGame) -> None:
    path = golden.path_of(game)
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = golden.transcript(game).splitlines()
    diff = list(unified_diff(kept, found, "as it was", "as it is", n=2, lineterm=""))
    assert not diff, "\n".join([*diff[:60], HINT])


def test_what_one_seat_sees_is_told_of_that_seat() -> None:
    mia = golden.transcript(GAMES["mia"]).splitlines()
    rolled = next(line for line in mia if '"type":"Rolled"' in line)
    (roller, _, _) = rolled.strip().partition(":")
    at = mia.index(rolled)
    (seen,) = [line for line in mia[at : at + 20] if " dice = " in line][:1]
    assert seen.strip().startswith(f"{roller} dice = ")


def test_another_view_makes_a_difference() -> None:
    game = GAMES["mia"]

    def view(state: Any, viewer: Any) -> Any:
        return changed(game.rules.view(state, viewer), round=state.round + 1)

    assert golden.transcript(altered(game, view=view)) != golden.transcript(game)
