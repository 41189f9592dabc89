"""The arena: bots against bots."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.arena import compare
from games.rules import GAMES


@pytest.mark.parametrize("slug", GAMES)
def test_every_bot_moves_legally_and_the_good_one_beats_random(slug: str) -> None:
    game = GAMES[slug]
    seats = max(3, game.seats[0])
    found = {
        level: compare(slug, game.options(), seats, level, "random", 60, workers=1)
        for level in game.bots
    }
    assert all(tally.illegal == tally.fallbacks == 0 for tally in found.values())
    assert found["normal"].rate > 1 / seats + 0.1
    assert abs(found["random"].rate - 1 / seats) < 0.2


def test_the_command_prints_a_row_per_level(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("arena", "mia", games=20, seats=2, bots="normal")
    said = capsys.readouterr().out
    assert "normal" in said
    assert "fair share 0.500" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, "There is no game chess"),
        ({"game": "mia", "seats": 9}, "2 to 8 players"),
        ({"game": "mia", "bots": "clever"}, "There is no bot clever"),
        ({"game": "mia", "options": ["lives=99"]}, "has to be one of"),
        ({"game": "mia", "games": 0}, "At least one"),
    ],
)
def test_bad_arguments_get_a_sentence(given: dict[str, object], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("arena", given.pop("game"), **given)
