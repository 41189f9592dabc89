"""Chamber: leaving, deadlines, views. Examples: docs/rules/chamber.md §9."""

from msgspec.structs import replace

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    ChamberLoaded,
    Player,
    PlayerEliminated,
    ShootPlayer,
    UseAddLifeItem,
    UseChamberCheckItem,
)
from games.chamber.tests.tables import (
    A,
    B,
    C,
    D,
    on_turn,
    play,
    table,
    told,
    window,
)
from games.contract.luck import ScriptedLuck


def leave(state, seat, **script):
    return GAME.rules.leave(state, seat, ScriptedLuck(**script))


def test_whoever_leaves_on_turn_fires_no_round():
    """Example 29."""
    state = table("Lb", items={A: ["skip"]}, aim=Aim(double_damage=True))
    change = leave(state, A)
    assert told(change) == (PlayerEliminated(A, None),)
    assert change.state.players[A] == Player(lives=0)
    assert change.state.ammo == state.ammo
    assert on_turn(change.state) == (B, 1)
    assert not change.state.aim.double_damage
    assert change.state.clock > state.clock


def test_with_two_players_the_one_who_stays_wins():
    """Example 29, last sentence."""
    outcome = GAME.rules.outcome(leave(table(n=2), A).state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((B,), "last_alive")


def test_leaving_out_of_turn_leaves_the_shooter_its_question():
    state = replace(table(), players=(*table().players[:2], Player(lives=5, is_skipped=True)))
    after = leave(state, C).state
    assert after.players[C] == Player(lives=0)
    assert on_turn(after) == on_turn(state)
    assert (after.clock, after.prompts[A]) == (state.clock, state.prompts[A])
    assert GAME.rules.offers(after, A)[0].args["username"].one_of == (A, B)


def with_skip_on_b(state):
    return (state.players[A], replace(state.players[B], is_skipped=True), state.players[C])


def test_the_next_seat_is_passed_over_when_skipped_after_a_leave():
    state = table()
    state = replace(state, players=with_skip_on_b(state))
    assert on_turn(leave(state, A).state) == (C, 2)


def test_whoever_leaves_the_window_is_no_longer_waited_for():
    state = window(1, 1, {A: ["rebalancer"], C: ["rebalancer"]})
    one = leave(state, C)
    assert GAME.rules.awaited(one.state) == (A,)
    assert told(one) == (PlayerEliminated(C, None),)
    assert (one.state.clock, one.state.prompts[A]) == (state.clock, state.prompts[A])


def test_the_last_to_decide_closes_the_window_by_leaving():
    state = window(1, 1, {C: ["rebalancer"]})
    change = leave(state, C, chamber=[(1, 0)], starter=[1])
    assert told(change) == (PlayerEliminated(C, None), ChamberLoaded(1, 1))
    assert on_turn(change.state) == (B, 1)


def test_leaving_the_window_without_a_say_in_it_changes_no_question():
    state = window(1, 1, {A: ["rebalancer"]})
    after = leave(state, B).state
    assert GAME.rules.awaited(after) == (A,)
    assert (after.clock, after.prompts[A]) == (state.clock, state.prompts[A])


def test_leaving_twice_or_after_death_changes_nothing():
    gone = leave(table(), B).state
    assert leave(gone, B).state == gone
    assert leave(gone, B).told == ()
    over = leave(gone, C).state
    assert leave(over, A).state == over


def test_places_are_the_order_of_going_reversed():
    state = table("LLLL", n=4, lives={D: 1, B: 1})
    after = leave(play(play(state, A, ShootPlayer(D)), B, ShootPlayer(B)), A).state
    outcome = GAME.rules.outcome(after)
    assert outcome is not None
    assert outcome.places == ((C,), (A,), (B,), (D,))


def test_the_deadline_starts_anew_with_a_turn_and_after_a_free_shot():
    state = table("bbbL", items={A: ["add_life", "chamber_check"]})
    item = play(state, A, UseAddLifeItem(), UseChamberCheckItem())
    assert item.clock == state.clock
    free = play(item, A, ShootPlayer(A))
    assert free.clock > item.clock
    assert play(free, A, ShootPlayer(B)).clock > free.clock


# Each row of the table of hidden information.


def test_what_was_seen_is_known_until_a_round_is_drawn():
    state = table("bLb", items={A: ["chamber_check", "add_life"]})
    checked = play(state, A, UseChamberCheckItem(), UseAddLifeItem())
    assert GAME.rules.view(checked, A).known_next == "blank"
    assert GAME.rules.view(play(checked, A, ShootPlayer(A)), A).known_next is None
