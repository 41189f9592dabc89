"""The effects of shots in Chamber. The examples are from docs/rules/chamber.md §9."""

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    AirShot,
    Fired,
    ItemsLooted,
    Options,
    Player,
    PlayerEliminated,
    ShootPlayer,
    Shot,
    TurnSkipped,
    UseDoubleDamageItem,
    UseQuickshotItem,
    UseShootAirItem,
    UseSkipItem,
    UseStealItem,
    remaining,
)
from games.chamber.tests.tables import (
    A,
    B,
    C,
    apply,
    fresh_round,
    lives,
    names,
    on_turn,
    play,
    table,
    told,
)
from games.contract.luck import ScriptedLuck


def test_blank_at_yourself_keeps_the_turn():
    """Example 1."""
    before = table("bLb")
    after = play(before, A, ShootPlayer(A))
    assert lives(after) == (5, 5, 5)
    assert on_turn(after) == on_turn(before) == (A, 0)
    assert after.aim.shots_left == 1
    assert (remaining(after).live, remaining(after).blank) == (1, 1)


def test_live_shell_at_yourself_costs_a_life_and_the_turn():
    """Example 2."""
    after = play(table("Lb"), A, ShootPlayer(A))
    assert lives(after) == (4, 5, 5)
    assert on_turn(after) == (B, 1)


def test_blank_at_another_player_ends_the_turn():
    """Example 3."""
    after = play(table("bL"), A, ShootPlayer(B))
    assert lives(after) == (5, 5, 5)
    assert on_turn(after) == (B, 1)


def test_double_damage_takes_two_lives_if_the_shell_is_live():
    """Example 4."""
    state = table("Lb", items={A: ["double_damage"]})
    after = play(state, A, UseDoubleDamageItem(), ShootPlayer(B))
    assert lives(after) == (5, 3, 5)
    assert not after.aim.double_damage


def test_double_damage_is_used_up_by_a_blank():
    """Example 5."""
    blank = play(table("bLb", aim=Aim(double_damage=True)), A, ShootPlayer(A))
    assert not blank.aim.double_damage
    assert on_turn(blank) == (A, 0)
    assert lives(play(blank, A, ShootPlayer(B))) == (5, 4, 5)


def test_lives_do_not_fall_below_zero():
    """Example 6."""
    state = table("Lb", lives={B: 1}, aim=Aim(double_damage=True))
    after = play(state, A, ShootPlayer(B))
    assert lives(after) == (5, 0, 5)
    assert GAME.rules.out(after) == (B,)


def test_killer_takes_the_items_of_the_victim():
    """Example 8."""
    state = table("Lb", items={A: ["quickshot"], B: ["skip", "steal"]}, lives={B: 1})
    change = apply(state, A, ShootPlayer(B))
    assert change.state.players[A].items == ("quickshot", "skip", "steal")
    assert change.state.players[B] == Player(lives=0)
    assert on_turn(change.state) == (C, 2)
    assert told(change) == (
        Shot(A, B, "live", 1, False),
        PlayerEliminated(B, A),
        ItemsLooted(A, B, ("skip", "steal")),
    )


def test_looted_items_last_until_the_round_ends():
    """Example 8, last sentence."""
    state = table("LL", items={B: ["skip", "steal"]}, lives={B: 1})
    looted = play(state, A, ShootPlayer(B))
    change = apply(looted, C, ShootPlayer(A), **fresh_round(3, starter=0))
    assert change.state.players[A].items == ("skip",) * 4


def test_items_of_the_victim_are_lost_without_loot():
    state = table("Lb", items={B: ["skip"]}, lives={B: 1}, options=Options(loot=False))
    change = apply(state, A, ShootPlayer(B))
    assert change.state.players[A].items == ()
    assert names(change) == ["ShootPlayer", "PlayerEliminated"]


def test_nobody_inherits_after_a_suicide():
    """Example 9."""
    change = apply(table("Lb", items={A: ["skip"]}, lives={A: 1}), A, ShootPlayer(A))
    assert told(change) == (Shot(A, A, "live", 1, False), PlayerEliminated(A, A))
    assert [player.items for player in change.state.players] == [(), (), ()]
    assert on_turn(change.state) == (B, 1)


def test_last_survivor_wins_even_if_the_chamber_is_empty():
    """Example 10."""
    change = apply(table("L", n=2, lives={A: 1}), A, ShootPlayer(A))
    outcome = GAME.rules.outcome(change.state)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((B,), ((B,), (A,)), "last_alive")
    assert names(change) == ["ShootPlayer", "PlayerEliminated"]
    assert on_turn(change.state) == (None, 0)


def test_quickshot_allows_two_shots_and_closes_items_after_the_first():
    """Example 12."""
    state = table("LbL", items={A: ["quickshot", "add_life"]})
    first = play(state, A, UseQuickshotItem(), ShootPlayer(B))
    assert lives(first) == (5, 4, 5)
    assert on_turn(first) == (A, 0)
    assert first.aim.shots_left == 1
    assert not GAME.rules.view(first, A).items_open
    assert [offer.move for offer in GAME.rules.offers(first, A)] == ["ShootPlayer"]
    assert on_turn(play(first, A, ShootPlayer(C))) == (B, 1)


