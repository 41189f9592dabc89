"""Chamber: options, the deck, and the end. Examples: docs/rules/chamber.md §9."""

from collections import Counter

import pytest

from games.chamber import GAME
from games.chamber.rules.play import check
from games.chamber.rules.rounds import item_copies, item_deck
from games.chamber.rules.state import Options, ShootPlayer
from games.chamber.tests.tables import A, B, C, D, apply, names, on_turn, table
from games.contract.core import Refused


def test_add_life_is_replaced_by_double_damage_in_later_rounds():
    """Example 27."""
    early, late = (Counter(item_deck(Options(), 4, number)) for number in (5, 6))
    assert (early["add_life"], early["double_damage"]) == (4, 4)
    assert (late["add_life"], late["double_damage"]) == (0, 8)
    none = Counter(item_deck(Options(add_life_rounds=0), 4, 1))
    assert (none["add_life"], none["double_damage"]) == (0, 8)


@pytest.mark.parametrize(("seats", "items", "copies"), [(2, 4, 4), (6, 4, 6), (8, 8, 10)])
def test_automatic_number_of_copies_always_suffices(seats, items, copies):
    """Example 32, first half."""
    options = Options(items_per_round=items)
    assert item_copies(options, seats) == copies
    assert items * seats <= 7 * copies
    check(options, seats)


@pytest.mark.parametrize(
    ("options", "seats", "option", "allowed"),
    [
        (Options(live_min=4, live_max=3), None, "liveMax", "4-8"),
        (Options(blank_min=8, blank_max=0), None, "blankMax", "8-8"),
        (Options(max_lives=4), None, "maxLives", "0, 5-30"),
        (Options(rebalance_cap=49), None, "rebalanceCap", "0, 50-90"),
        (Options(shoot_air_copies=2), None, "maxRounds", "1-200"),
        (Options(items_per_round=8, item_copies=8), 8, "itemsPerRound", "0-7"),
    ],
)
def test_contradictory_options_are_refused(options, seats, option, allowed):
    """Example 32: the refusals."""
    with pytest.raises(Refused) as refused:
        check(options, seats)
    assert refused.value.code == "bad_options"
    assert refused.value.facts == {"option": option, "allowed": allowed}


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (Options(), 8),
        (Options(rebalance_cap=50), 8),
        (Options(live_min=8, live_max=8, blank_min=0, blank_max=0, max_lives=5), 8),
        (Options(items_per_round=8, item_copies=8), 7),
        (Options(items_per_round=8, item_copies=8, shoot_air_copies=8, max_rounds=1), 8),
    ],
)
def test_options_at_their_limits_are_allowed(options, seats):
    check(options, seats)


def test_most_lives_win_after_the_last_round():
    options = Options(max_rounds=1)
    state = table("b", n=4, lives={A: 2, B: 4, C: 4, D: 0}, fallen=(D,), options=options)
    change = apply(state, A, ShootPlayer(A))
    outcome = GAME.rules.outcome(change.state)
    assert outcome is not None
    assert outcome.winners == (B, C)
    assert outcome.places == ((B, C), (A,), (D,))
    assert (outcome.points, outcome.reason) == (None, "max_rounds")
    assert names(change) == ["ShootPlayer", "RoundEnded"]
    assert GAME.rules.awaited(change.state) == ()
    assert on_turn(change.state) == (None, 1)
    assert GAME.rules.patience(change.state) is None


def test_kill_in_the_last_round_wins_by_survival():
    state = table("L", n=2, lives={B: 1}, options=Options(max_rounds=1))
    outcome = GAME.rules.outcome(apply(state, A, ShootPlayer(B)).state)
    assert outcome is not None
    assert outcome.reason == "last_alive"
