"""Mia: options, timeouts, leaving, bots, and the numbered examples of docs/rules/mia.md §5."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract.core import OneOf
from games.contract.data import Seat
from games.contract.luck import ScriptedLuck
from games.mia import GAME
from games.mia.rules.state import (
    Announce,
    Announcement,
    Continue,
    Fault,
    MiaOptions,
    PlayerLost,
    Roll,
    RoundStarted,
    See,
    ranking,
)
from tests.kit.scene import A, B, C, D, Scene


def scene(n: int = 3, **options: Any) -> Scene:
    """Return a round about to begin, in the order A, B, C, …"""
    luck = ScriptedLuck(order=[tuple(range(n))])
    if options.get("scoring") == "points":
        luck = ScriptedLuck(order=[tuple(range(n))] * 1)
    return Scene(GAME, GAME.rules.setup(n, MiaOptions(**options), luck).state)


def rolls(table: Scene, seat: Seat, dice: str) -> Scene:
    one, two = (int(n) - 1 for n in dice.split(","))
    return table.do(seat, Roll(), die=[one, two])


def announces(table: Scene, seat: Seat, dice: str, said: str) -> Scene:
    return rolls(table, seat, dice).do(seat, Announce(said))


def lost(table: Scene) -> tuple[tuple[Seat, ...], str]:
    event = next(e for e in table.told if isinstance(e, PlayerLost))
    return event.usernames, event.reason


@pytest.mark.parametrize(
    ("rolled", "said", "loser", "reason"),
    [
        pytest.param("3,1", "3,1", B, "SEE_FAILED", id="1"),
        pytest.param("3,1", "6,5", A, "CAUGHT_BLUFFING", id="2"),
        pytest.param("6,5", "3,1", B, "SEE_FAILED", id="3-too-little-is-no-bluff"),
    ],
)
def test_call_judges_the_last_announcement(
    rolled: str, said: str, loser: Seat, reason: str
) -> None:
    table = announces(scene(), A, rolled, said).do(B, See())
    assert table.kinds()[:3] == ["PlayerWantsToSee", "ActualDice", "PlayerLost"]
    assert lost(table) == ((loser,), reason)


def test_4_double_beats_a_plain_value() -> None:
    table = announces(announces(scene(), A, "6,5", "6,5"), B, "3,1", "1,1")
    assert table.state.phase == "turn"
    assert table.state.at == C


@pytest.mark.parametrize(("first", "second"), [("6,6", "1,1"), ("4,3", "4,3")], ids=["5", "6"])
def test_too_low_an_announcement_loses_at_once(first: str, second: str) -> None:
    table = announces(announces(scene(), A, "6,6", first), B, "6,6", second)
    assert table.kinds()[:2] == ["Announced", "PlayerLost"]
    assert lost(table) == ((B,), "ANNOUNCED_LOSING_DICE")


def test_7_true_mia_costs_all_other_players() -> None:
    table = announces(scene(), A, "2,1", "2,1")
    assert lost(table) == ((B, C), "MIA")
    assert table.state.lives == (3, 2, 2)
    assert table.state.shown == Announcement(A, "2,1")


def test_8_false_mia_costs_the_announcer() -> None:
    assert lost(announces(scene(), A, "5,5", "2,1")) == ((A,), "LIED_ABOUT_MIA")


def test_9_call_before_the_first_roll_is_refused_or_loses() -> None:
    polite = scene()
    assert polite.refuses(A, See()) == "see_before_first_roll"
    assert polite.offered(A) == ["Roll"]
    strict = scene(on_fault="lose").do(A, See())
    assert strict.kinds()[:2] == ["PlayerWantsToSee", "PlayerLost"]
    assert lost(strict) == ((A,), "SEE_BEFORE_FIRST_ROLL")


def test_11_dice_are_accepted_in_either_order() -> None:
    assert Announce("3,5") == Announce("5,3")


def test_12_impossible_dice_are_refused() -> None:
    table = rolls(scene(), A, "3,1")
    for dice in ("7,1", "", "3", "0,0", "5,3,1", "<b>"):
        assert table.refuses(A, Announce(dice)) == "bad_dice"


def test_17_last_player_with_a_life_wins() -> None:
    table = announces(scene(2, lives=1), A, "3,1", "6,5").do(B, See())
    assert table.state.phase == "over"
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.winners, outcome.places, outcome.reason) == ((B,), ((B,), (A,)), "last_alive")


def test_18_little_mia_ranks_just_below_mia() -> None:
    table = announces(announces(scene(little_mia=True), A, "6,6", "6,6"), B, "3,1", "3,1")
    assert table.state.phase == "turn"
    assert lost(announces(table, C, "2,1", "2,1")) == ((A, B), "MIA")


def test_19_player_after_an_eliminated_loser_starts() -> None:
    table = scene(4, lives=1)
    announces(table, A, "6,5", "6,5").do(B, See())
    for seat in (A, C, D):
        table.do(seat, Continue())
    started = table.told[-1]
    assert started == RoundStarted(2, (A, C, D))
    assert table.state.at == C


def test_19_every_round_has_a_new_order_when_playing_for_points() -> None:
    table = scene(scoring="points", rounds=2)
    announces(table, A, "6,5", "6,5").do(B, See())
    assert table.state.points == (1, 0, 1)
    table.lapse(order=[(2, 0, 1)])
    assert table.state.order == (C, A, B)
    assert table.state.at == C


def test_announcer_starts_after_several_losers() -> None:
    table = announces(scene(), A, "2,1", "2,1")
    assert GAME.rules.turn(table.state).next == A


def test_20_losing_announcements_are_offered_separately() -> None:
    def offered(dice: str) -> list[tuple[tuple[Any, ...], bool]]:
        table = rolls(announces(scene(), A, "4,3", "4,3"), B, dice)
        found = GAME.rules.offers(table.state, B)
        return [
            (o.args["dice"].one_of, o.risky) for o in found if isinstance(o.args["dice"], OneOf)
        ]

    values = ranking(False)
    assert offered("3,2") == [(values[5:20], False), ((*values[:5], "2,1"), True)]
    assert offered("2,1") == [(values[5:], False), (values[:5], True)]


def test_21_equal_announcement_may_follow_once_without_must_raise() -> None:
    table = announces(announces(scene(must_raise=False), A, "4,3", "4,3"), B, "3,1", "4,3")
    assert table.state.phase == "turn"
    assert lost(announces(table, C, "3,1", "4,3")) == ((C,), "ANNOUNCED_LOSING_DICE")


def test_22_pause_ends_by_timeout_and_each_player_continues_once() -> None:
    table = announces(scene(), A, "3,1", "6,5").do(B, See())
    assert GAME.rules.idle(table.state) == ()
    assert GAME.rules.awaited(table.state) == ()
    table.do(A, Continue())
    assert table.ignores(A, Continue())
    table.lapse()
    assert table.state.round == 2


def test_23_fault_loses_only_at_a_strict_table() -> None:
    assert lost(scene(on_fault="lose").do(A, Fault())) == ((A,), "INVALID_TURN")
    strict = rolls(scene(on_fault="lose"), A, "3,1").do(A, Fault())
    assert lost(strict) == ((A,), "DID_NOT_ANNOUNCE")
    assert scene().ignores(A, Fault())


@pytest.mark.parametrize(
    ("rolled", "reason"), [(False, "DID_NOT_TAKE_TURN"), (True, "DID_NOT_ANNOUNCE")]
)
def test_timeout_loses_the_round_and_counts_as_idle(rolled: bool, reason: str) -> None:
    table = rolls(scene(), A, "3,1") if rolled else scene()
    assert GAME.rules.idle(table.state) == (A,)
    assert lost(table.lapse()) == ((A,), reason)


def test_moves_out_of_turn_are_ignored() -> None:
    table = scene()
    assert table.ignores(B, Roll())
    assert table.ignores(A, Announce("5,3"))
    assert table.ignores(A, Continue())


def test_dice_are_visible_only_to_the_roller_until_shown() -> None:
    table = rolls(scene(), A, "5,3")
    assert GAME.rules.view(table.state, A).dice == "5,3"
    assert [GAME.rules.view(table.state, who).dice for who in (B, C, None)] == [None] * 3
    table.do(A, Announce("5,3"))
    assert GAME.rules.view(table.state, A).dice == "5,3"
    table.do(B, See())
    assert [GAME.rules.view(table.state, who).dice for who in (A, B, None)] == [None] * 3
    assert GAME.rules.view(table.state, None).shown == Announcement(A, "5,3")


def test_leaving_on_turn_loses_the_round_first() -> None:
    table = scene().leave(A)
    assert lost(table) == ((A,), "DID_NOT_TAKE_TURN")
    assert GAME.rules.out(table.state) == (A,)
    assert table.state.phase == "result"


def test_leavers_announcement_is_still_judged_without_a_cost() -> None:
    table = announces(scene(), A, "3,1", "6,5").leave(A).do(B, See())
    assert lost(table) == ((A,), "CAUGHT_BLUFFING")
    assert table.state.lives == (0, 3, 3)
    assert table.state.phase == "result"
    assert GAME.rules.turn(table.state).next == B


def test_leaver_is_not_awaited_in_a_pause() -> None:
    table = announces(scene(), A, "3,1", "6,5").do(B, See())
    table.do(A, Continue()).do(B, Continue()).leave(C)
    assert table.state.round == 2


def test_match_with_points_ends_after_the_rounds_and_ties_share_the_win() -> None:
    table = scene(scoring="points", rounds=1)
    announces(table, A, "6,5", "6,5").do(B, See())
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.reason == "rounds"
    assert (outcome.winners, outcome.places) == ((A, C), ((A, C), (B,)))
    assert dict(outcome.points or {}) == {A: 1, B: 0, C: 1}
