"""Every example of docs/rules/secret_hitler.md §12. Each docstring begins with the number."""

import pytest

from games.contract.core import Ignored, Refused
from games.contract.data import Seat
from games.contract.luck import ScriptedLuck
from games.secret_hitler import GAME
from games.secret_hitler.rules import events
from games.secret_hitler.rules.board import fascists_among
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ComeBack,
    ExecutePlayer,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    Known,
    NextPresident,
    Options,
    PresidentPolicies,
    VetoConfirm,
    VetoRequest,
    Vote,
)
from games.secret_hitler.tests.table import A, B, C, D, E, F, G, Table, pair, seats, tiles

FIVE = "HFLLL"
SEVEN = "HFFLLLL"


def test_hitler_and_the_fascist_know_each_other_with_five_players():
    """Example 1."""
    table = Table(FIVE)
    assert table.view(A).knows == {B: Known("fascist", "fascist")}
    assert table.view(B).knows == {A: Known("hitler", "fascist")}
    for liberal in (C, D, E):
        assert table.view(liberal).role == "liberal"
        assert table.view(liberal).knows == {}
    gallery = table.view(None)
    assert (gallery.role, gallery.party, gallery.knows, gallery.roles) == (None, None, {}, None)


def test_hitler_knows_nobody_with_seven_players():
    """Example 2."""
    table = Table(SEVEN)
    assert table.view(A).role == "hitler"
    assert table.view(A).knows == {}
    assert table.view(B).knows == {A: Known("hitler", "fascist"), C: Known("fascist", "fascist")}
    assert table.view(C).knows == {A: Known("hitler", "fascist"), B: Known("fascist", "fascist")}
    assert table.view(D).knows == {}


def test_tied_vote_fails():
    """Example 3."""
    table = Table("HFLLLL").nominate(B).vote(ja="ABC")
    assert table.state.tracker == 1
    assert (table.state.phase, table.state.candidate) == ("nominate", B)
    assert table.state.last_elected is None


def test_ballots_stay_secret_until_the_last_vote():
    """Example 4."""
    table = Table(FIVE).nominate(B)
    for seat, ja in zip((A, B, C, D), (True, True, False, True), strict=True):
        table.do(seat, Vote(ja))
        assert [told.event for told in table.told] == [events.Voted(seat)]
    for view in table.views():
        assert view.voted == (A, B, C, D)
        assert view.votes is None
        assert view.history == ()
    table.do(E, Vote(False))
    for view in table.views():
        assert view.votes == {A: True, B: True, C: False, D: True, E: False}
        assert view.voted == ()


def test_tiles_of_a_session_are_visible_only_to_the_government():
    """Example 5."""
    table = Table(FIVE, deck="FLFLFLF").elect(B).do(A, PresidentPolicies((1, 2)))
    assert len(table.state.discard) == 1
    assert table.view(B).hand == tiles("LF")
    assert table.view(B).history[-1].drawn is None
    table.do(B, ChancellorPolicy(0))
    assert (table.state.liberal, table.state.tracker) == (1, 0)
    assert len(table.state.discard) == 2
    seen = table.view(C)
    assert (seen.hand, seen.deck_size, seen.discard_size) == ((), 4, 2)
    assert (seen.history[-1].drawn, seen.history[-1].passed_on) == (None, None)


def test_term_limits_apply_to_both_while_more_than_five_are_alive():
    """Example 6."""
    table = Table(SEVEN, candidate=C, last_elected=pair("AB"))
    assert table.view(C).eligible == (D, E, F, G)
    five_alive = Table(SEVEN, dead="FG", candidate=C, last_elected=pair("AB"))
    assert five_alive.view(C).eligible == (A, D, E)


def test_failed_election_sets_no_term_limit():
    """Example 7."""
    table = Table(SEVEN, candidate=C, rotation=C, last_elected=pair("AB"))
    table.nominate(D).voted_down()
    assert table.state.last_elected == pair("AB")
    table.set(candidate=E, rotation=E)
    assert table.view(E).eligible == (C, D, F, G)


