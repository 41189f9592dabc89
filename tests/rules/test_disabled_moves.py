"""Some games show moves as currently impossible. `test_laws.py` checks that they are."""

from __future__ import annotations

import pytest

from games.registry import GAMES
from tests.kit.play import Playthrough, match


@pytest.mark.parametrize("slug", ["chamber", "cards", "coup"])
def test_disabled_moves_occur_in_play(slug: str) -> None:
    game = GAMES[slug]
    assert any(
        game.rules.disabled_moves(playthrough.state, seat)
        for seed in range(8)
        for playthrough in match(
            game, max(4, game.seats[0]), game.rules.options(), seed, Playthrough.some_act
        )
        for seat in playthrough.seats
    )
