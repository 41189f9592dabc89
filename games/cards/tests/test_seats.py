"""Cards: starting, joining late, leaving, timeouts (docs/rules/cards.md §1, §3.6, §5, §6)."""

from __future__ import annotations

import pytest

from games.cards import GAME
from games.cards.rules.state import SeatJoined
from games.cards.tests.table import A, B, C, D, E, Table, pack, plain, stocked
from games.contract.core import Ignored, Refused, all_seats
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine.options import read_options

LUCK = Luck(b"seats", 0)
NEEDS = {"needed": 36, "have": 35}


def test_22_play_of_a_leaver_stays_listed_but_cannot_score() -> None:
    table = Table(min_players_to_continue=2).all_play().leave(C)
    assert len(table.view(A).plays) == 4
    table.vote(A, C).vote(B, C).vote(D, A)
    assert table.scores() == [1, 0, 0, 0]
    assert table.state.last_round is not None
    votes = {play.author: play.votes for play in table.state.last_round.plays}
    assert votes == {A: 1, B: 0, C: 2, D: 0}


def test_23_match_ends_with_too_few_players() -> None:
    table = Table(n=3).scored(3, 1, 4).leave(C)
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((A,), "not_enough_players")
    assert outcome.places == ((A,), (B,), (C,))
    assert GAME.rules.awaited(table.state) == ()
    assert all(table.offered(seat) == [] for seat in (A, B, C))


def test_match_continues_down_to_the_minimum_number_of_players() -> None:
    table = Table(n=3, min_players_to_continue=2).leave(C)
    assert GAME.rules.outcome(table.state) is None
    table.play(A).play(B)
    assert table.state.phase == "vote"
    table.vote(A, B).vote(B, A)
    assert table.scores() == [1, 1, 0]


def test_leaver_takes_back_a_hidden_play() -> None:
    table = Table().play(C).play(A)
    cards = {*table.hand(C), *table.ids(table.state.plays[C])}
    table.leave(C)
    assert table.view(None).played == (A,)
    assert set(table.ids(table.state.white_discard)) == cards
    assert C not in GAME.rules.awaited(table.state)


def test_vote_starts_when_the_last_missing_player_leaves() -> None:
    table = Table().play(A).play(B).play(C)
    clock = table.state.clock
    table.leave(D)
    assert table.state.phase == "vote"
    assert table.state.clock > clock


def test_round_is_void_if_leavers_leave_only_one_play() -> None:
    table = Table(min_players_to_continue=2).play(A).play(B).leave(B).leave(C)
    assert table.state.phase == "play"
    assert table.lapse().state.void_rounds == 1


def test_votes_are_counted_when_the_last_missing_voter_leaves() -> None:
    table = Table().all_play().vote(A, B).vote(B, A).vote(C, B).leave(D)
    assert table.state.phase == "results"
    assert table.scores() == [0, 1, 0, 0]


def test_vote_of_a_leaver_counts() -> None:
    table = Table().all_play().vote(D, B).leave(D).votes(C, A, B)
    assert table.scores() == [0, 1, 0, 0]


def test_nobody_scores_if_only_a_leaver_got_votes() -> None:
    table = Table().all_play().leave(D).votes(D, D, D)
    assert table.scores() == [0, 0, 0, 0]
    assert table.state.last_round is not None
    assert table.state.last_round.winners == ()


def test_leaving_twice_or_after_the_end_has_no_effect() -> None:
    table = Table(n=3).leave(C)
    assert GAME.rules.leave(table.state, C, LUCK).state is table.state
    assert GAME.rules.leave(table.state, A, LUCK).state is table.state


def test_leavers_are_ranked_last() -> None:
    table = Table(max_rounds=1).scored(0, 2, 9, 2).leave(C).all_play().lapse()
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == (B, D)
    assert outcome.places == ((B, D), (A,), (C,))


def test_26_defaults_need_three_players_and_forbid_late_joining() -> None:
    assert GAME.seats == (3, 20)
    assert not Table().join()


