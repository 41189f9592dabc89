"""Every game keeps every law, over sizes, options and seeds."""

from __future__ import annotations

from games.rules.core import AnyGame, Options
from games.rules.data import Seat
from tests.kit import laws
from tests.kit.cases import moments, over_all_games, secrets, subsets, usual
from tests.kit.play import match


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
