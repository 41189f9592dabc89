"""Hidden information of Secret Hitler, row by row of docs/rules/secret_hitler.md §6."""

import pytest

from games.contract.core import Told
from games.contract.data import Seat
from games.contract.luck import Luck
from games.secret_hitler import GAME
from games.secret_hitler.rules import events
from games.secret_hitler.rules.state import (
    ChancellorPolicy,
    ExecutePlayer,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    Known,
    Options,
    PresidentPolicies,
    VetoConfirm,
    VetoRequest,
    Vote,
)
from games.secret_hitler.tests.table import A, B, C, D, E, F, G, Table, tiles

FIVE = "HFLLL"
SEVEN = "HFFLLLL"


def everybody(table):
    return [*(Seat(at) for at in range(len(table.state.roles))), None]


def test_own_role_and_party_are_kept_for_oneself_also_when_dead():
    table = Table(SEVEN, dead="C")
    for seat in everybody(table)[:-1]:
        assert table.view(seat).role == table.state.roles[seat]
    assert (table.view(C).role, table.view(C).party) == ("fascist", "fascist")
    assert (table.view(A).role, table.view(A).party) == ("hitler", "fascist")


def test_roles_are_told_to_each_seat_alone():
    change = GAME.rules.setup(7, Options(), Luck(b"x", 1))
    given = [told for told in change.told if isinstance(told.event, events.RoleGiven)]
    assert [told.to for told in given] == [(Seat(at),) for at in range(7)]
    for told in given:
        seat = told.to[0]
        view = GAME.rules.view(change.state, seat)
        assert told.event == events.RoleGiven(view.role, view.party, view.knows)


@pytest.mark.parametrize(("roles", "knows"), [("HFLLL", {B}), ("HFLLLL", {B}), (SEVEN, set())])
def test_hitler_knows_the_fascist_in_small_games_only(roles, knows):
    assert set(Table(roles).view(A).knows) == knows


def test_a_fascist_knows_the_whole_team_and_a_liberal_nobody():
    table = Table("HFFFLLLLLL")
    assert {seat: known.role for seat, known in table.view(C).knows.items()} == {
        A: "hitler",
        B: "fascist",
        D: "fascist",
    }
    assert table.view(E).knows == {}


def test_an_investigated_party_is_the_presidents_alone_but_the_act_is_public():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=D, rotation=D).govern(E)
    before = table.view(A)
    table.do(D, InvestigateAffiliation(A))
    assert table.public() == [events.PlayerInvestigated(D, A)]
    assert table.private(D) == [events.PartyShown(A, "fascist")]
    for who in everybody(table):
        view = table.view(who)
        assert view.investigated == (A,)
        assert view.players[A].is_investigated
        assert view.history[-1].target == A
        assert view.history[-1].result == ("fascist" if who == D else None)
    assert table.view(A).knows == before.knows
    assert A not in table.view(E).knows
    table.do(D, ExecutiveConfirmation())
    assert table.view(D).knows == {A: Known(None, "fascist")}


def test_a_fascist_who_investigates_a_friend_still_knows_the_role():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=B, rotation=B).govern(E)
    table.do(B, InvestigateAffiliation(C))
    assert table.view(B).knows[C] == Known("fascist", "fascist")


def test_nobody_sees_the_role_of_an_executed_seat_but_the_team():
    table = Table(SEVEN, deck="F" * 9, fascist=3, candidate=D, rotation=D).govern(E)
    table.do(D, ExecutePlayer(C))
    for who in everybody(table):
        view = table.view(who)
        assert view.roles is None
        assert (C in view.knows) == (who == B)


def test_the_dead_keep_what_they_knew():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=D, rotation=D).govern(E)
    table.do(D, InvestigateAffiliation(A)).do(D, ExecutiveConfirmation())
    knew = table.view(D)
    table.set(alive=tuple(seat != D for seat in range(7)))
    assert table.view(D).knows == knew.knows
    assert table.view(D).history == knew.history


def test_not_hitler_is_public():
    table = Table(SEVEN, fascist=3, candidate=D, rotation=D).elect(E)
    assert events.NotHitlerConfirmed(E) in table.public()
    assert all(view.confirmed_not_hitler == (E,) for view in table.views())


def test_who_has_voted_is_public_and_how_is_not():
    table = Table(FIVE).nominate(B)
    ja = Table(FIVE).nominate(B)
    table.do(C, Vote(False))
    ja.do(C, Vote(True))
    assert table.told == ja.told == (Told(events.Voted(C), None),)
    assert table.views() == ja.views()
    assert table.view(None).voted == (C,)
    assert table.view(None).players[C].has_voted


def test_ballots_are_public_for_ever_once_counted():
    table = Table(FIVE).nominate(B).vote("ABC")
    ballots = table.view(None).votes
    assert ballots == {A: True, B: True, C: True, D: False, E: False}
    table.do(A, PresidentPolicies((0, 1))).do(B, ChancellorPolicy(0))
    assert all(view.history[0].votes == ballots for view in table.views())
    assert table.view(None).votes == ballots


