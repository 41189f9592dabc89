"""Claims and beliefs of Secret Hitler bots in specific situations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from games.contract.core import ClaimMade
from games.contract.data import Seat
from games.contract.luck import BotLuck, Manner
from games.secret_hitler import GAME
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.bots.story import innocent, tiles
from games.secret_hitler.rules.spoken import liberals_in, spoken_of
from games.secret_hitler.rules.state import (
    ChancellorPolicy,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    PresidentPolicies,
)
from games.secret_hitler.tests.table import A, B, C, D, F, Table

FIVE = "FHLLL"
"""Ann is the fascist, Bela is Hitler."""
LEVELS = ("easy", "normal", "hard")
REST = "FLFFLFFLFLFFLF"


def said(table: Table, seat: Seat, kind: str, level: str = "normal") -> Counter[int]:
    """Count the liberal policies that bots in this seat claim, over many random seeds."""
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
    """Play a government of `president` and the next seat, which enacts one of the two tiles."""
    table = Table(roles, deck=deck + REST, rotation=president, candidate=president)
    chancellor = Seat((president + 1) % len(roles))
    table.elect(chancellor).do(president, PresidentPolicies(keep))
    return table.do(chancellor, ChancellorPolicy(enact))


def mind(table: Table, seat: Seat, claims: Sequence[ClaimMade] = (), level: str = "normal") -> Mind:
    """Return a bot's decision in this seat, with these claims on the table."""
    view = table.view(seat)
    return Mind(seat, view, claims, BotLuck(b"m", 0), policy_of(level, len(view.players)))


@pytest.mark.parametrize("level", LEVELS)
def test_liberals_tell_the_truth(level: str) -> None:
    table = governed(FIVE, "FLL", (1, 2), 0, president=C)
    assert set(said(table, C, "drawn", level)) == {2}
    assert set(said(table, D, "received", level)) == {2}


@pytest.mark.parametrize("level", LEVELS)
def test_chancellor_blames_the_president_for_a_fascist_policy(level: str) -> None:
    table = governed("LFHLL", "FLF", (0, 1), 0)
    assert table.state.fascist == 1
    assert set(said(table, B, "received", level)) == {0}


def test_lying_president_makes_claims_that_fit_the_policy() -> None:
    hidden = said(governed(FIVE, "FFL", (0, 1), 0), A, "drawn")
    assert set(hidden) == {0, 1}
    assert hidden[0] > 3 * hidden[1] > 0, "now and then the chancellor is blamed"
    thrown = governed(FIVE, "FLL", (0, 1), 1)
    assert thrown.state.liberal == 1
    assert set(said(thrown, A, "drawn")) == {1}, "one was passed on, so there was no other"


def looked(roles: str, target: Seat) -> Counter[int]:
    """Count Ann's claims about a party that she has seen. The value 1 stands for liberal."""
    table = Table(roles, fascist=1, deck="FFFLLLFFF" + REST).govern(F)
    table.do(A, InvestigateAffiliation(target))
    assert GAME.rules.claims is not None
    assert "investigated" not in [claim.kind for claim in GAME.rules.claims.open(table.state, A)]
    return said(table.do(A, ExecutiveConfirmation()), A, "investigated")


def test_investigation_claims_depend_on_the_side() -> None:
    assert set(looked("LFHLLLF", B)) == {0}
    assert set(looked("LFHLLLF", D)) == {1}
    mates, blamed = looked("FFHLLLL", B), looked("FFHLLLL", D)
    assert mates[1] > 9 * mates[0]
    assert 0.7 < blamed[0] / blamed[1] < 1.4


def test_contradictory_claims_make_a_government_suspect() -> None:
    """After a fascist policy, claims of president and chancellor agree or conflict.

    In a conflict one of them lies, so the other players are less suspect. If they agree, both
    of them are less suspect.
    """
    table = governed(FIVE, "FFL", (0, 1), 0)
    silent, agreed, quarrel = (
        mind(table, D, claims).belief
        for claims in ((), (drew(A, 0), got(B, 0)), (drew(A, 1), got(B, 0)))
    )
    assert quarrel.clean(A, B) < 0.05 < agreed.clean(A, B)
    assert quarrel.fascist[B] > agreed.fascist[B]
    assert quarrel.fascist[C] < silent.fascist[C]


def test_liar_acts_consistently_with_its_claims() -> None:
    """Ann has discarded a liberal policy and claims to have drawn none.

    From then on she acts on the beliefs of a liberal who really drew none.
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
