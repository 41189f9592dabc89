"""Chamber: items of a turn, stealing, refusals. Examples: docs/rules/chamber.md §9."""

import pytest

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    ChamberChecked,
    ChamberSeen,
    DoubleDamageUsed,
    ItemStolen,
    LifeAdded,
    Options,
    PassRebalance,
    ShootPlayer,
    SkipUsed,
    UseAddLifeItem,
    UseChamberCheckItem,
    UseDoubleDamageItem,
    UseQuickshotItem,
    UseRebalancerItem,
    UseShootAirItem,
    UseSkipItem,
    UseStealItem,
)
from games.chamber.tests.tables import A, B, C, apply, on_turn, play, table, told
from games.contract.core import Ignored, OneOf, Refused, offer


def refusal(state, seat, move):
    with pytest.raises(Refused) as refused:
        apply(state, seat, move)
    return refused.value.code


def test_second_double_damage_is_refused_and_kept():
    """Example 7."""
    state = play(table(items={A: ["double_damage"] * 2}), A, UseDoubleDamageItem())
    assert refusal(state, A, UseDoubleDamageItem()) == "already_active"
    assert state.players[A].items == ("double_damage",)


def test_seat_cannot_be_skipped_twice_or_skip_itself():
    """Example 18."""
    state = play(table(items={A: ["skip", "skip"]}), A, UseSkipItem(B))
    assert refusal(state, A, UseSkipItem(B)) == "already_skipped"
    assert refusal(state, A, UseSkipItem(A)) == "bad_target"
    assert state.players[A].items == ("skip",)


def test_eliminated_players_cannot_be_targeted():
    state = table(items={A: ["skip", "steal"]}, lives={B: 0}, fallen=(B,))
    assert refusal(state, A, ShootPlayer(B)) == "bad_target"
    assert refusal(state, A, UseSkipItem(B)) == "bad_target"
    assert refusal(state, A, UseStealItem(B, "quickshot")) == "bad_target"


def test_stolen_item_takes_effect_immediately():
    """Example 21."""
    change = apply(
        table(items={A: ["steal"], B: ["double_damage"]}), A, UseStealItem(B, "double_damage")
    )
    state = change.state
    assert state.players[A].items == state.players[B].items == ()
    assert state.aim.double_damage
    assert on_turn(state) == (A, 0)
    assert told(change) == (ItemStolen(A, B, "double_damage", None), DoubleDamageUsed(A))


def test_stolen_skip_may_target_its_former_owner():
    """Example 22."""
    state = table(items={A: ["steal"], B: ["skip"]})
    change = apply(state, A, UseStealItem(B, "skip", B))
    assert change.state.players[B].is_skipped
    assert told(change) == (ItemStolen(A, B, "skip", B), SkipUsed(A, B))


def test_only_a_stolen_skip_takes_a_skip_target():
    """Example 22, second half."""
    state = table(items={A: ["steal"], B: ["skip", "quickshot"]})
    assert refusal(state, A, UseStealItem(B, "skip")) == "bad_target"
    assert refusal(state, A, UseStealItem(B, "quickshot", B)) == "bad_target"
    assert refusal(state, A, UseStealItem(B, "skip", A)) == "bad_target"


def test_steal_is_offered_per_seat_and_item():
    """Example 22: the offers."""
    state = table(items={A: ["steal"], B: ["skip", "steal", "rebalancer"], C: ["add_life"] * 2})
    assert GAME.rules.offers(state, A)[1:] == (
        offer(
            UseStealItem,
            target=OneOf((B,)),
            item=OneOf(("skip",)),
            skip_target=OneOf((B, C)),
        ),
        offer(UseStealItem, target=OneOf((C,)), item=OneOf(("add_life",))),
    )


def test_useless_theft_is_refused():
    """Example 23."""
    state = table(
        items={A: ["steal"], B: ["quickshot", "steal"]}, aim=Aim(shots_left=2, quickshot=True)
    )
    assert refusal(state, A, UseStealItem(B, "quickshot")) == "already_active"
    assert refusal(state, A, UseStealItem(B, "steal")) == "cannot_steal"
    assert refusal(state, A, UseStealItem(B, "rebalancer")) == "cannot_steal"
    assert refusal(state, A, UseStealItem(B, "add_life")) == "target_lacks_item"
    assert refusal(state, A, UseStealItem(A, "quickshot")) == "bad_target"
    assert [offer.move for offer in GAME.rules.offers(state, A)] == ["ShootPlayer"]


def test_result_of_a_stolen_check_is_private_to_the_thief():
    change = apply(
        table("Lb", items={A: ["steal"], B: ["chamber_check"]}), A, UseStealItem(B, "chamber_check")
    )
    public = (ItemStolen(A, B, "chamber_check", None), ChamberChecked(A))
    assert told(change) == told(change, B) == public
    assert told(change, A) == (*public, ChamberSeen("live"))
    assert GAME.rules.view(change.state, A).known_next == "live"


