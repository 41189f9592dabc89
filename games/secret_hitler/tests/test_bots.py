"""What the bots of Secret Hitler say and believe in single scenes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import pytest
from msgspec.structs import replace

from games.contract.core import ClaimMade, Decision, ReasoningBot, decision
from games.contract.data import Seat
from games.contract.luck import BotLuck, Manner
from games.management.arena import play
from games.secret_hitler import GAME
from games.secret_hitler.bots import belief
from games.secret_hitler.bots.belief import Belief, Evidence, evidence, remembered, weighed
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.bots.story import innocent, tiles
from games.secret_hitler.bots.worlds import possible
from games.secret_hitler.rules.spoken import liberals_in, spoken_of
from games.secret_hitler.rules.state import (
    ChancellorPolicy,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    PresidentPolicies,
    Vote,
)
from games.secret_hitler.tests.table import A, B, C, D, E, F, Table
from tests.kit.altered import altered

FIVE = "FHLLL"
"""Ann is the fascist, Bela is Hitler."""
LEVELS = ("easy", "normal", "hard")
REST = "FLFFLFFLFLFFLF"


def said(table: Table, seat: Seat, kind: str, level: str = "normal") -> Counter[int]:
    """Count how many liberal policies bots in this seat claim, over many draws of luck."""
    found: Counter[int] = Counter()
    assert GAME.rules.claims is not None
    (claim,) = (one for one in GAME.rules.claims.open(table.state, seat) if one.kind == kind)
    for at in range(300):
        luck = BotLuck(b"claims", at, Manner(chatty=True))
        words = GAME.bots.talks[level](seat, table.view(seat), (claim,), (), (), luck)
        if words is not None:
            assert words.kind == kind
            assert claim.allows(words.values)
            found[liberals_in(words.values)] += 1
    return found


def drew(seat: Seat, liberal: int, about: int = 0) -> ClaimMade:
    return ClaimMade(seat, "drawn", about, tiles(liberal, 3), 0)


def got(seat: Seat, liberal: int, about: int = 0) -> ClaimMade:
    return ClaimMade(seat, "received", about, tiles(liberal, 2), 0)


def governed(
    roles: str, deck: str, keep: tuple[int, int], enact: int, president: Seat = A
) -> Table:
    """Play a government of `president` and the next seat that enacts one of the two tiles kept."""
    table = Table(roles, deck=deck + REST, rotation=president, candidate=president)
    chancellor = Seat((president + 1) % len(roles))
    table.elect(chancellor).do(president, PresidentPolicies(keep))
    return table.do(chancellor, ChancellorPolicy(enact))


def mind(table: Table, seat: Seat, claims: Sequence[ClaimMade] = (), level: str = "normal") -> Mind:
    """Return a bot's decision in this seat, with these claims on the table."""
    view = table.view(seat)
    return Mind(seat, view, claims, BotLuck(b"m", 0), policy_of(level, len(view.players)))


@pytest.mark.parametrize("level", LEVELS)
def test_liberals_say_the_truth(level: str) -> None:
    table = governed(FIVE, "FLL", (1, 2), 0, president=C)
    assert set(said(table, C, "drawn", level)) == {2}
    assert set(said(table, D, "received", level)) == {2}


@pytest.mark.parametrize("level", LEVELS)
def test_a_chancellor_who_played_a_fascist_policy_says_there_was_no_other(level: str) -> None:
    table = governed("LFHLL", "FLF", (0, 1), 0)
    assert table.state.fascist == 1
    assert set(said(table, B, "received", level)) == {0}


def test_a_lying_president_says_what_fits_the_policy() -> None:
    hidden = said(governed(FIVE, "FFL", (0, 1), 0), A, "drawn")
    assert set(hidden) == {0, 1}
    assert hidden[0] > 3 * hidden[1] > 0, "now and then the chancellor is blamed"
    thrown = governed(FIVE, "FLL", (0, 1), 1)
    assert thrown.state.liberal == 1
    assert set(said(thrown, A, "drawn")) == {1}, "one was passed on, so there was no other"


def looked(roles: str, target: Seat) -> Counter[int]:
    """Count Ann's claims about a party she has seen; 1 is liberal."""
    table = Table(roles, fascist=1, deck="FFFLLLFFF" + REST).govern(F)
    table.do(A, InvestigateAffiliation(target))
    assert GAME.rules.claims is not None
    assert "investigated" not in [claim.kind for claim in GAME.rules.claims.open(table.state, A)]
    return said(table.do(A, ExecutiveConfirmation()), A, "investigated")


def test_an_investigation_is_told_by_side() -> None:
    assert set(looked("LFHLLLF", B)) == {0}
    assert set(looked("LFHLLLF", D)) == {1}
    mates, blamed = looked("FFHLLLL", B), looked("FFHLLLL", D)
    assert mates[1] > 9 * mates[0]
    assert 0.7 < blamed[0] / blamed[1] < 1.4


