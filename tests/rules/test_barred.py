"""What is shown as impossible now really is, and for the reason that is given."""

from __future__ import annotations

import pytest

from games.rules import GAMES
from games.rules.choices import move_types
from games.rules.core import AnyGame, Options, Refused
from games.rules.luck import Luck
from tests.kit.cases import over_all_games
from tests.kit.play import Walk, match, troubled


def without_arguments(game: AnyGame) -> dict[str, object]:
    """The moves of a game that have no argument, by name."""
    types = move_types(game.moves)
    return {name: type_() for name, type_ in types.items() if not type_.__struct_fields__}


@over_all_games
def test_a_barred_move_is_not_offered_and_is_refused_for_that_reason(
    game: AnyGame, n: int, options: Options
) -> None:
    bare = without_arguments(game)
    for seed in range(2):
        for walk in match(game, n, options, seed, troubled if seed else Walk.some_act):
            for seat in walk.seats:
                barred = game.barred(walk.state, seat)
                assert not set(barred) & {offer.move for offer in game.offers(walk.state, seat)}
                for name in set(barred) & set(bare):
                    with pytest.raises(Refused) as refused:
                        game.apply(walk.state, seat, bare[name], Luck(b"barred", 1))
                    assert refused.value.code == barred[name].code
                    assert refused.value.facts == barred[name].facts


@pytest.mark.parametrize("slug", ["chamber", "secret_hitler", "cards", "coup"])
def test_it_happens(slug: str) -> None:
    game = GAMES[slug]
    codes = {
        refused.code
        for seed in range(8)
        for walk in match(game, max(4, game.seats[0]), game.options(), seed, Walk.some_act)
        for seat in walk.seats
        for refused in game.barred(walk.state, seat).values()
    }
    assert codes
