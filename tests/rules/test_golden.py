"""A recorded match still looks the same to everybody when replayed."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from games.contract.game import AnyGame
from games.registry import GAMES
from tests.rules import golden

HINT = "If this is meant: python -m tests.rules.golden"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_recorded_match_replays_unchanged(game: AnyGame) -> None:
    path = golden.path_of(game)
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = golden.transcript(game).splitlines()
    diff = list(unified_diff(kept, found, "as it was", "as it is", n=2, lineterm=""))
    assert not diff, "\n".join([*diff[:60], HINT])