def test_claims_that_contradict_each_other_make_a_government_suspect() -> None:
    """After a fascist policy, claims of president and chancellor agree or conflict.

    In a conflict one of them lies, and the others are cleaner. If they agree, both are cleaner.
    """
    table = governed(FIVE, "FFL", (0, 1), 0)
    silent, agreed, quarrel = (
        mind(table, D, claims).belief
        for claims in ((), (drew(A, 0), got(B, 0)), (drew(A, 1), got(B, 0)))
    )
    assert quarrel.clean(A, B) < 0.05 < agreed.clean(A, B)
    assert quarrel.fascist[B] > agreed.fascist[B]
    assert quarrel.fascist[C] < silent.fascist[C]


def test_silence_is_no_evidence() -> None:
    table = governed(FIVE, "FFL", (0, 1), 0)
    policy = policy_of("normal", 5)
    half = mind(table, D, (got(B, 0),)).belief
    seen = evidence(D, table.view(D), spoken_of((got(B, 0),)), policy)
    assert half.fascist == pytest.approx(weighed(seen).fascist)
    assert mind(table, C, ()).belief.fascist[A] == pytest.approx(
        mind(table, C, ()).belief.fascist[B], abs=0.2
    )


def test_a_liar_lives_in_the_story_it_has_told() -> None:
    """Ann has discarded a liberal policy and claims to have drawn none.

    From then on she believes what a liberal would who had drawn none.
    """
    table = governed(FIVE, "FFL", (0, 1), 0)
    story = innocent(A, table.view(A), spoken_of((drew(A, 0), got(B, 0))))
    (session,) = story.history
    assert (session.drawn, session.passed_on) == (tiles(0, 3), tiles(0, 2))
    assert story.role == "liberal"
    assert not story.knows
    blames = innocent(A, table.view(A), spoken_of((drew(A, 1),))).history[0]
    assert blames.passed_on == tiles(1, 2)
    honest, framing = (mind(table, A, (drew(A, k),)).belief.fascist[B] for k in (0, 1))
    assert framing > 0.95 > honest
    assert mind(table, A).belief.fascist[A] == 0


def test_a_liar_who_blames_the_chancellor_votes_by_that() -> None:
    votes = []
    for liberal in (0, 1):
        table = governed("FLLHLFL", "FFL", (0, 1), 0).set(last_elected=None).nominate(C)
        bot = GAME.bots.levels["normal"]
        luck = [BotLuck(b"vote", at) for at in range(40)]
        claims = (drew(A, liberal),)
        view, offers = table.view(A), table.offers(A)
        votes.append({bot(A, view, offers, (), claims, each) for each in luck})
    assert votes == [{Vote(True)}, {Vote(False)}]


def test_a_belief_is_the_same_with_its_memory_thrown_away() -> None:
    table = governed(FIVE, "FFL", (0, 1), 0)
    for seat in (A, C, D):
        spoken = spoken_of((drew(A, 0), got(B, 1)))
        found = evidence(seat, table.view(seat), spoken, policy_of("hard", 5))
        before = remembered(found)
        remembered.cache_clear()
        assert (before.fascist, before.hitler) == (weighed(found).fascist, weighed(found).hitler)
    first, _tally = play(GAME, GAME.rules.options(), ["normal"] * 5, 3, A)
    remembered.cache_clear()
    again, _tally = play(GAME, GAME.rules.options(), ["normal"] * 5, 3, A)
    assert first == again


def test_votes_give_away_who_votes_for_their_own() -> None:
    table = governed("LFHLLLF", "FFF", (0, 1), 0, president=B)
    (session,) = table.state.history
    assert session.votes is not None
    view = table.view(A)
    for_it = replace(session, votes=session.votes.but(E, True))
    against = replace(session, votes=session.votes.but(E, False))
    hard, normal = policy_of("hard", 7), policy_of("normal", 7)

    def suspect(policy: object, *sessions: object) -> float:
        seen = replace(view, history=sessions)
        return weighed(evidence(A, seen, {}, policy)).fascist[E]

    assert suspect(hard, for_it) > suspect(hard, against)
    assert suspect(normal, for_it) == pytest.approx(suspect(normal, against))


@pytest.mark.parametrize(("seats", "worlds"), [(5, 12), (7, 60), (10, 504)])
def test_a_decision_of_hard_weighs_each_world_once(
    monkeypatch: pytest.MonkeyPatch, seats: int, worlds: int
) -> None:
    """A decision computes one belief, over no more worlds than an innocent considers at first.

    The reason given afterwards computes no other.
    """
    made, spent = list[int](), list[list[int]]()

    def counting(found: Evidence) -> Belief:
        made.append(len(possible(found.certain)))
        return weighed(found)

    def decide(seat: Seat, *asked: Any) -> Decision:
        before = len(made)
        decided = decision(GAME.bots.levels["hard"], seat, *asked)
        spent.append(made[before:])
        return decided

    monkeypatch.setattr(belief, "remembered", lru_cache(maxsize=512)(counting))
    game = altered(GAME, levels={"hard": ReasoningBot(decide)})
    play(game, GAME.rules.options(), ["hard"] * seats, 1, A)
    assert max(map(len, spent)) == 1
    assert max(map(sum, spent)) <= worlds
