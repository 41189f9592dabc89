"""Cards: drawing, playing, counting and ending, with examples of docs/rules/cards.md §8."""

from __future__ import annotations

from itertools import pairwise

import pytest

from games.cards import GAME
from games.cards.rules.state import (
    BlackCardDrawn,
    Continue,
    Continued,
    DiscardCards,
    HandDrawn,
    PlaysRevealed,
    PlayWhiteCards,
    RoundResult,
    RoundVoid,
    Vote,
)
from games.cards.tests.table import A, B, C, D, Table, w
from games.contract.core import Ignored
from games.contract.data import BySeat, Seat
from games.contract.luck import ScriptedLuck


def full_round(table: Table) -> Table:
    """Play a round in which everybody plays, nobody votes, and everybody continues."""
    return table.all_play().lapse().go_on()


def test_1_hand_is_refilled_after_a_round() -> None:
    table = Table(prompts=((1, 0), (1, 0)))
    table.all_play()
    assert len(table.hand(A)) == 6
    new_from = len(table.told)
    table.lapse().go_on()
    assert len(table.hand(A)) == 7
    drawn = [told.event for told in table.told[new_from:] if told.to == (A,)]
    assert [len(event.cards) for event in drawn if isinstance(event, HandDrawn)] == [1]


def test_2_extra_cards_are_drawn_for_a_larger_prompt() -> None:
    table = Table(prompts=((3, 2), (1, 0)))
    assert len(table.hand(A)) == 9
    table.all_play()
    assert len(table.hand(A)) == 6
    table.lapse().go_on()
    assert len(table.hand(A)) == 7


def test_3_hand_above_its_size_is_kept() -> None:
    table = full_round(Table(prompts=((1, 2), (1, 0))))
    assert len(table.hand(A)) == 8
    assert not [t for t in table.told if isinstance(t.event, HandDrawn) and t.to == (A,)][1:]
    full_round(table)
    assert table.state.round == 3


def test_4_invalid_play_is_refused_with_the_first_matching_code() -> None:
    table = Table(prompts=((2, 0),))
    mine, other, foreign = table.hand(A)[0], table.hand(A)[1], table.hand(B)[0]
    assert table.refusal(A, PlayWhiteCards((mine,))) == "wrong_count"
    assert table.refusal(A, PlayWhiteCards((mine, mine, foreign))) == "wrong_count"
    assert table.refusal(A, PlayWhiteCards((mine, mine))) == "duplicate_card"
    assert table.refusal(A, PlayWhiteCards((foreign, foreign))) == "duplicate_card"
    assert table.refusal(A, PlayWhiteCards((mine, foreign))) == "not_in_hand"
    assert table.play(A, mine, other).state.plays[A]


def test_5_play_keeps_its_card_order() -> None:
    table = Table(prompts=((2, 0),)).play(A, w(5), w(2))
    for seat in (B, C, D):
        table.play(seat)
    shown = table.view(B).plays[table.state.order.index(A)]
    assert [card.id for card in shown.cards] == [w(5), w(2)]
    revealed = next(event for event in table.heard(None) if isinstance(event, PlaysRevealed))
    assert [play.cards for play in revealed.plays] == [play.cards for play in table.view(B).plays]


def test_6_second_play_is_ignored() -> None:
    table = Table().play(A, w(1))
    assert w(1) not in table.hand(A)
    with pytest.raises(Ignored):
        table.play(A, w(2))
    assert table.offered(A) == []


def test_10_most_votes_win_the_round() -> None:
    table = Table().all_play().votes(B, C, B, B)
    assert table.scores() == [0, 1, 0, 0]
    assert table.state.last_round is not None
    assert table.state.last_round.winners == (B,)


def test_11_all_tied_plays_score() -> None:
    table = Table().all_play().votes(B, A, A, B)
    assert table.scores() == [1, 1, 0, 0]
    four = Table().all_play().votes(B, C, D, A)
    assert four.scores() == [1, 1, 1, 1]


def test_12_round_without_votes_counts_but_nobody_scores() -> None:
    table = Table().all_play().lapse()
    assert table.scores() == [0, 0, 0, 0]
    assert table.state.void_rounds == 0
    assert table.state.phase == "results"
    assert isinstance(table.told[-1].event, RoundResult)


def test_16_player_who_missed_the_play_keeps_the_hand_and_votes() -> None:
    table = Table().play(A).play(B).play(C)
    hand = table.hand(D)
    table.lapse()
    assert len(table.state.order) == 3
    assert table.hand(D) == hand
    assert D in GAME.rules.awaited(table.state)
    table.vote(D, A)
    assert D in table.state.votes


def test_17_round_with_a_single_play_is_void() -> None:
    table = Table(prompts=((1, 0), (1, 0))).play(A, w(1)).lapse()
    assert table.told[-1].event == RoundVoid(1)
    assert table.state.void_rounds == 1
    assert table.scores() == [0, 0, 0, 0]
    assert table.ids(table.state.white_discard) == (w(1),)
    assert [table.state.stock.black(n).id for n in table.state.black_discard] == ["t:1"]
    table.go_on()
    assert (table.state.round, table.state.phase) == (2, "play")
    table.all_play().lapse()
    assert table.state.void_rounds == 0


