"""Chamber: leaving, deadlines, views. Examples: docs/rules/chamber.md §9."""

import pytest
from msgspec.structs import replace

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    ChamberChecked,
    ChamberLoaded,
    ChamberSeen,
    Fired,
    Player,
    PlayerEliminated,
    Rounds,
    ShootPlayer,
    UseAddLifeItem,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    UseQuickshotItem,
)
from games.chamber.tests.tables import (
    A,
    B,
    C,
    D,
    apply,
    fresh_round,
    on_turn,
    play,
    table,
    told,
    window,
)
from games.contract.core import Ignored
from games.contract.data import encode
from games.contract.luck import ScriptedLuck

EVERY_VIEWER = (A, B, C, None)


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
    """Example 29, its last sentence."""
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


def test_a_match_may_end_in_the_window():
    state = window(2, 1, {A: ["rebalancer"]}, n=2)
    after = leave(state, B).state
    outcome = GAME.rules.outcome(after)
    assert outcome is not None
    assert outcome.winners == (A,)
    assert GAME.rules.awaited(after) == ()
    assert GAME.rules.view(after, None).ammo_deck == ()


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


def test_a_turn_and_the_window_have_their_times():
    assert GAME.rules.patience(table()) == 45
    assert GAME.rules.patience(window(1, 1, {A: ["rebalancer"]})) == 20


def test_nobody_moves_when_the_match_is_over():
    over = leave(table(n=2), A).state
    assert GAME.rules.offers(over, B) == ()
    with pytest.raises(Ignored):
        apply(over, B, ShootPlayer(B))
    assert GAME.rules.lapse(over, ScriptedLuck()).told == ()
    assert GAME.rules.idle(over) == ()


# The table of hidden information, row by row.


@pytest.mark.parametrize("viewer", EVERY_VIEWER)
def test_everybody_sees_lives_items_skips_and_whose_turn_it_is(viewer):
    state = table(items={A: ["skip"], C: ["steal"]}, lives={B: 2})
    view = GAME.rules.view(state, viewer)
    assert view.players == state.players
    assert (view.phase, view.round, view.shooter) == ("turn", 1, A)
    turn = GAME.rules.turn(state)
    assert (turn.seat, turn.next, turn.count, turn.order) == (A, B, 0, (A, B, C))


@pytest.mark.parametrize("viewer", EVERY_VIEWER)
def test_everybody_sees_the_counts_and_what_was_fired(viewer):
    view = GAME.rules.view(play(table("LbbL"), A, ShootPlayer(B)), viewer)
    assert (view.live, view.blank) == (1, 2)
    assert view.loaded == Rounds(live=2, blank=2)
    assert view.fired == (Fired(shooter=A, username=B, ammo_type="live", damage=1, forfeit=False),)


@pytest.mark.parametrize("viewer", EVERY_VIEWER)
def test_nobody_sees_the_order_of_the_chamber_before_the_end(viewer):
    one, other = table("LbbL"), table("bLLb")
    assert encode(GAME.rules.view(one, viewer)) == encode(GAME.rules.view(other, viewer))
    assert GAME.rules.view(one, viewer).ammo_deck is None
    over = leave(leave(one, B).state, C).state
    assert GAME.rules.view(over, viewer).ammo_deck == ("live", "blank", "blank", "live")


def test_only_the_one_who_checked_knows_the_next_round():
    """Example 24."""
    change = apply(table("Lb", items={A: ["chamber_check"]}), A, UseChamberCheckItem())
    state = change.state
    assert GAME.rules.view(state, A).known_next == "live"
    assert told(change, A) == (ChamberChecked(A), ChamberSeen("live"))
    for viewer in (B, C, None):
        assert GAME.rules.view(state, viewer).known_next is None
        assert told(change, viewer) == (ChamberChecked(A),)
    assert GAME.rules.view(play(state, A, ShootPlayer(B)), A).known_next is None


def test_what_was_seen_is_known_until_a_round_is_drawn():
    state = table("bLb", items={A: ["chamber_check", "add_life"]})
    checked = play(state, A, UseChamberCheckItem(), UseAddLifeItem())
    assert GAME.rules.view(checked, A).known_next == "blank"
    assert GAME.rules.view(play(checked, A, ShootPlayer(A)), A).known_next is None


def test_whoever_leaves_sees_what_the_gallery_sees():
    checked = play(table("Lb", items={A: ["chamber_check"]}), A, UseChamberCheckItem())
    gone = leave(checked, A).state
    assert GAME.rules.view(gone, A) == GAME.rules.view(gone, None)
    assert GAME.rules.view(gone, A).known_next is None


def test_the_cards_left_in_the_deck_are_nowhere_to_be_found():
    dealt, rest = tuple(range(12)), tuple(range(12, 28))
    one, other = (
        GAME.rules.setup(3, GAME.rules.options(), ScriptedLuck(**fresh_round(3, 0, cards))).state
        for cards in (dealt + rest, dealt + rest[::-1])
    )
    assert encode(one) == encode(other)


@pytest.mark.parametrize("viewer", EVERY_VIEWER)
def test_everybody_sees_what_the_shooter_has_going(viewer):
    state = table(items={A: ["quickshot", "double_damage"]})
    view = GAME.rules.view(play(state, A, UseQuickshotItem(), UseDoubleDamageItem()), viewer)
    assert (view.quickshot, view.double_damage, view.shots_left) == (True, True, 2)
    assert view.items_open


@pytest.mark.parametrize("viewer", EVERY_VIEWER)
def test_everybody_sees_who_is_deciding_and_what_will_be_loaded(viewer):
    view = GAME.rules.view(window(3, 2, {A: ["rebalancer"], C: ["rebalancer"]}), viewer)
    assert view.waiting == (A, C)
    assert (view.live, view.blank, view.loaded) == (3, 2, Rounds(live=3, blank=2))
    assert (view.shooter, view.shots_left, view.items_open) == (None, 0, False)
    assert (view.quickshot, view.double_damage, view.known_next) == (False, False, None)