def test_two_add_lives_in_a_row_are_two_prompts_with_one_deadline():
    """Example 31."""
    state = table(items={A: ["add_life"] * 2})
    once = play(state, A, UseAddLifeItem())
    change = apply(once, A, UseAddLifeItem())
    assert told(change) == (LifeAdded(A, 7),)
    assert change.state.players[A].lives == 7
    assert state.prompts[A] < once.prompts[A] < change.state.prompts[A]
    assert state.prompts[B] == change.state.prompts[B]
    assert state.clock == change.state.clock


def test_add_life_is_refused_at_the_lives_cap():
    state = table(items={A: ["add_life"]}, options=Options(max_lives=5))
    assert refusal(state, A, UseAddLifeItem()) == "max_lives"
    assert play(table(items={A: ["add_life"]}), A, UseAddLifeItem()).players[A].lives == 6


@pytest.mark.parametrize(
    "move",
    [
        UseSkipItem(B),
        UseDoubleDamageItem(),
        UseChamberCheckItem(),
        UseQuickshotItem(),
        UseAddLifeItem(),
        UseShootAirItem(),
        UseStealItem(B, "skip", B),
    ],
)
def test_only_held_items_can_be_used(move):
    assert refusal(table(items={B: ["skip"]}), A, move) == "no_item"


@pytest.mark.parametrize(
    "move",
    [
        UseSkipItem(A),
        UseDoubleDamageItem(),
        UseChamberCheckItem(),
        UseQuickshotItem(),
        UseAddLifeItem(),
        UseStealItem(A, "steal"),
    ],
)
def test_items_closed_takes_precedence_over_other_refusals(move):
    """Example 12: the refusal, whether or not the item is held."""
    state = table(aim=Aim(shots_left=1, counted=1, quickshot=True))
    assert refusal(state, A, move) == "items_closed"


def test_shoot_air_is_never_closed_but_must_be_held():
    state = table(aim=Aim(shots_left=1, counted=1, quickshot=True))
    assert refusal(state, A, UseShootAirItem()) == "no_item"


def test_no_item_takes_precedence_over_bad_target():
    assert refusal(table(), A, UseSkipItem(A)) == "no_item"
    assert refusal(table(), A, UseStealItem(A, "steal")) == "no_item"


def test_rebalancer_is_refused_after_its_window_has_closed():
    """Example 25: the refusals."""
    state = table(on_turn=C, aim=Aim(shots_left=1, counted=1, quickshot=True))
    assert refusal(state, C, UseRebalancerItem("blank")) == "rebalancer_window_closed"
    for seat in (A, B):
        with pytest.raises(Ignored):
            apply(state, seat, UseRebalancerItem("blank"))


@pytest.mark.parametrize("move", [ShootPlayer(A), UseSkipItem(A), PassRebalance()])
def test_moves_out_of_turn_are_ignored(move):
    """Example 30."""
    state = table(items={B: ["skip"]})
    assert GAME.rules.offers(state, B) == ()
    with pytest.raises(Ignored):
        apply(state, B, move)


def test_skip_cooldown_protects_a_seat_until_its_next_turn():
    options = Options(skip_cooldown=True)
    items = {A: ["skip"], C: ["skip", "steal"]}
    passed = play(table("bbbbL", items=items, options=options), A, UseSkipItem(B), ShootPlayer(C))
    assert on_turn(passed) == (C, 2)
    assert passed.players[B].skip_immune
    assert refusal(passed, C, UseSkipItem(B)) == "skip_cooldown"
    turns = play(play(passed, C, ShootPlayer(A)), A, ShootPlayer(B))
    assert on_turn(turns) == (B, 4)
    assert not turns.players[B].skip_immune


def test_items_are_offered_only_if_usable():
    state = table(items={A: ["double_damage", "quickshot", "add_life", "chamber_check", "skip"]})
    assert [offer.move for offer in GAME.rules.offers(state, A)] == [
        "ShootPlayer",
        "UseSkipItem",
        "UseDoubleDamageItem",
        "UseChamberCheckItem",
        "UseQuickshotItem",
        "UseAddLifeItem",
    ]
    busy = play(state, A, UseDoubleDamageItem(), UseSkipItem(B))
    assert "UseDoubleDamageItem" not in [offer.move for offer in GAME.rules.offers(busy, A)]


def test_held_items_are_disabled_with_a_reason_after_a_counted_shot():
    """Every item held is either offered, or disabled with a reason."""
    items = {A: ["skip", "steal", "chamber_check", "rebalancer"], B: ["add_life"]}
    state = play(
        table("bbL", items=items, aim=Aim(shots_left=2, quickshot=True)), A, ShootPlayer(B)
    )
    assert {
        move: refused.code for move, refused in GAME.rules.disabled_moves(state, A).items()
    } == {
        "UseSkipItem": "items_closed",
        "UseStealItem": "items_closed",
        "UseChamberCheckItem": "items_closed",
        "UseRebalancerItem": "rebalancer_window_closed",
    }
    assert refusal(state, A, UseStealItem(B, "add_life")) == "items_closed"
