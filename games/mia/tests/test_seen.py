"""Mia: the view and events of each viewer, leaving, and the sentences."""

from __future__ import annotations

from typing import get_args

import pytest

from games.contract.core import all_seats
from games.contract.data import BySeat, Seat
from games.mia import GAME
from games.mia.rules.state import (
    Announcement,
    Loss,
    PlayerLost,
    PlayerOut,
    Reason,
    Score,
)
from games.mia.tests.table import Table
from games.tables.sentences import say
from tests.kit.scene import A, B, C, D

NAMES = ("Ann", "Bob", "Cleo", "Dan")
EVERYBODY = (None, A, B, C)


def test_shown_dice_are_public_until_the_next_round() -> None:
    table = Table().say(A, "6,5", rolled="4,1").see(B)
    for viewer in EVERYBODY:
        view = table.view(viewer)
        assert view.shown == Announcement(A, "4,1")
        assert view.lost == Loss((A,), "CAUGHT_BLUFFING", BySeat({A: 1}))
        assert view.dice is None
    table.go_on()
    assert table.view(None).shown is None
    assert table.view(None).lost is None


def test_uncalled_dice_stay_hidden_after_the_round() -> None:
    table = Table().say(A, "6,5", rolled="4,1").out_of_time()
    assert [table.view(viewer).dice for viewer in EVERYBODY] == [None, "4,1", None, None]
    assert table.view(None).shown is None
    assert table.view(B).lost == Loss((B,), "DID_NOT_TAKE_TURN", BySeat({B: 1}))


# leaving


def test_leaving_after_a_roll_counts_as_not_announcing() -> None:
    assert Table().roll(A, "6,6").gone(A).lost() == ("DID_NOT_ANNOUNCE", (A,))


def test_player_who_leaves_out_of_turn_is_passed_over() -> None:
    table = Table().gone(B)
    assert table.kinds() == ["PlayerOut"]
    assert table.on_turn == A
    assert GAME.rules.turn(table.state).next == C
    assert table.say(A, "3,1").on_turn == C


def test_leavers_are_ranked_last_regardless_of_points() -> None:
    table = Table(scoring="points").out_of_time()
    table.gone(C)
    assert GAME.rules.outcome(table.state) is None
    table.gone(B)
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.reason == "not_enough_players"
    assert outcome.places == ((A,), (B,), (C,))
    assert outcome.points == BySeat({A: 0, B: 1, C: 1})


def test_leaver_scores_nothing_for_the_round() -> None:
    table = Table(4, scoring="points").gone(D).out_of_time()
    assert table.event(Score).points == BySeat({A: 0, B: 1, C: 1, D: 0})


@pytest.mark.parametrize("phase", ["turn", "announce", "result"])
@pytest.mark.parametrize("scoring", ["lives", "points"])
@pytest.mark.parametrize("who", all_seats(3))
def test_leaver_is_out_in_every_phase(phase: str, scoring: str, who: Seat) -> None:
    table = Table(scoring=scoring)
    if phase == "announce":
        table.roll(A, "3,1")
    if phase == "result":
        table.out_of_time()
    assert table.state.phase == phase
    table.gone(who)
    assert GAME.rules.out(table.state) == (who,)
    assert who not in GAME.rules.awaited(table.state)
    assert table.event(PlayerOut).username == who
    assert table.gone(who).told == []


# sentences


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_has_a_sentence_naming_the_losers(reason: Reason) -> None:
    words = GAME.telling.words(GAME.rules.options())
    one, two = (say(words.event(PlayerLost(who, reason)), NAMES) for who in ((A,), (B, C)))
    assert "Ann" in one
    assert "Bob and Cleo" in two
    assert one.endswith(".")