def test_blank_at_yourself_uses_no_quickshot_shot():
    """Example 13."""
    blank = play(table("bLLb", aim=Aim(shots_left=2, quickshot=True)), A, ShootPlayer(A))
    assert blank.aim.shots_left == 2
    assert GAME.rules.view(blank, A).items_open
    first = play(blank, A, ShootPlayer(B))
    assert first.aim.shots_left == 1
    assert on_turn(play(first, A, ShootPlayer(C))) == (B, 1)


def test_blank_at_yourself_is_also_free_as_the_second_shot():
    """Example 14."""
    state = table("LbLb", aim=Aim(shots_left=2, quickshot=True))
    second = play(state, A, ShootPlayer(B), ShootPlayer(A))
    assert second.aim.shots_left == 1
    assert not GAME.rules.view(second, A).items_open
    assert on_turn(play(second, A, ShootPlayer(B))) == (B, 1)


def test_second_shot_is_lost_when_the_round_ends():
    """Example 15."""
    state = table("L", aim=Aim(shots_left=2, quickshot=True))
    change = apply(state, A, ShootPlayer(B), **fresh_round(3, starter=1))
    assert lives(change.state) == (5, 4, 5)
    assert change.state.round == 2
    assert on_turn(change.state) == (B, 1)
    assert change.state.aim == Aim()


def test_skipped_seat_is_passed_over_once():
    """Example 16."""
    state = table("Lb", items={A: ["skip"]})
    change = apply(play(state, A, UseSkipItem(B)), A, ShootPlayer(C))
    assert told(change)[1:] == (TurnSkipped(B),)
    assert names(change) == ["ShootPlayer", "TurnSkipped"]
    assert on_turn(change.state) == (C, 2)
    assert not change.state.players[B].is_skipped


def test_skip_gives_a_second_turn_with_two_players():
    """Example 17."""
    state = play(table("Lb", n=2, items={A: ["skip"]}), A, UseSkipItem(B))
    change = apply(state, A, ShootPlayer(B))
    assert names(change) == ["ShootPlayer", "TurnSkipped"]
    assert on_turn(state) == (A, 0)
    assert on_turn(change.state) == (A, 2)


def test_turn_returns_if_all_other_players_are_skipped():
    """Example 19."""
    state = table("bL", items={A: ["skip", "skip"]})
    skipped = play(state, A, UseSkipItem(B), UseSkipItem(C))
    assert GAME.rules.turn(skipped).next == A
    change = apply(skipped, A, ShootPlayer(C))
    assert told(change)[1:] == (TurnSkipped(B), TurnSkipped(C))
    assert on_turn(change.state) == (A, 3)


def test_timeout_shoots_yourself_and_ends_the_turn():
    """Example 28."""
    state = table("bL", aim=Aim(shots_left=2, quickshot=True))
    change = GAME.rules.lapse(state, ScriptedLuck())
    assert told(change) == (Shot(A, A, "blank", 0, True, auto="clock"),)
    assert on_turn(change.state) == (B, 1)
    assert change.state.clock > state.clock
    assert GAME.rules.idle(state) == (A,)


def test_lethal_forfeit_shot_leaves_no_heir():
    state = table("LbL", items={A: ["skip"]}, lives={A: 1})
    change = GAME.rules.lapse(state, ScriptedLuck())
    assert told(change) == (Shot(A, A, "live", 1, True, auto="clock"), PlayerEliminated(A, A))
    assert on_turn(change.state) == (B, 1)


def test_shooting_into_the_air_harms_nobody_and_ends_the_turn():
    aim = Aim(shots_left=2, quickshot=True, double_damage=True)
    change = apply(table("Lb", items={A: ["shoot_air"]}, aim=aim), A, UseShootAirItem())
    assert told(change) == (AirShot(A, "live"),)
    assert lives(change.state) == (5, 5, 5)
    assert on_turn(change.state) == (B, 1)
    assert not change.state.aim.double_damage
    fired = Fired(shooter=A, username=None, ammo_type="live", damage=0, forfeit=False)
    assert GAME.rules.view(change.state, None).fired == (fired,)


def test_second_shot_of_a_quickshot_may_go_into_the_air():
    state = table("bbL", items={A: ["shoot_air"]}, aim=Aim(shots_left=2, quickshot=True))
    first = play(state, A, ShootPlayer(B))
    assert [offer.move for offer in GAME.rules.offers(first, A)] == [
        "ShootPlayer",
        "UseShootAirItem",
    ]
    assert on_turn(play(first, A, UseShootAirItem())) == (B, 1)


def test_stolen_shoot_air_fires_immediately():
    state = table("Lb", items={A: ["steal"], B: ["shoot_air"]})
    change = apply(state, A, UseStealItem(B, "shoot_air"))
    assert names(change) == ["UseStealItem", "UseShootAirItem"]
    assert on_turn(change.state) == (B, 1)
    assert change.state.players[B].items == ()


def test_victim_without_items_leaves_no_loot():
    change = apply(table("Lb", lives={B: 1}), A, ShootPlayer(B))
    assert names(change) == ["ShootPlayer", "PlayerEliminated"]
