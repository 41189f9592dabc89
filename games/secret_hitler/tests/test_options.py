"""Secret Hitler: defaults for silent players and leavers, by phase and option."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.contract.core import Refused
from games.contract.data import BySeat, pack
from games.secret_hitler import GAME
from games.secret_hitler.bots.belief import believe
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.rules.events import AutopilotSet, Voted
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ComeBack,
    ExecutePlayer,
    InvestigateAffiliation,
    NextPresident,
    Options,
    PresidentPolicies,
    VetoRequest,
    Vote,
)
from games.secret_hitler.tests.table import A, B, C, D, E, Table

FIVE = "LLLFH"
SEVEN = "LLLLFFH"


def test_timed_out_president_nominates_at_random() -> None:
    table = Table(FIVE).lapse(**{"lapse.nominate": [2]})
    assert table.state.chancellor == table.view(None).chancellor == D
    assert table.state.phase == "vote"


def test_timed_out_president_discards_at_random() -> None:
    table = Table(FIVE, deck="FLLFFFLFL").elect(B).lapse(**{"lapse.discard": [0]})
    assert table.view(B).hand == ("liberal", "liberal")
    assert table.state.phase == "chancellor_enact"


def test_timed_out_chancellor_enacts_at_random_without_a_veto() -> None:
    table = Table(FIVE, deck="FLLFFFLFL", fascist=5).elect(B)
    table.do(A, PresidentPolicies((0, 1))).lapse(**{"lapse.enact": [1]})
    assert table.state.liberal == 1
    assert table.state.history[-1].veto is None


def test_timed_out_president_refuses_the_veto() -> None:
    table = Table(FIVE, deck="FLLFFFLFL", fascist=5).elect(B)
    table.do(A, PresidentPolicies((0, 1))).do(B, VetoRequest()).lapse()
    assert table.state.phase == "chancellor_enact"
    assert table.state.veto_refused


@pytest.mark.parametrize(
    ("fascist", "phase"),
    [(1, "power_investigate"), (2, "power_special"), (3, "power_execute")],
)
def test_timed_out_president_uses_a_power_at_random(fascist: int, phase: str) -> None:
    table = Table(SEVEN, deck="FFFLLLFFF", fascist=fascist).govern(B)
    assert table.state.phase == phase
    targets = table.view(None).targets
    table.lapse(**{"lapse.target": [1]})
    assert table.state.history[-1].target == targets[1]


@pytest.mark.parametrize(
    ("fields", "who", "move", "code"),
    [
        ({}, A, ChancellorNomination(A), "not_eligible"),
        ({"dead": "B"}, A, ChancellorNomination(B), "not_eligible"),
        ({"phase": "power_execute", "fascist": 4}, A, ExecutePlayer(A), "bad_target"),
        ({"phase": "power_execute", "fascist": 4, "dead": "B"}, A, ExecutePlayer(B), "bad_target"),
        ({"phase": "power_special", "fascist": 3}, A, NextPresident(A), "bad_target"),
        ({"phase": "power_investigate", "fascist": 2}, A, InvestigateAffiliation(A), "bad_target"),
    ],
)
def test_refused_move_has_its_code_and_changes_nothing(
    fields: dict[str, Any], who: Any, move: Any, code: str
) -> None:
    table = Table(SEVEN, **fields)
    if fields:
        table.set(chancellor=C)
    before = table.state
    with pytest.raises(Refused, match=code):
        table.do(who, move)
    assert table.state == before


@pytest.mark.parametrize("keep", [(0, 0), (0,), (0, 1, 2), (0, 3), (-1, 0)])
def test_president_must_keep_two_different_tiles(keep: tuple[int, ...]) -> None:
    table = Table(FIVE).elect(B)
    with pytest.raises(Refused, match="bad_choice"):
        table.do(A, PresidentPolicies(keep))


@pytest.mark.parametrize("enact", [-1, 2])
def test_chancellor_must_enact_one_of_the_two_tiles(enact: int) -> None:
    table = Table(FIVE).elect(B).do(A, PresidentPolicies((0, 1)))
    with pytest.raises(Refused, match="bad_choice"):
        table.do(B, ChancellorPolicy(enact))


def test_first_leaver_ends_the_match_for_everybody_if_on_leave_is_abort() -> None:
    table = Table(FIVE, options=Options(on_leave="abort")).leave(C)
    assert table.reason == "aborted"
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    assert outcome.winners == ()
    assert outcome.places == ((A, B, C, D, E),)


def test_autopilot_acts_for_a_leaver_until_they_return() -> None:
    table = Table(SEVEN).leave(A, **{"lapse.nominate": [0]})
    assert table.state.phase == "vote"
    assert table.view(None).voted == ()
    assert any(isinstance(event, AutopilotSet) and event.on for event in table.public())
    assert not any(isinstance(event, Voted) for event in table.public())
    assert [offer.move for offer in table.offers(A)] == ["ComeBack"]
    assert GAME.rules.comeback == "ComeBack"
    table.do(A, ComeBack())
    assert A not in table.state.autopilot
    assert [offer.move for offer in table.offers(A)] == ["Vote"]


def test_bots_infer_nothing_from_timed_out_ballots() -> None:
    table = Table(SEVEN, deck="FFLLLLFFF").nominate(B)
    for seat in (A, B, C, D):
        table.do(seat, Vote(True))
    table.lapse()
    view = table.view(C)
    (session,) = view.history
    assert session.votes is not None
    absent = BySeat({seat: ja for seat, ja in session.votes.items() if seat not in session.auto})
    meant = replace(view, history=(replace(session, auto=()),))
    unsent = replace(view, history=(replace(session, auto=(), votes=absent),))
    silent, meant, unsent = (
        believe(C, each, {}, policy_of("hard", 7)).fascist for each in (view, meant, unsent)
    )
    assert silent == unsent != meant


def told(table: Table) -> tuple[str, str]:
    """Return the type of the last act's echo, and its `auto`."""
    plain = pack(table.public()[0])
    return plain["type"], plain["auto"]


def test_leaving_after_death_has_no_effect() -> None:
    table = Table(SEVEN, dead="C")
    before = table.state
    table.leave(C)
    assert table.told == ()
    assert table.state == before
