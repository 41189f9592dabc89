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


def test_leaving_on_turn_fires_no_shell():
    """Example 29."""
    state = table("Lb", items={A: ["skip"]}, aim=Aim(double_damage=True))
    change = leave(state, A)
    assert told(change) == (PlayerEliminated(A, None),)
    assert change.state.players[A] == Player(lives=0)
    assert change.state.ammo == state.ammo
    assert on_turn(change.state) == (B, 1)
    assert not change.state.aim.double_damage
    assert change.state.clock > state.clock


def test_remaining_player_of_two_wins():
    """Example 29, last sentence."""
    outcome = GAME.rules.outcome(leave(table(n=2), A).state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((B,), "last_alive")


def test_leaving_out_of_turn_keeps_the_shooters_prompt():
    state = replace(table(), players=(*table().players[:2], Player(lives=5, is_skipped=True)))
    after = leave(state, C).state
    assert after.players[C] == Player(lives=0)
    assert on_turn(after) == on_turn(state)
    assert (after.clock, after.prompts[A]) == (state.clock, state.prompts[A])
    assert GAME.rules.offers(after, A)[0].args["username"].one_of == (A, B)


def with_skip_on_b(state):
    return (state.players[A], replace(state.players[B], is_skipped=True), state.players[C])


def test_skipped_next_seat_is_passed_over_after_a_leave():
    state = table()
    state = replace(state, players=with_skip_on_b(state))
    assert on_turn(leave(state, A).state) == (C, 2)


def test_leaver_is_no_longer_awaited_in_the_window():
    state = window(1, 1, {A: ["rebalancer"], C: ["rebalancer"]})
    one = leave(state, C)
    assert GAME.rules.awaited(one.state) == (A,)
    assert told(one) == (PlayerEliminated(C, None),)
    assert (one.state.clock, one.state.prompts[A]) == (state.clock, state.prompts[A])


def test_window_closes_when_the_last_undecided_player_leaves():
    state = window(1, 1, {C: ["rebalancer"]})
    change = leave(state, C, chamber=[(1, 0)], starter=[1])
    assert told(change) == (PlayerEliminated(C, None), ChamberLoaded(1, 1))
    assert on_turn(change.state) == (B, 1)


def test_leaving_the_window_without_a_rebalancer_keeps_the_prompts():
    state = window(1, 1, {A: ["rebalancer"]})
    after = leave(state, B).state
    assert GAME.rules.awaited(after) == (A,)
    assert (after.clock, after.prompts[A]) == (state.clock, state.prompts[A])


def test_leaving_twice_or_after_elimination_has_no_effect():
    gone = leave(table(), B).state
    assert leave(gone, B).state == gone
    assert leave(gone, B).told == ()
    over = leave(gone, C).state
    assert leave(over, A).state == over


def test_places_are_in_reverse_order_of_elimination():
    state = table("LLLL", n=4, lives={D: 1, B: 1})
    after = leave(play(play(state, A, ShootPlayer(D)), B, ShootPlayer(B)), A).state
    outcome = GAME.rules.outcome(after)
    assert outcome is not None
    assert outcome.places == ((C,), (A,), (B,), (D,))


def test_deadline_restarts_with_each_turn_and_free_shot():
    state = table("bbbL", items={A: ["add_life", "chamber_check"]})
    item = play(state, A, UseAddLifeItem(), UseChamberCheckItem())
    assert item.clock == state.clock
    free = play(item, A, ShootPlayer(A))
    assert free.clock > item.clock
    assert play(free, A, ShootPlayer(B)).clock > free.clock


# Each row of the table of hidden information.


def test_checked_shell_is_known_until_the_next_shot():
    state = table("bLb", items={A: ["chamber_check", "add_life"]})
    checked = play(state, A, UseChamberCheckItem(), UseAddLifeItem())
    assert GAME.rules.view(checked, A).known_next == "blank"
    assert GAME.rules.view(play(checked, A, ShootPlayer(A)), A).known_next is None