def test_chaos_enacts_without_a_power_and_clears_the_term_limits():
    """Example 8."""
    table = Table(SEVEN, deck="FLFLF", tracker=2, fascist=2, last_elected=pair("AB"), candidate=C)
    table.set(rotation=C).nominate(D).voted_down()
    assert (table.state.fascist, table.state.tracker) == (3, 0)
    assert table.state.last_elected is None
    assert (table.state.phase, table.state.candidate, table.state.special) == ("nominate", D, False)
    assert table.view(D).eligible == (A, B, C, E, F, G)
    assert table.view(None).power is None


@pytest.mark.parametrize(
    ("fields", "deck", "reason", "winners"),
    [
        ({"fascist": 5}, "FLLL", "fascist_policies", "AB"),
        ({"liberal": 4}, "LFFF", "liberal_policies", "CDE"),
    ],
)
def test_chaos_policy_can_end_the_match(fields, deck, reason, winners):
    """Example 9."""
    table = Table(FIVE, deck=deck, tracker=2, **fields).nominate(B).voted_down()
    outcome = GAME.rules.outcome(table.state)
    assert table.state.phase == "over"
    assert (outcome.reason, outcome.winners) == (reason, seats(winners))


def test_chaos_unlocks_the_veto_without_an_execution():
    """Example 10."""
    table = Table(FIVE, deck="FLFLFL", tracker=2, fascist=4).nominate(C).voted_down()
    assert table.state.fascist == 5
    assert (table.state.phase, table.state.candidate) == ("nominate", B)
    table.elect(C).do(B, PresidentPolicies((0, 1))).do(C, VetoRequest())
    assert table.state.phase == "veto_confirm"


def test_enacted_policy_resets_the_tracker_but_an_election_does_not():
    """Example 11."""
    table = Table(FIVE, tracker=2).elect(C)
    assert table.state.tracker == 2
    table.do(A, PresidentPolicies((0, 1))).do(C, ChancellorPolicy(0))
    assert table.state.tracker == 0


def test_accepted_veto_can_cause_chaos_from_the_reshuffled_deck():
    """Example 12."""
    table = Table(FIVE, deck="FLFLF", discard="LL", fascist=5, tracker=2).elect(C)
    table.do(A, PresidentPolicies((0, 1))).do(C, VetoRequest())
    # deck L F, then the discards L L, F (thrown), F L (vetoed): the first L is enacted.
    order = (3, 0, 1, 2, 4, 5, 6)
    table.do(A, VetoConfirm(True), reshuffle=[order])
    assert [type(event).__name__ for event in table.public()] == [
        "VetoAnswered",
        "DeckReshuffled",
        "TrackerMoved",
        "PolicyEnacted",
        "TrackerMoved",
        "CandidateCalled",
    ]
    assert table.public()[1] == events.DeckReshuffled(7)
    assert table.public()[3] == events.PolicyEnacted("liberal", "chaos", 1, 5)
    assert (len(table.state.deck), table.state.discard) == (6, ())
    assert (table.state.tracker, table.state.last_elected) == (0, None)
    assert table.state.phase == "nominate"


def test_accepted_veto_discards_all_three_tiles():
    """Example 12."""
    table = Table(FIVE, deck="FLFLFLFF", discard="L", fascist=5).elect(C)
    table.do(A, PresidentPolicies((0, 1))).do(C, VetoRequest()).do(A, VetoConfirm(True))
    assert len(table.state.discard) == 4
    assert table.state.hand == ()


def test_refused_veto_is_final():
    """Example 13."""
    table = Table(FIVE, deck="FFLLL", fascist=5).elect(C).do(A, PresidentPolicies((0, 1)))
    table.do(C, VetoRequest()).do(A, VetoConfirm(False))
    assert (table.state.phase, table.state.hand) == ("chancellor_enact", tiles("FF"))
    with pytest.raises(Refused) as refused:
        table.do(C, VetoRequest())
    assert refused.value.code == "veto_refused"
    table.do(C, ChancellorPolicy(1))
    assert table.reason == "fascist_policies"


def test_veto_needs_five_fascist_policies():
    """Example 14."""
    table = Table(FIVE, fascist=4).elect(C).do(A, PresidentPolicies((0, 1)))
    with pytest.raises(Refused) as refused:
        table.do(C, VetoRequest())
    assert refused.value.code == "veto_locked"


