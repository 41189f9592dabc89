"""The discussion before each vote ends when time is up or everybody is ready."""

from __future__ import annotations

import pytest

from games.contract.core import Ignored
from games.secret_hitler import GAME
from games.secret_hitler.rules.events import ChancellorNominated, SaidReady, VoteOpened
from games.secret_hitler.rules.state import ComeBack, Options, Ready, Vote
from games.secret_hitler.tests.table import A, B, C, D, E, Table

FIVE = "LFHLL"


def proposed(**options: object) -> Table:
    """Ann has nominated Bela, and everybody has a minute to talk."""
    return Table(FIVE, options=Options(discussion=60, **options)).nominate(B)


def test_discussion_precedes_each_vote() -> None:
    table = proposed()
    assert table.state.phase == "discuss"
    assert table.awaited() == ()
    assert GAME.rules.idle(table.state) == ()
    assert GAME.rules.patience(table.state) == 60
    assert [type(told.event) for told in table.told] == [ChancellorNominated]
    assert [offer.move for offer in table.offers(C)] == ["Ready"]
    with pytest.raises(Ignored):
        table.do(C, Vote(True))


def test_discussion_ends_when_everybody_is_ready() -> None:
    table = proposed()
    for seat in (C, A, E, B):
        table.do(seat, Ready())
        assert table.state.phase == "discuss"
    assert table.view(None).ready == (A, B, C, E)
    assert table.offers(A) == ()
    with pytest.raises(Ignored):
        table.do(A, Ready())
    table.do(D, Ready())
    assert table.state.phase == "vote"
    assert [type(told.event) for told in table.told] == [SaidReady, VoteOpened]
    assert table.awaited() == (A, B, C, D, E)
    assert table.view(A).ready == ()


def test_discussion_ends_by_timeout_and_nobody_counts_as_idle() -> None:
    table = proposed().do(C, Ready()).lapse()
    assert table.state.phase == "vote"
    assert [type(told.event) for told in table.told] == [VoteOpened]


def test_discussion_does_not_wait_for_leavers_or_the_dead() -> None:
    table = proposed(on_leave="leave")
    for seat in (A, B, C, D):
        table.do(seat, Ready())
    table.leave(E)
    assert table.state.phase == "vote"
    assert table.offers(E)[0].move == ComeBack.__name__
    dead = Table(FIVE, dead="E", options=Options(discussion=60)).nominate(B)
    for seat in (A, B, C, D):
        dead.do(seat, Ready())
    assert dead.state.phase == "vote"
