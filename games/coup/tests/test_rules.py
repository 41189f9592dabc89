"""Iron Throne: the numbered examples of docs/rules/coup.md §11."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract.core import Echo, Some
from games.contract.data import NOBODY, Seat
from games.contract.luck import Luck
from games.coup import GAME
from games.coup.rules.state import (
    ActionDeclared,
    ActionDone,
    ActionStopped,
    Assassinate,
    Block,
    Challenge,
    Challenged,
    Coup,
    CoupOptions,
    Exchange,
    Exchanged,
    ExchangeKeep,
    ForeignAid,
    Income,
    InfluenceLost,
    LoseInfluence,
    Pass,
    Steal,
    Tax,
    influence,
)
from games.coup.tests.table import SPARE, passes, scene
from games.tables.sentences import say
from tests.kit.scene import A, B, C, Scene


def roles(table: Scene, seat: Seat) -> list[str]:
    return [card.role for card in table.state.hands[seat] if not card.face_up]


def whose(table: Scene) -> tuple[str, Seat]:
    return table.state.phase, table.state.at


def test_1_income_cannot_be_challenged_or_blocked() -> None:
    table = scene(SPARE, SPARE, ("hound", "arya")).do(A, Income())
    assert table.state.coins[A] == 3
    assert whose(table) == ("action", B)


def test_2_caught_tax_bluff_costs_an_influence() -> None:
    table = scene(("arya", "hound"), SPARE, SPARE).do(A, Tax()).do(B, Challenge())
    assert table.state.phase == "lose_influence"
    assert table.state.turn_stage == 4
    table.do(A, LoseInfluence(0))
    assert table.state.coins[A] == 2
    assert roles(table, A) == ["hound"]
    assert whose(table) == ("action", B)


def test_3_challenged_true_tax_costs_the_challenger_and_swaps_the_card() -> None:
    table = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax())
    deck = table.state.deck
    order = (len(deck) - 1, *range(len(deck) - 1), len(deck))
    table.do(C, Challenge(), proof=[order], hand=[(0, 1)])
    assert table.state.turn_stage == 3
    assert roles(table, A)[0] == deck[-1]
    assert GAME.rules.view(table.state, A).hand[0].role == deck[-1]
    assert all(
        GAME.rules.view(table.state, who).hand != table.state.hands[A] for who in (B, C, None)
    )
    table.do(C, LoseInfluence(0))
    assert table.state.coins[A] == 5
    assert whose(table) == ("action", B)


def test_swapped_card_does_not_keep_its_position() -> None:
    table = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax())
    order = tuple(range(len(table.state.deck) + 1))
    drawn = table.state.deck[0]
    table.do(C, Challenge(), proof=[order], hand=[(1, 0)])
    assert roles(table, A) == ["hound", drawn]


def test_card_position_does_not_reveal_which_card_is_new() -> None:
    """If an exchange keeps one old card, that card comes first in half of the cases."""
    table = passes(scene(("jaqen", "hound"), SPARE, SPARE).do(A, Exchange()))
    first = 0
    for n in range(200):
        after = GAME.rules.apply(table.state, A, ExchangeKeep((0, 3)), Luck(b"many", n)).state
        first += after.hands[A][0].role == table.state.pool[0]
    assert table.state.pool[0] != table.state.pool[3]
    assert 70 < first < 130


def test_4_challenger_with_one_card_is_eliminated_at_once() -> None:
    table = scene(("baelish", "hound"), SPARE, ("arya",)).do(A, Tax()).do(C, Challenge())
    assert GAME.rules.out(table.state) == (C,)
    assert table.state.coins == (5, 2, 0)
    assert whose(table) == ("action", B)


def test_5_bluffed_block_of_an_assassination_costs_two_influences() -> None:
    table = scene(("hound", "arya"), ("baelish", "jaqen"), SPARE, coins=(5, 2, 2))
    passes(table.do(A, Assassinate(B)))
    table.do(B, Block("melisandre")).do(A, Challenge())
    assert table.state.turn_stage == 11
    table.do(B, LoseInfluence(0))
    assert GAME.rules.out(table.state) == (B,)
    assert table.state.coins[A] == 2
    assert whose(table) == ("action", C)


def test_6_failed_challenger_may_still_block() -> None:
    table = scene(("hound", "arya"), ("baelish", "melisandre"), SPARE, coins=(5, 2, 2))
    table.do(A, Assassinate(B)).do(B, Challenge()).do(B, LoseInfluence(0))
    assert table.state.phase == "block_window"
    assert table.state.coins[A] == 2
    passes(table.do(B, Block("melisandre")))
    assert roles(table, B) == ["melisandre"]
    assert table.state.coins[A] == 2
    assert whose(table) == ("action", B)


def test_7_failed_challenge_without_a_block_costs_both_influences() -> None:
    table = scene(("hound", "arya"), ("baelish", "baelish"), coins=(5, 2))
    table.do(A, Assassinate(B)).do(B, Challenge()).do(B, LoseInfluence(0)).do(B, Pass())
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == (A,)


def test_8_price_is_paid_even_if_the_target_dies_challenging() -> None:
    table = scene(("hound", "arya"), ("baelish",), SPARE, coins=(5, 2, 2))
    table.do(A, Assassinate(B)).do(B, Challenge())
    assert GAME.rules.out(table.state) == (B,)
    assert table.state.coins[A] == 2
    assert whose(table) == ("action", C)


@pytest.mark.parametrize("doubter", [A, C], ids=["9", "9-third-party"])
def test_9_true_block_holds_when_challenged(doubter: Seat) -> None:
    table = scene(("hound", "arya"), ("melisandre", "jaqen"), SPARE, coins=(5, 2, 2))
    passes(table.do(A, Assassinate(B)))
    table.do(B, Block("melisandre")).do(doubter, Challenge())
    assert table.state.turn_stage == 10
    table.do(doubter, LoseInfluence(0))
    assert len(roles(table, B)) == 2
    assert table.state.coins[A] == 2
    assert whose(table) == ("action", B)


def test_10_third_party_may_challenge_the_block() -> None:
    table = scene(("hound", "arya"), ("baelish", "jaqen"), SPARE, coins=(5, 2, 2))
    passes(table.do(A, Assassinate(B)))
    table.do(B, Block("melisandre")).do(C, Challenge()).do(B, LoseInfluence(0))
    assert GAME.rules.out(table.state) == (B,)
    assert len(roles(table, C)) == 2


def test_11_bluffed_block_of_foreign_aid_pays_before_the_loss() -> None:
    table = scene(SPARE, SPARE, ("hound", "hound")).do(A, ForeignAid()).do(C, Block("baelish"))
    table.do(B, Challenge())
    assert table.state.coins[A] == 4
    assert table.state.phase == "lose_influence"
    table.do(C, LoseInfluence(1))
    assert whose(table) == ("action", B)


def test_12_unchallenged_block_holds() -> None:
    table = passes(scene(SPARE, SPARE, SPARE).do(A, ForeignAid()).do(C, Block("baelish")))
    assert table.state.coins[A] == 2
    assert ActionStopped(A, "ForeignAid", "block") in table.told


def test_13_foreign_aid_cannot_be_challenged() -> None:
    table = scene(SPARE, SPARE, SPARE).do(A, ForeignAid())
    assert table.state.phase == "block_window"
    assert table.offered(B) == ["Block", "Pass"]
    assert table.ignores(B, Challenge())


def test_14_steal_takes_at_most_the_targets_coins() -> None:
    table = scene(("arya", "hound"), SPARE, SPARE, coins=(2, 1, 2))
    passes(table.do(A, Steal(B))).do(B, Pass())
    assert table.state.coins[:2] == (3, 0)


def test_15_steal_from_a_bluffing_blocker_resolves_before_the_elimination() -> None:
    table = scene(("arya", "hound"), ("baelish",), SPARE)
    passes(table.do(A, Steal(B))).do(B, Block("jaqen")).do(C, Challenge())
    assert table.state.coins[:2] == (4, 0)
    assert GAME.rules.out(table.state) == (B,)


def test_16_target_eliminated_by_its_challenge_has_nothing_to_steal() -> None:
    table = scene(("arya", "hound"), ("baelish",), SPARE).do(A, Steal(B)).do(B, Challenge())
    assert "RoleShown" in table.kinds()
    assert table.state.coins[:2] == (2, 0)
    assert whose(table) == ("action", C)


def test_17_block_needs_a_blocking_role_and_the_targeted_seat() -> None:
    table = passes(scene(("arya", "hound"), SPARE, SPARE).do(A, Steal(B)))
    assert table.refuses(B, Block("baelish")) == "bad_role"
    assert table.ignores(C, Block("jaqen"))


def test_18_coup_cannot_be_stopped() -> None:
    table = scene(SPARE, SPARE, SPARE, coins=(7, 2, 2)).do(A, Coup(B))
    assert table.state.coins[A] == 0
    assert table.state.phase == "lose_influence"
    assert GAME.rules.awaited(table.state) == (B,)


def test_19_coup_is_mandatory_with_ten_coins() -> None:
    rich = scene(SPARE, SPARE, SPARE, coins=(10, 2, 2))
    assert rich.refuses(A, Income()) == "must_coup"
    assert rich.offered(A) == ["Coup"]
    assert scene(SPARE, SPARE, coins=(6, 2)).refuses(A, Coup(B)) == "not_enough_coins"
    patient = scene(SPARE, SPARE, SPARE, coins=(10, 2, 2), mandatory_coup_at=12)
    patient.do(A, Income())
    assert patient.state.coins[A] == 11


@pytest.mark.parametrize("target", [A, NOBODY, Seat(-1)])
def test_target_must_be_another_living_player(target: Seat) -> None:
    table = scene(SPARE, SPARE, SPARE, coins=(7, 2, 2))
    assert table.refuses(A, Coup(target)) == "bad_target"


@pytest.mark.parametrize(
    ("keep", "kept"), [((2, 3), ["arya", "baelish"]), ((0, 1), ["jaqen", "hound"])]
)
def test_20_exchange_keeps_any_two_of_four(keep: tuple[int, ...], kept: list[str]) -> None:
    table = scene(("jaqen", "hound"), SPARE, SPARE)
    deck = ["arya", "baelish"]
    rest = list(table.state.deck)
    for role in deck:
        rest.remove(role)
    table.set(deck=(*deck, *rest))
    passes(table.do(A, Exchange()))
    assert table.state.pool == ("jaqen", "hound", "arya", "baelish")
    assert len(table.state.deck) == len(rest)
    for who in (B, None):
        assert GAME.rules.view(table.state, who).pool is None
        assert [card.role for card in GAME.rules.view(table.state, who).players[A].cards] == [
            None,
            None,
        ]
    assert GAME.rules.view(table.state, A).pool == table.state.pool
    table.do(A, ExchangeKeep(keep))
    assert sorted(roles(table, A)) == sorted(kept)
    assert len(table.state.deck) == len(rest) + 2


def test_21_exchange_with_one_influence_keeps_exactly_one() -> None:
    table = passes(scene(("jaqen",), SPARE, SPARE).do(A, Exchange()))
    assert len(table.state.pool) == 3
    assert table.refuses(A, ExchangeKeep((0, 1))) == "wrong_count"
    assert table.refuses(A, ExchangeKeep((7,))) == "bad_card"
    (offer,) = GAME.rules.offers(table.state, A)
    assert offer.args == {"keep": Some(some=(0, 1, 2), least=1, most=1)}


def test_22_first_challenge_closes_the_window() -> None:
    table = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax()).do(C, Challenge())
    assert table.ignores(B, Challenge())
    assert GAME.rules.awaited(table.state) == (C,)


def test_22_sealed_answers_resolve_in_turn_order() -> None:
    table = scene(("arya", "hound"), SPARE, SPARE, window_mode="sealed").do(A, Tax())
    table.do(C, Challenge())
    assert table.kinds() == ["Answered"]
    assert table.state.waiting == (B,)
    table.do(B, Challenge())
    assert table.state.action_challenger == B
    assert "Challenged" in table.kinds()


def test_23_bluffing_assassin_pays_nothing() -> None:
    table = scene(("arya", "jaqen"), SPARE, SPARE, coins=(3, 2, 2))
    table.do(A, Assassinate(B)).do(B, Challenge()).do(A, LoseInfluence(0))
    assert table.state.coins[A] == 3
    assert len(roles(table, B)) == 2


def test_24_match_can_end_in_the_middle_of_a_turn() -> None:
    table = scene(("hound", "arya"), ("baelish",), coins=(5, 2)).do(A, Assassinate(B))
    table.do(B, Pass()).do(B, Block("melisandre")).do(A, Challenge())
    assert table.state.phase == "over"
    assert table.kinds().count("InfluenceLost") == 1


def test_25_timeout_in_a_window_is_a_pass_and_not_idle() -> None:
    table = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax()).do(B, Pass())
    assert GAME.rules.idle(table.state) == ()
    table.lapse()
    assert table.state.coins[A] == 5
    rich = scene(SPARE, SPARE, SPARE, coins=(11, 2, 2))
    assert GAME.rules.idle(rich.state) == (A,)
    rich.lapse()
    assert GAME.rules.awaited(rich.state) == (B,)


def test_26_assassination_ends_if_the_target_leaves() -> None:
    table = passes(scene(("hound", "arya"), SPARE, SPARE, coins=(5, 2, 2)).do(A, Assassinate(B)))
    table.leave(B)
    assert table.state.coins[A] == 2
    assert whose(table) == ("action", C)


def test_27_first_of_two_players_starts_with_fewer_coins() -> None:
    state = GAME.rules.setup(2, CoupOptions(), Luck(b"two", 1)).state
    assert sorted(state.coins) == [1, 2]
    assert state.coins[state.at] == 1


def test_29_flat_state_matches_the_example() -> None:
    table = scene(SPARE, SPARE, ("hound", "hound")).do(A, ForeignAid()).do(C, Block("baelish"))
    assert GAME.rules.view(table.state, C).flat["turnStage"] == 7
    table.do(B, Challenge())
    flat = GAME.rules.view(table.state, B).flat
    assert flat["turnStage"] == 11
    assert (flat["currentTurn"], flat["action"], flat["block"]) == ("a", 1, 0)
    assert flat["b_roles"] == [4, 2]
    assert flat["c_roles"] == [None, None]
    assert flat["gameStatus"] == 1


def test_30_turn_limit_compares_influence_and_then_coins() -> None:
    table = scene(SPARE, SPARE, ("arya",), coins=(2, 3, 9), max_turns=4)
    table.set(turns_played=3).do(A, Income())
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.reason == "turn_limit"
    assert (outcome.winners, outcome.places) == ((A, B), ((A, B), (C,)))


def test_31_pending_loss_survives_the_turn_holder_leaving() -> None:
    table = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax()).do(B, Challenge()).leave(A)
    assert GAME.rules.awaited(table.state) == (B,)
    table.do(B, LoseInfluence(0))
    assert influence(table.state, B) == 1
    assert table.state.coins[A] == 0
    assert whose(table) == ("action", B)


def test_block_is_void_if_the_blocker_leaves() -> None:
    table = scene(SPARE, SPARE, ("hound", "jaqen")).do(A, ForeignAid()).do(C, Block("baelish"))
    table.leave(C)
    assert table.state.coins[A] == 4
    assert whose(table) == ("action", B)


def test_interrupted_exchange_returns_its_cards() -> None:
    table = passes(scene(("jaqen", "hound"), SPARE, SPARE).do(A, Exchange())).leave(A)
    assert len(table.state.deck) == 15 - 6
    assert whose(table) == ("action", B)


@pytest.mark.parametrize(("phase", "default"), [("lose", 0), ("exchange", (0, 1))])
def test_missed_choices_are_made_on_timeout(phase: str, default: Any) -> None:
    if phase == "lose":
        table = scene(("arya", "hound"), SPARE, SPARE).do(A, Tax()).do(B, Challenge()).lapse()
        assert roles(table, A) == ["hound"]
        assert table.told[0] == InfluenceLost(A, "arya", 0, auto="clock")
        return
    table = passes(scene(("jaqen", "hound"), SPARE, SPARE).do(A, Exchange())).lapse()
    assert sorted(roles(table, A)) == ["hound", "jaqen"]
    assert table.told[0] == Exchanged(A, auto="clock")


def test_timed_out_turn_is_flagged_but_a_timed_out_window_is_silent() -> None:
    table = scene(SPARE, SPARE, SPARE).lapse()
    assert table.told[0] == ActionDeclared(A, "Income", None, None, auto="clock")
    said = say(GAME.telling.words(CoupOptions()).event(table.told[0]), "ABC")
    assert said.startswith("A ran out of time. ")
    table = scene(SPARE, SPARE, SPARE).do(A, Tax()).do(B, Pass()).lapse()
    assert not any(isinstance(event, Echo) for event in table.told)
    sealed = scene(SPARE, SPARE, SPARE, window_mode="sealed").do(A, Tax()).do(B, Challenge())
    assert sealed.lapse().told[0] == Challenged(B, A, "baelish")


@pytest.mark.parametrize(
    ("coins", "move", "changed"),
    [
        ((2, 1, 2), Steal(B), {A: 3, B: 0}),
        ((2, 0, 2), Steal(B), {}),
        ((2, 2, 2), Tax(), {A: 5}),
        ((7, 2, 2), Coup(B), {}),
    ],
)
def test_action_lists_the_coins_it_changes(
    coins: tuple[int, ...], move: Any, changed: dict[Seat, int]
) -> None:
    table = scene(("arya", "baelish"), SPARE, SPARE, coins=coins).do(A, move)
    while not any(isinstance(event, ActionDone) for event in table.told):
        table.do(table.state.waiting[0], Pass())
    (done,) = [event for event in table.told if isinstance(event, ActionDone)]
    assert dict(done.coins) == changed
    assert say(GAME.telling.words(CoupOptions()).event(done), "ABC")