def test_vetoed_government_sets_term_limits():
    """Example 15."""
    table = Table(SEVEN, deck="FFLLLLLL", fascist=5).elect(D)
    table.do(A, PresidentPolicies((0, 1))).do(D, VetoRequest()).do(A, VetoConfirm(True))
    assert (table.state.tracker, table.state.candidate) == (1, B)
    assert table.state.last_elected == pair("AD")
    assert table.view(None).eligible == (C, E, F, G)


def test_electing_hitler_ends_the_match_after_three_fascist_policies():
    """Example 16."""
    table = Table(SEVEN, fascist=3, candidate=D, rotation=D).elect(A)
    assert table.reason == "hitler_elected"
    assert table.state.hand == ()
    assert GAME.rules.outcome(table.state).winners == (A, B, C)
    early = Table(SEVEN, fascist=2, candidate=D, rotation=D).elect(A)
    assert early.state.phase == "president_discard"
    assert not any(view.confirmed_not_hitler or view.roles for view in early.views())


def test_chancellor_is_confirmed_as_not_hitler_after_three_policies():
    """Example 17."""
    table = Table(SEVEN, fascist=3, candidate=D, rotation=D).elect(B)
    assert table.public()[-1] == events.NotHitlerConfirmed(B)
    for view in table.views():
        assert view.confirmed_not_hitler == (B,)
        assert view.players[B].is_not_hitler
    assert not Table(SEVEN, fascist=2, candidate=D, rotation=D).elect(B).state.confirmed_not_hitler


def test_executing_hitler_ends_the_match():
    """Example 18."""
    table = Table(FIVE, deck="FFFFFF", fascist=3, candidate=C, rotation=C).govern(D)
    assert table.state.phase == "power_execute"
    table.do(C, ExecutePlayer(A))
    assert table.reason == "hitler_executed"
    assert GAME.rules.outcome(table.state).places == ((C, D, E), (A, B))


def test_execution_does_not_reveal_the_role():
    """Example 18."""
    table = Table(FIVE, deck="FFFFFF", fascist=3, candidate=C, rotation=C).govern(E)
    table.do(C, ExecutePlayer(D))
    assert GAME.rules.out(table.state) == (D,)
    assert all(view.roles is None for view in table.views())
    assert all(D not in view.knows for view in table.views())
    assert table.state.candidate == E
    table.nominate(B)
    assert table.awaited() == (A, B, C, E)


def test_special_election_is_inserted_into_the_rotation():
    """Example 19."""
    table = Table(SEVEN, deck="F" * 9, fascist=2, candidate=C, rotation=C).govern(D)
    table.do(C, NextPresident(F))
    assert (table.state.candidate, table.state.special, table.state.rotation) == (F, True, C)
    followed = []
    for _ in range(2):
        table.nominate(G).voted_down()
        followed.append(table.state.candidate)
    table.set(tracker=0).nominate(G).voted_down()
    assert [*followed, table.state.candidate] == [D, E, F]


def test_seat_may_be_candidate_twice_in_a_row():
    """Example 19."""
    table = Table(SEVEN, deck="F" * 9, fascist=2, candidate=C, rotation=C).govern(E)
    table.do(C, NextPresident(D))
    special = GAME.rules.turn(table.state)
    table.nominate(G).voted_down()
    regular = GAME.rules.turn(table.state)
    assert (special.seat, regular.seat) == (D, D)
    assert regular.count == special.count + 1


def test_special_president_may_execute_the_caller():
    """Example 20."""
    table = Table(SEVEN, deck="F" * 9, fascist=2, candidate=C, rotation=C).govern(E)
    table.do(C, NextPresident(F)).govern(G)
    assert table.state.phase == "power_execute"
    table.do(F, ExecutePlayer(C))
    assert table.state.candidate == D


def test_term_limits_do_not_apply_to_the_presidency():
    """Example 21."""
    table = Table(SEVEN, deck="F" * 9, fascist=2, candidate=C, rotation=C).govern(F)
    table.do(C, NextPresident(F))
    assert table.view(F).eligible == (A, B, D, E, G)


