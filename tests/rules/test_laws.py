"""Every game keeps every law, over sizes, options and seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.core import AnyGame, Options, all_seats
from games.rules.data import Seat
from games.rules.luck import Luck
from tests.rules import laws
from tests.rules.play import Act, Walk, match, troubled


def secrets(game: AnyGame) -> Any:
    """What the tests of a game say is hidden in it, and what always holds."""
    return import_module(f"tests.rules.secrets.{game.slug}")


CASES = [
    pytest.param(game, n, options, id=f"{game.slug}-{n}-{at}")
    for game in GAMES.values()
    for at, options in enumerate(secrets(game).OPTIONS)
    for n in sorted({game.seats[0], (game.seats[0] + game.seats[1]) // 2, game.seats[1]})
]
ACTS = 500
"""After so many no further match is begun, if there were two."""
EACH = 50
"""So many moments of a match are all looked at."""
over_all_games = pytest.mark.parametrize(("game", "n", "options"), CASES)


def subsets(n: int, seed: int) -> Iterator[tuple[Seat, ...]]:
    """Who is silent: for small tables every subset, for others some, everybody among them."""
    seats = all_seats(n)
    if n <= 4:
        yield from (some for size in range(n + 1) for some in combinations(seats, size))
        return
    yield seats
    luck = Luck(b"silent", seed)
    for _ in range(9):
        yield tuple(seat for seat in seats if luck.draw("silent", 2))


def usual(seed: int) -> Callable[[Walk], Act]:
    """How a random match is played: with troubles, every other one without."""
    return troubled if seed % 2 else Walk.some_act


def moments(game: AnyGame, n: int, options: Options, matches: int) -> Iterator[Walk]:
    """Moments of some matches, fewer of them where they are long: of each its beginning and end,
    and the rest ever more seldom."""
    luck, acts = Luck(b"moments", n), 0
    for seed in range(matches):
        if seed > 1 and acts > ACTS:
            return
        for walk in match(game, n, options, seed, usual(seed)):
            acts, at = acts + 1, len(walk.acts)
            if at < EACH or walk.over or luck.draw("moment", at) < EACH // 4:
                yield walk


@over_all_games
def test_it_ends_whoever_is_silent_or_leaves(game: AnyGame, n: int, options: Options) -> None:
    for seed, silent in enumerate(subsets(n, n)):
        laws.it_ends(game, n, options, seed, silent)
    laws.silence_ends(game, n, options, 1)
    for seed in range(4):
        laws.leaving_ends(game, n, options, seed)


@over_all_games
def test_the_same_luck_makes_the_same_match(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(3):
        laws.same_luck_same_match(game, n, options, seed)


@over_all_games
def test_everything_survives_json(game: AnyGame, n: int, options: Options) -> None:
    for walk in moments(game, n, options, 2):
        laws.survives_json(walk)


@over_all_games
def test_no_question_is_open_twice(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(3):
        before = None
        for walk in match(game, n, options, seed, usual(seed)):
            if before is not None:
                laws.no_question_is_open_twice(walk, before)
            before = walk.state


@over_all_games
def test_a_move_is_accepted_exactly_when_it_is_offered(
    game: AnyGame, n: int, options: Options
) -> None:
    for walk in moments(game, n, options, 4):
        laws.accepted_is_offered(walk)


@over_all_games
def test_secrets_make_no_difference_to_who_may_not_know_them(
    game: AnyGame, n: int, options: Options
) -> None:
    for walk in moments(game, n, options, 8):
        laws.hidden_things_make_no_difference(walk, secrets(game))


@over_all_games
def test_bots_play_legally_and_with_the_same_luck_the_same(
    game: AnyGame, n: int, options: Options
) -> None:
    laws.bots_are_legal(game, n, options, 2)


@over_all_games
def test_private_events_are_for_who_is_in(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(3):
        out: tuple[Seat, ...] = ()
        for walk in match(game, n, options, seed, usual(seed)):
            laws.told_to_whom_it_concerns(walk, out)
            out = game.out(walk.state)


@over_all_games
def test_nothing_is_lost_or_made_of_nothing(game: AnyGame, n: int, options: Options) -> None:
    for walk in moments(game, n, options, 6):
        secrets(game).invariants(walk.state)


@over_all_games
def test_everybody_who_had_a_seat_has_a_place(game: AnyGame, n: int, options: Options) -> None:
    for seed in range(4):
        *_, walk = match(game, n, options, seed, usual(seed))
        outcome = game.outcome(walk.state)
        assert outcome is not None
        seated = sorted(seat for group in outcome.places for seat in group)
        assert seated == list(walk.seats)
        assert all(outcome.places), "a place for nobody"
        assert not outcome.winners or outcome.winners == outcome.places[0]


@over_all_games
def test_every_event_question_and_button_has_its_words(
    game: AnyGame, n: int, options: Options
) -> None:
    words = game.words(options)
    laws.is_sentence(words.tagline)
    for offered in laws.move_types(game.moves):
        laws.is_sentence(words.move(offered))
    for text in words.terms.values():
        laws.is_sentence(text)
    for walk in moments(game, n, options, 2):
        laws.words_are_complete(walk)
