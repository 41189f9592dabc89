"""Every game keeps every law, over sizes, options and seeds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.core import AnyGame, Options
from tests.rules import laws

SEEDS = range(3)


def secrets(game: AnyGame) -> Any:
    """What the tests of a game say is hidden in it, and what always holds."""
    return import_module(f"tests.rules.secrets.{game.slug}")


CASES = [
    pytest.param(game, n, options, id=f"{game.slug}-{n}-{at}")
    for game in GAMES.values()
    for at, options in enumerate(secrets(game).OPTIONS)
    for n in sorted({game.seats[0], (game.seats[0] + game.seats[1]) // 2, game.seats[1]})
]
over_all_games = pytest.mark.parametrize(("game", "n", "options"), CASES)


@over_all_games
def test_it_ends_whoever_is_silent_or_leaves(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(12):
        laws.it_ends(game, n, options, seed)
    laws.everyone_silent_ends(game, n, options, 1)


@over_all_games
def test_the_same_luck_makes_the_same_match(game: AnyGame, n: int, options: Options) -> None:
    for seed in SEEDS:
        laws.same_luck_same_match(game, n, options, seed)


@over_all_games
def test_everything_survives_json(game: AnyGame, n: int, options: Options) -> None:
    for walk in laws.walks(game, n, options, 5):
        laws.survives_json(walk)


@over_all_games
def test_a_move_is_accepted_exactly_when_it_is_offered(
    game: AnyGame, n: int, options: Options
) -> None:
    for seed in SEEDS:
        for walk in laws.walks(game, n, options, seed):
            laws.accepted_is_offered(walk)


@over_all_games
def test_secrets_make_no_difference_to_who_may_not_know_them(
    game: AnyGame, n: int, options: Options
) -> None:
    for seed in range(5):
        for walk in laws.walks(game, n, options, seed):
            laws.non_interference(walk, secrets(game).scramble)
            laws.told_only_to_whom_it_concerns(walk)


@over_all_games
def test_nothing_is_lost_or_made_of_nothing(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(8):
        for walk in laws.walks(game, n, options, seed):
            secrets(game).invariants(walk.state)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_everybody_who_had_a_seat_has_a_place(game: AnyGame) -> None:
    for n in range(game.seats[0], game.seats[1] + 1):
        *_, walk = laws.walks(game, n, secrets(game).OPTIONS[0], n)
        outcome = game.outcome(walk.state)
        assert outcome is not None
        seated = sorted(seat for group in outcome.places for seat in group)
        assert seated == list(range(n))
        assert set(outcome.winners) <= set(outcome.places[0])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_event_move_and_field_has_its_words(game: AnyGame) -> None:
    words = game.words(game.options())
    for offered in laws.move_types(game.moves):
        assert words.move(offered).id
    for options in secrets(game).OPTIONS:
        for walk in laws.walks(game, game.seats[1], options, 3):
            for told in walk.change.told:
                assert words.event(told.event).id