def test_investigation_reveals_the_party_and_happens_once_per_seat():
    """Example 22."""
    table = Table("LLLLLFFFH", deck="F" * 9).govern(B)
    hitler = Seat(8)
    table.do(A, InvestigateAffiliation(hitler))
    assert table.private(A) == [events.PartyShown(hitler, "fascist")]
    assert table.view(A).knows == {hitler: Known(None, "fascist")}
    assert table.view(A).history[-1].result == "fascist"
    table.do(A, ExecutiveConfirmation()).govern(C)
    assert table.state.phase == "power_investigate"
    assert hitler not in table.view(B).targets
    with pytest.raises(Refused) as refused:
        table.do(B, InvestigateAffiliation(hitler))
    assert refused.value.code == "bad_target"


def test_peek_leaves_the_deck_unchanged():
    """Example 23."""
    table = Table(FIVE, deck="FFFFLLFF", fascist=2).govern(C)
    assert table.private(A) == [events.DeckPeeked(tiles("FLL"))]
    assert table.view(A).peeked == tiles("FLL")
    assert table.state.deck == tiles("FLLFF")
    assert table.view(B).peeked is None
    table.do(A, ExecutiveConfirmation())
    assert table.view(A).peeked == tiles("FLL")
    table.elect(D)
    assert table.state.hand == tiles("FLL")
    assert table.view(A).peeked is None
    assert table.view(A).history[0].result == tiles("FLL")


def test_small_deck_is_reshuffled_with_the_discards():
    """Example 24."""
    table = Table(FIVE, deck="FLFL", discard="LLFFFFFF").elect(C).do(A, PresidentPolicies((0, 1)))
    assert len(table.state.deck) == 1
    table.do(C, ChancellorPolicy(0), reshuffle=[tuple(range(11))])
    assert (len(table.state.deck), table.state.discard) == (11, ())
    assert events.DeckReshuffled(11) in table.public()


@pytest.mark.parametrize("before", [0, 1])
def test_small_board_starts_without_powers(before):
    """Example 25."""
    table = Table(FIVE, fascist=before).govern(C)
    assert table.state.fascist == before + 1
    assert table.state.phase == "nominate"


def test_timeout_in_a_vote_is_a_nein_and_idle():
    """Example 26."""
    table = Table(FIVE).nominate(B)
    for seat in (A, B, C):
        table.do(seat, Vote(True))
    assert GAME.rules.idle(table.state) == (D, E)
    table.lapse()
    assert table.state.votes == {A: True, B: True, C: True, D: False, E: False}
    assert table.state.phase == "president_discard"
    echoes = [(e.username, e.auto) for e in table.public() if isinstance(e, events.Voted)]
    assert echoes == [(D, "clock"), (E, "clock")]
    (counted,) = [e for e in table.public() if isinstance(e, events.VotesRevealed)]
    assert counted.auto == table.view(None).history[-1].auto == (D, E)


def test_timeout_after_a_power_confirms_and_is_idle():
    """Example 26."""
    table = Table(FIVE, deck="FFFFLLFF", fascist=2).govern(C)
    assert GAME.rules.idle(table.state) == (A,)
    table.lapse()
    assert table.public()[0] == events.ExecutiveConfirmed(A, auto="clock")
    assert table.state.phase == "nominate"


def test_leaver_can_still_be_elected():
    """Example 27."""
    table = Table(FIVE, fascist=3, candidate=C, rotation=C).leave(A)
    assert table.public() == [events.AutopilotSet(A, True)]
    assert all(view.roles is None for view in table.views())
    table.nominate(A)
    assert table.public() == [events.ChancellorNominated(C, A)]
    assert table.awaited() == (B, C, D, E)
    table.vote()
    assert table.state.history[-1].votes == dict.fromkeys((B, C, D, E), True)
    assert table.reason == "hitler_elected"


def test_two_ja_of_four_remaining_voters_are_not_enough():
    """Example 27."""
    table = Table(FIVE, candidate=C, rotation=C).leave(A).nominate(B).vote(ja="BC")
    assert (table.state.tracker, table.state.history[-1].passed) == (1, False)
    assert list(table.state.history[-1].votes) == [B, C, D, E]


