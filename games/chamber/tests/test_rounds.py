"""Chamber: rounds, deals, the reload window. Examples: docs/rules/chamber.md §9."""

import msgspec
import pytest

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    ChamberLoaded,
    ItemsDealt,
    Options,
    PassRebalance,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    Rounds,
    RoundStarted,
    ShootPlayer,
    Shot,
    State,
    TurnSkipped,
    UseRebalancerItem,
    UseSkipItem,
)
from games.chamber.tests.tables import (
    A,
    B,
    C,
    D,
    apply,
    fresh_round,
    lives,
    names,
    on_turn,
    play,
    table,
    told,
    window,
)
from games.contract.core import Ignored, Refused
from games.contract.data import decode, encode
from games.contract.luck import Luck, ScriptedLuck


def swapped(size, *pairs):
    """Return the deck in order, with these pairs of places swapped."""
    places = list(range(size))
    for one, other in pairs:
        places[one], places[other] = places[other], places[one]
    return tuple(places)


def test_match_starts_with_the_first_round():
    luck = ScriptedLuck(**fresh_round(3, starter=1))
    change = GAME.rules.setup(3, Options(), luck)
    assert lives(change.state) == (5, 5, 5)
    assert change.state.round == 1
    assert on_turn(change.state) == (B, 1)
    hands = {A: ("skip",) * 4, B: ("double_damage",) * 4, C: ("chamber_check",) * 4}
    assert told(change) == (RoundStarted(1, 1, 1), ItemsDealt(hands), ChamberLoaded(1, 1))


def test_shell_counts_include_both_bounds():
    options = Options(items_per_round=0, live_min=2, live_max=3, blank_min=0, blank_max=1)
    loaded = {GAME.rules.setup(2, options, Luck(b"bounds", act)).state.loaded for act in range(80)}
    counts = {(rounds.live, rounds.blank) for rounds in loaded}
    assert counts == {(2, 0), (2, 1), (3, 0), (3, 1)}


def test_free_shot_is_lost_when_the_chamber_is_empty():
    """Example 11."""
    change = apply(table("b"), A, ShootPlayer(A), **fresh_round(3, starter=0))
    hands = {A: ("skip",) * 4, B: ("double_damage",) * 4, C: ("chamber_check",) * 4}
    assert told(change) == (
        Shot(A, A, "blank", 0, False),
        RoundEnded(1),
        RoundStarted(2, 1, 1),
        ItemsDealt(hands),
        ChamberLoaded(1, 1),
    )
    assert on_turn(change.state) == (A, 3)
    assert change.state.fired == ()


def test_double_damage_does_not_carry_over_to_the_next_round():
    state = table("b", aim=Aim(shots_left=2, quickshot=True, double_damage=True))
    change = apply(state, A, ShootPlayer(B), **fresh_round(3, starter=0))
    assert change.state.aim == Aim()


def test_skip_carries_over_to_the_next_round():
    """Example 20."""
    state = play(table("b", items={A: ["skip"]}), A, UseSkipItem(B))
    change = apply(state, A, ShootPlayer(C), **fresh_round(3, starter=1))
    assert told(change)[-2:] == (ChamberLoaded(1, 1), TurnSkipped(B))
    assert on_turn(change.state) == (C, 2)


def test_rebalancer_adds_shells_before_the_starter_is_drawn():
    """Example 25."""
    state = window(2, 3, {A: ["rebalancer"], C: ["rebalancer"]})
    added = apply(state, A, UseRebalancerItem("live"), rebalance_live=[3])
    assert told(added) == (Rebalanced(A, "live", 4),)
    assert GAME.rules.view(added.state, B).live == 6
    assert GAME.rules.awaited(added.state) == (C,)
    assert on_turn(added.state) == (None, 0)
    for seat, move in ((A, UseRebalancerItem("live")), (A, PassRebalance()), (C, ShootPlayer(A))):
        with pytest.raises(Ignored):
            apply(added.state, seat, move)
    change = apply(added.state, C, PassRebalance(), chamber=[range(9)], starter=[2])
    assert told(change) == (RebalancePassed(C), ChamberLoaded(6, 3))
    assert len(change.state.ammo) == 9
    assert on_turn(change.state) == (C, 2)


def test_window_answers_change_neither_the_deadline_nor_other_prompts():
    state = window(2, 3, {A: ["rebalancer"] * 2, C: ["rebalancer"]})
    added = apply(state, A, UseRebalancerItem("blank"), rebalance_blank=[0]).state
    assert added.loaded == Rounds(live=2, blank=4)
    assert GAME.rules.awaited(added) == (A, C)
    assert added.clock == state.clock
    assert added.prompts == (2, 1, 1)
    passed = apply(added, C, PassRebalance()).state
    assert passed.clock == state.clock
    assert passed.prompts == (2, 1, 2)


