"""Hidden information of Secret Hitler: each row of docs/rules/secret_hitler.md §6."""

from games.secret_hitler.rules import events
from games.secret_hitler.rules.state import (
    ChancellorPolicy,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    Known,
    PresidentPolicies,
    VetoRequest,
)
from games.secret_hitler.tests.table import A, B, C, D, E, Table, tiles

FIVE = "HFLLL"
SEVEN = "HFFLLLL"


def test_fascist_who_investigates_an_ally_still_knows_the_role():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=B, rotation=B).govern(E)
    table.do(B, InvestigateAffiliation(C))
    assert table.view(B).knows[C] == Known("fascist", "fascist")


def test_dead_players_keep_their_knowledge():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=D, rotation=D).govern(E)
    table.do(D, InvestigateAffiliation(A)).do(D, ExecutiveConfirmation())
    knew = table.view(D)
    table.set(alive=tuple(seat != D for seat in range(7)))
    assert table.view(D).knows == knew.knows
    assert table.view(D).history == knew.history


def test_president_and_chancellor_both_see_the_two_tiles_in_a_veto():
    table = Table(FIVE, deck="FLFLLL", fascist=5).elect(C).do(A, PresidentPolicies((0, 1)))
    table.do(C, VetoRequest())
    assert [view.hand for view in table.views()] == [tiles("FL"), (), tiles("FL"), (), (), ()]


def test_peeked_tiles_leave_the_view_when_chaos_takes_the_top_one():
    table = Table(FIVE, deck="FFFFLLFFFF", fascist=2).govern(C).do(A, ExecutiveConfirmation())
    table.set(tracker=2).nominate(D).voted_down()
    assert table.view(A).peeked is None


def test_everything_is_revealed_when_the_match_is_over():
    table = Table(FIVE, deck="FLFLLL", liberal=4).elect(C)
    table.do(A, PresidentPolicies((0, 1))).do(C, ChancellorPolicy(1))
    for view in table.views():
        assert view.side == "liberal"
        assert view.roles == dict(enumerate(table.state.roles))
        assert view.history[-1].drawn == tiles("FLF")
        assert view.history[-1].passed_on == tiles("FL")
    assert table.public()[-1] == events.RolesRevealed("liberal", table.view(None).roles)