def test_18_authors_of_two_plays_can_only_vote_for_each_other() -> None:
    table = Table().play(A).play(B).lapse()
    at = {author: play_id for play_id, author in enumerate(table.state.order)}

    def choices(seat: Seat) -> object:
        return GAME.rules.offers(table.state, seat)[0].args["playId"]

    assert choices(A).one_of == (at[B],)
    assert choices(B).one_of == (at[A],)
    assert choices(C).one_of == choices(D).one_of == (0, 1)
    assert table.refusal(A, Vote(at[A])) == "own_play"


def test_19_several_players_can_reach_the_target_together() -> None:
    table = Table(points_to_win=2).scored(1, 1, 0, 0).all_play().votes(B, A, A, B)
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((A, B), "points")
    assert outcome.places == ((A, B), (C, D))
    assert outcome.points == BySeat({A: 2, B: 2, C: 0, D: 0})


def test_20_discard_can_prevent_reaching_the_target() -> None:
    table = Table(points_to_win=5).scored(4, 0, 0, 0).all_play()
    table.discard(A, table.hand(A)[0]).votes(B, A, A, A)
    assert table.scores()[0] == 4
    assert GAME.rules.outcome(table.state) is None


def test_21_match_ends_after_the_last_round() -> None:
    table = Table(max_rounds=1).scored(1, 1, 0, 0).all_play().lapse()
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((A, B), "max_rounds")


def test_21_nobody_wins_without_points() -> None:
    table = Table(max_rounds=3)
    for _ in range(2):
        full_round(table)
    outcome = GAME.rules.outcome(table.all_play().lapse().state)
    assert outcome is not None
    assert outcome.winners == ()
    assert outcome.places == ((A, B, C, D),)


def test_target_of_0_means_no_target() -> None:
    table = Table(points_to_win=0).scored(49, 0, 0, 0).all_play().votes(B, A, A, A)
    assert GAME.rules.outcome(table.state) is None


def test_three_void_rounds_in_a_row_end_the_match() -> None:
    table = Table()
    for _ in range(2):
        table.lapse()
        assert GAME.rules.outcome(table.state) is None
        table.lapse()
    outcome = GAME.rules.outcome(table.lapse().state)
    assert outcome is not None
    assert outcome.reason == "inactive"


def test_24_discards_are_reshuffled_if_the_deck_runs_out_while_dealing() -> None:
    table = Table(n=3, answers=60)
    deck, rest = table.state.white_deck[:1], table.state.white_deck[1:11]
    short = table.state.hands.but(A, table.state.hands[A][:4])
    table.set(phase="results", hands=short, white_deck=deck, white_discard=rest)
    table.set(black_deck=(table.state.active_black,), active_black=None)
    again = tuple(reversed(range(10)))
    table.luck = ScriptedLuck(white_again=[again])
    table.lapse()
    new = table.state.hands[A][4:]
    assert new == (deck[0], rest[9], rest[8])
    assert table.state.white_deck == tuple(reversed(rest[:8]))
    assert table.state.white_discard == ()


def test_25_single_prompt_returns_every_round() -> None:
    table = full_round(full_round(Table()))
    drawn = [event for event in table.heard(None) if isinstance(event, BlackCardDrawn)]
    assert [(event.round, event.card.id) for event in drawn] == [(1, "t:1"), (2, "t:1"), (3, "t:1")]


def test_result_pause_ends_when_all_players_continue() -> None:
    table = Table().all_play().lapse()
    assert GAME.rules.awaited(table.state) == ()
    assert GAME.rules.patience(table.state) == 10
    clock = table.state.clock
    for seat in (A, B, C):
        assert table.offered(seat) == ["Continue"]
        table.move(seat, Continue())
        assert table.told[-1].event == Continued(seat)
        assert table.offered(seat) == []
        with pytest.raises(Ignored):
            table.move(seat, Continue())
    assert table.state.clock == clock
    table.move(D, Continue())
    assert (table.state.round, table.state.phase) == (2, "play")


@pytest.mark.parametrize("phase", ["play", "vote", "results"])
def test_moves_of_other_phases_are_ignored(phase: str) -> None:
    table = Table().scored(1, 1, 1, 1)
    if phase != "play":
        table.all_play()
    if phase == "results":
        table.lapse()
    own = {"play": PlayWhiteCards, "vote": (Vote, DiscardCards), "results": Continue}[phase]
    hand = table.hand(A)[:1]
    for move in (PlayWhiteCards(hand), Vote(0), DiscardCards(hand), Continue()):
        if not isinstance(move, own):
            with pytest.raises(Ignored):
                table.move(A, move)


def test_only_a_new_phase_restarts_the_clock() -> None:
    table = Table().scored(3, 0, 0, 0)
    clocks = [table.state.clock]
    table.play(A).play(B).play(C)
    assert table.state.clock == clocks[-1]
    clocks.append(table.play(D).state.clock)
    table.discard(A, table.hand(A)[0]).vote(A, B)
    assert table.state.clock == clocks[-1]
    clocks.append(table.lapse().state.clock)
    clocks.append(table.lapse().state.clock)
    assert all(before < after for before, after in pairwise(clocks))