@pytest.mark.parametrize(
    ("live", "blank", "kinds"),
    [(3, 3, "live blank"), (2, 1, "live blank"), (3, 1, "blank"), (6, 1, "blank"), (1, 4, "live")],
)
def test_ammo_type_at_the_cap_is_not_offered(live, blank, kinds):
    state = window(live, blank, {A: ["rebalancer"]})
    choices = GAME.rules.offers(state, A)[0].args["ammoType"].one_of
    assert choices == tuple(kinds.split())
    for kind in {"live", "blank"}.difference(choices):
        with pytest.raises(Refused) as refused:
            apply(state, A, UseRebalancerItem(kind))
        assert refused.value.code == "rebalance_cap"
        assert refused.value.facts == {"ammo_type": kind, "cap": 75}


def test_players_whose_choices_change_get_a_new_prompt():
    state = window(3, 2, {A: ["rebalancer"], C: ["rebalancer"]})
    full = apply(state, A, UseRebalancerItem("live"), rebalance_live=[2]).state
    assert GAME.rules.offers(full, C)[0].args["ammoType"].one_of == ("blank",)
    assert full.clock > state.clock
    assert full.prompts[C] > state.prompts[C]


def test_rebalancer_adds_at_most_what_the_cap_allows():
    luck = ScriptedLuck(rebalance_live=[2], chamber=[range(8)], starter=[0])
    change = GAME.rules.apply(window(3, 2, {A: ["rebalancer"]}), A, UseRebalancerItem("live"), luck)
    assert luck.draws[0].size == 3
    assert change.state.loaded == Rounds(live=6, blank=2)


def test_rebalancer_adds_the_full_amount_without_a_cap():
    luck = ScriptedLuck(rebalance_live=[5], chamber=[range(13)], starter=[0])
    free = window(6, 1, {A: ["rebalancer"]}, cap=0)
    change = GAME.rules.apply(free, A, UseRebalancerItem("live"), luck)
    assert luck.draws[0].size == 6
    assert change.state.loaded == Rounds(live=12, blank=1)


def test_match_stored_without_a_cap_has_none():
    stored = msgspec.json.decode(encode(window(6, 1, {A: ["rebalancer"]})))
    del stored["rebalanceCap"], stored["options"]["rebalanceCap"]
    state = decode(msgspec.json.encode(stored), State)
    assert GAME.rules.view(state, A).rebalance_cap == 0
    assert GAME.rules.offers(state, A)[0].args["ammoType"].one_of == ("live", "blank")


def test_starter_is_drawn_among_living_players_in_seat_order():
    state = window(1, 1, {A: ["rebalancer"]}, n=4, lives={B: 0})
    luck = ScriptedLuck(chamber=[(0, 1)], starter=[1])
    change = GAME.rules.apply(state, A, PassRebalance(), luck)
    assert luck.draws[-1].size == 3
    assert on_turn(change.state) == (C, 2)


def test_window_opens_for_holders_of_a_rebalancer():
    cards = swapped(28, (4, 12))
    luck = ScriptedLuck(live=[5], blank=[0], items=[cards])
    change = GAME.rules.setup(3, Options(), luck)
    assert change.state.players[B].items == ("rebalancer", *["double_damage"] * 3)
    assert GAME.rules.awaited(change.state) == (B,)
    assert [offer.move for offer in GAME.rules.offers(change.state, B)] == [
        "UseRebalancerItem",
        "PassRebalance",
    ]
    assert GAME.rules.offers(change.state, A) == ()
    assert names(change) == ["RoundStarted", "ItemsDealt"]
    assert (change.state.clock, change.state.prompts) == (1, (1, 1, 1))


def test_chamber_is_loaded_immediately_if_no_rebalancer_is_dealt():
    """Example 26."""
    change = GAME.rules.setup(3, Options(), ScriptedLuck(**fresh_round(3, starter=2)))
    assert names(change) == ["RoundStarted", "ItemsDealt", "ChamberLoaded"]
    assert on_turn(change.state) == (C, 2)


def test_timeout_in_the_window_is_a_pass_and_not_idle():
    state = window(1, 1, {A: ["rebalancer"], C: ["rebalancer"]})
    assert GAME.rules.idle(state) == ()
    change = GAME.rules.lapse(state, ScriptedLuck(chamber=[(1, 0)], starter=[0]))
    silent = (RebalancePassed(A, auto="clock"), RebalancePassed(C, auto="clock"))
    assert told(change) == (*silent, ChamberLoaded(1, 1))
    assert on_turn(change.state) == (A, 0)
    assert change.state.clock > state.clock


def test_cards_are_dealt_from_the_front_to_living_players():
    state = table("b", n=4, lives={B: 0}, fallen=(B,))
    change = apply(state, A, ShootPlayer(C), **fresh_round(4, starter=0))
    assert [player.items for player in change.state.players] == [
        ("skip",) * 4,
        (),
        ("double_damage",) * 4,
        ("chamber_check",) * 4,
    ]
    assert D in GAME.rules.turn(change.state).order