def test_27_late_joiner_is_dealt_in_with_the_next_round() -> None:
    table = Table(allow_late_join=True).all_play()
    clock, prompts = table.state.clock, table.state.prompts
    assert table.join()
    assert table.told[-1].event == SeatJoined(E)
    assert table.state.clock == clock
    assert table.state.prompts[:4] == prompts
    facts = table.view(None).players[E]
    assert (facts.score, facts.hand_size, facts.is_joining) == (0, 0, True)
    assert table.offered(E) == []
    assert E not in GAME.rules.awaited(table.state)
    with pytest.raises(Ignored):
        table.vote(E, A)
    table.lapse()
    assert table.offered(E) == []
    table.go_on()
    assert len(table.hand(E)) == 7
    assert not table.view(None).players[E].is_joining
    assert E in GAME.rules.awaited(table.state)


def test_27_late_joining_is_refused_if_the_cards_would_not_suffice() -> None:
    assert not Table(answers=34, allow_late_join=True).join()
    assert Table(answers=35, allow_late_join=True).join()
    assert not Table(answers=38, prompts=((1, 0), (3, 1)), allow_late_join=True).join()


def test_late_joining_is_refused_at_a_full_or_finished_table() -> None:
    full = Table(n=20, answers=200, allow_late_join=True)
    assert not full.join()
    assert full.leave(A).join()
    assert GAME.rules.view(full.state, None).players[20].is_joining
    assert not Table(n=3, allow_late_join=True).leave(A).join()


def test_match_continues_with_late_joiners_after_the_others_leave() -> None:
    table = Table(n=3, min_players_to_continue=2, allow_late_join=True)
    table.join()
    table.join()
    for seat in (A, B, C):
        table.leave(seat)
    assert table.state.phase == "results"
    table.lapse()
    assert GAME.rules.awaited(table.state) == (Seat(3), Seat(4))


def test_28_missing_a_play_or_vote_counts_as_idle_but_a_pause_does_not() -> None:
    table = Table().play(A).play(B).play(C)
    assert GAME.rules.idle(table.state) == (D,)
    table.lapse().vote(A, B).vote(B, A)
    assert GAME.rules.idle(table.state) == (C, D)
    table.lapse()
    assert GAME.rules.idle(table.state) == ()


def refused(n: int | None, **options: object) -> Refused:
    with pytest.raises(Refused) as refusal:
        GAME.rules.check(plain(**options), n)
    return refusal.value


def test_26_options_out_of_range_are_refused() -> None:
    for name, value in (("maxRounds", 0), ("handSize", 2), ("discardCost", 6), ("packs", [])):
        with pytest.raises(Refused) as refusal:
            read_options(GAME, {name: value})
        assert refusal.value.code == "bad_options"
        assert refusal.value.facts["option"] == name


def test_min_players_to_continue_cannot_exceed_the_number_of_players() -> None:
    answer = refused(3, min_players_to_continue=4)
    assert answer.code == "bad_options"
    assert answer.facts == {"option": "minPlayersToContinue", "allowed": "2–3"}
    GAME.rules.check(plain(min_players_to_continue=4), 4)
    GAME.rules.check(plain(min_players_to_continue=20), None)


def test_unknown_and_repeated_packs_are_refused() -> None:
    assert refused(None, packs=("nowhere",)).facts["option"] == "packs"
    assert refused(None, packs=("own", "own")).facts["option"] == "packs"


def test_packs_must_have_enough_cards_for_the_largest_hands() -> None:
    cards = pack(prompts=((1, 0), (3, 2)), answers=35)
    with pytest.raises(Refused) as refusal:
        GAME.rules.check(stocked(cards), 4)
    assert (refusal.value.code, refusal.value.facts) == ("not_enough_cards", NEEDS)
    GAME.rules.check(stocked(pack(prompts=((1, 0), (3, 2)), answers=36)), 4)
    with pytest.raises(Refused) as refusal:
        GAME.rules.check(stocked(pack(prompts=(), answers=100)), 4)
    assert refusal.value.code == "not_enough_cards"


def test_built_in_packs_suffice_for_the_largest_table() -> None:
    GAME.rules.check(plain(hand_size=15), 20)
    GAME.rules.check(plain(hand_size=8, packs=("own-de",)), 20)
    GAME.rules.check(plain(hand_size=15, packs=("own", "own-de")), 20)


def test_setup_shuffles_the_prompts_once_and_then_the_answers() -> None:
    luck = Luck(b"start", 0)
    change = GAME.rules.setup(3, plain(), luck)
    assert [(draw.label, draw.size) for draw in luck.draws] == [("black", 120), ("white", 400)]
    assert tuple(change.state.hands) == all_seats(3)