def test_ballot_of_an_absent_liberal_is_not_counted_as_nein():
    """Example 8: three of four vote ja. An absent player's nein would not change the result."""
    table = Table(FIVE, candidate=C, rotation=C).leave(A).nominate(B).vote(ja="BCD")
    assert table.state.phase == "president_discard"
    table = Table("LLLHF", dead="E", candidate=C, rotation=C).leave(A).nominate(B).vote(ja="BC")
    assert table.state.phase == "president_discard"  # two to one; a nein of A would have tied


@pytest.mark.parametrize("n", range(5, 11))
def test_majority_of_present_voters_decides_if_a_liberal_is_absent(n):
    """Example 8: all liberals vote ja, all fascists nein, and one liberal is absent.

    The vote ties, and fails, only at 5, 7 and 9 seats.
    """
    bad = fascists_among(n) + 1
    roles = "L" * (n - bad) + "F" * (bad - 1) + "H"
    table = Table(roles, candidate=B, rotation=B).leave(A).nominate(C)
    for seat in table.awaited():
        table.do(seat, Vote(roles[seat] == "L"))
    assert table.state.history[-1].passed == (n % 2 == 0)


def test_ballot_cast_before_leaving_counts():
    """Example 8."""
    table = Table(FIVE).nominate(B).do(E, Vote(False)).leave(E)
    assert table.view(None).voted == (E,)
    table.vote()
    assert table.state.history[-1].votes == {A: True, B: True, C: True, D: True, E: False}


def test_ballots_are_counted_when_the_last_missing_voter_leaves():
    """Example 8."""
    table = Table(FIVE).nominate(B)
    for seat in (A, B, C, D):
        table.do(seat, Vote(True))
    table.leave(E)
    kinds = [type(event) for event in table.public()]
    assert kinds[:2] == [events.AutopilotSet, events.VotesRevealed]
    assert E not in table.state.history[-1].votes
    assert table.state.phase == "president_discard"


def test_returning_player_is_prompted_immediately():
    """Example 27."""
    table = Table(FIVE, candidate=C, rotation=C).leave(A).nominate(B)
    clock, prompts = table.state.clock, table.state.prompts
    table.do(A, ComeBack())
    assert table.public() == [events.AutopilotSet(A, False)]
    assert (table.state.phase, table.state.clock) == ("vote", clock)
    assert table.awaited() == (A, B, C, D, E)
    assert table.state.prompts == (prompts[A] + 1, *prompts[1:])


def test_player_who_returns_after_voting_is_not_prompted_again():
    """Example 27."""
    table = Table(FIVE).nominate(B).do(E, Vote(False)).leave(E).do(E, ComeBack())
    assert table.awaited() == (A, B, C, D)


def test_match_with_one_remaining_player_is_aborted():
    """Example 27."""
    table = Table(FIVE, dead="DE", candidate=A).leave(B)
    assert table.state.phase == "nominate"
    table.leave(C)
    assert table.reason == "aborted"
    outcome = GAME.rules.outcome(table.state)
    assert (outcome.winners, outcome.places) == ((), ((A, B, C, D, E),))
    assert table.view(None).side is None


def test_answers_to_another_seats_prompt_are_ignored():
    """Example 28."""
    table = Table(FIVE, dead="E")
    with pytest.raises(Ignored):
        table.do(B, ChancellorNomination(C))
    with pytest.raises(Refused) as refused:
        table.do(A, ChancellorNomination(A))
    assert refused.value.code == "not_eligible"
    table.nominate(B).do(B, Vote(True))
    for seat in (B, E):
        with pytest.raises(Ignored):
            table.do(seat, Vote(False))


def test_rebalanced_match_of_six_starts_with_a_fascist_policy():
    """Example 30."""
    roles, deck = tuple(range(6)), tuple(range(16))
    luck = ScriptedLuck(roles=[roles], policies=[deck], first=[0])
    state = GAME.rules.setup(6, Options(rebalance=True), luck).state
    assert (state.fascist, len(state.deck), state.phase) == (1, 16, "nominate")
    table = Table("LLLLFH", deck="F" * 10 + "L" * 6).set(fascist=1)
    table.govern(B)
    assert (table.state.fascist, table.state.phase) == (2, "nominate")
    table.govern(D)
    assert (table.state.fascist, table.view(None).power) == (3, "peek")