def test_drawn_tiles_are_the_presidents_and_stay_in_its_history():
    table = Table(FIVE, deck="FLFLLL").elect(C)
    assert table.private(A) == [events.PoliciesDrawn(tiles("FLF"))]
    assert [view.hand for view in table.views()] == [tiles("FLF"), (), (), (), (), ()]
    table.do(A, PresidentPolicies((0, 1)))
    for _ in range(2):
        for who in everybody(table):
            assert table.view(who).history[-1].drawn == (tiles("FLF") if who == A else None)
        if table.state.phase == "chancellor_enact":
            table.do(C, ChancellorPolicy(1))


def test_passed_tiles_are_the_governments():
    table = Table(FIVE, deck="FLFLLL").elect(C).do(A, PresidentPolicies((0, 1)))
    assert table.public() == [events.PoliciesChosen(A)]
    assert table.private(C) == [events.PoliciesPassed(tiles("FL"))]
    assert table.private(A) == []
    assert [view.hand for view in table.views()] == [(), (), tiles("FL"), (), (), ()]
    for who in everybody(table):
        seen = table.view(who).history[-1].passed_on
        assert seen == (tiles("FL") if who in (A, C) else None)


def test_in_a_veto_both_look_at_the_two_tiles():
    table = Table(FIVE, deck="FLFLLL", fascist=5).elect(C).do(A, PresidentPolicies((0, 1)))
    table.do(C, VetoRequest())
    assert [view.hand for view in table.views()] == [tiles("FL"), (), tiles("FL"), (), (), ()]


def test_which_tile_was_discarded_shows_to_nobody_but_the_president():
    # From F L F and F L L, both passed on as F L, the chancellor and the table see the same.
    one = Table(FIVE, deck="FLFLLL").elect(C).do(A, PresidentPolicies((0, 1)))
    other = Table(FIVE, deck="FLLLLF").elect(C).do(A, PresidentPolicies((0, 1)))
    for who in (B, C, D, E, None):
        assert one.view(who) == other.view(who)
    assert one.view(A) != other.view(A)


def test_only_the_sizes_of_deck_and_discard_are_public():
    one = Table(FIVE, deck="FLFLLL", discard="FL")
    other = Table(FIVE, deck="LLFLFF", discard="LL")
    assert one.views() == other.views()
    assert (one.view(None).deck_size, one.view(None).discard_size) == (6, 2)


def test_peeked_tiles_are_the_presidents_until_the_deck_is_drawn_from():
    table = Table(FIVE, deck="FFFFLLFF", fascist=2).govern(C)
    assert events.PowerGranted(A, "peek", ()) in table.public()
    for who in everybody(table):
        mine = tiles("FLL") if who == A else None
        assert table.view(who).peeked == mine
        assert table.view(who).history[-1].result == mine
    table.do(A, ExecutiveConfirmation()).elect(D)
    assert table.view(A).peeked is None
    assert table.view(A).history[0].result == tiles("FLL")
    assert table.view(B).history[0].result is None


def test_peeked_tiles_are_gone_from_the_view_when_chaos_takes_the_top_one():
    table = Table(FIVE, deck="FFFFLLFFFF", fascist=2).govern(C).do(A, ExecutiveConfirmation())
    table.set(tracker=2).nominate(D).voted_down()
    assert table.view(A).peeked is None


def test_a_veto_and_its_answer_are_public():
    table = Table(FIVE, fascist=5).elect(C).do(A, PresidentPolicies((0, 1))).do(C, VetoRequest())
    assert table.told == (Told(events.VetoRequested(C), None),)
    assert all(view.history[-1].veto == "requested" for view in table.views())
    table.do(A, VetoConfirm(False))
    assert table.told == (Told(events.VetoAnswered(A, False), None),)
    assert all(view.veto_refused for view in table.views())
    assert all(view.history[-1].veto == "refused" for view in table.views())


def test_when_it_is_over_everything_is_shown_to_all():
    table = Table(FIVE, deck="FLFLLL", liberal=4).elect(C)
    table.do(A, PresidentPolicies((0, 1))).do(C, ChancellorPolicy(1))
    for view in table.views():
        assert view.side == "liberal"
        assert view.roles == dict(enumerate(table.state.roles))
        assert view.history[-1].drawn == tiles("FLF")
        assert view.history[-1].passed_on == tiles("FL")
    assert table.public()[-1] == events.RolesRevealed("liberal", table.view(None).roles)


def test_an_election_broken_off_never_shows_its_ballots():
    table = Table(FIVE, options=Options(on_leave="abort")).nominate(B).do(C, Vote(True)).leave(D)
    assert table.reason == "aborted"
    assert all(view.votes is None and view.history == () for view in table.views())


def test_the_gallery_is_told_public_facts_only():
    table = Table(SEVEN, deck="F" * 9, fascist=1, candidate=D, rotation=D).govern(E)
    table.do(D, InvestigateAffiliation(F))
    view = table.view(None)
    assert (view.role, view.party, view.hand, view.peeked) == (None, None, (), None)
    assert view.knows == {}
    assert view.history[-1].result is None
    assert table.view(G).history == view.history
