"""How `hard` of Secret Hitler weighs a government: what it would enact, and what follows."""

from __future__ import annotations

import pytest

from games.contract.core import Move
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.secret_hitler import GAME
from games.secret_hitler.bots import loyal
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.outlook import of_next, of_waiting, won
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.rules.state import Vote
from games.secret_hitler.tests.table import A, B, C, D, E, F, Table

DECK = "FFLFFLFFLFFLFFL"


def mind(table: Table, seat: Seat, level: str = "hard") -> Mind:
    view = table.view(seat)
    policy = policy_of(level, len(view.players))
    return Mind(seat, view, (), BotLuck(b"outlook", 0), policy)


def votes(table: Table, seat: Seat) -> Move:
    luck = BotLuck(b"outlook", 0)
    return GAME.bots.levels["hard"](seat, table.view(seat), table.offers(seat), (), (), luck)


def test_every_policy_counts_for_its_side() -> None:
    assert won(5, 3) == 1.0
    assert won(4, 6) == 0.0
    assert 0.45 < won(0, 0) < 0.55
    for liberal in range(5):
        for fascist in range(6):
            assert won(liberal + 1, fascist) > won(liberal, fascist)
    assert won(2, 2) > won(2, 3), "from then on Hitler may be elected"


def test_those_who_have_enacted_a_fascist_policy_are_worth_less_than_others() -> None:
    table = Table("FHLLLLL", deck=DECK).govern(B).nominate(D)
    seen = mind(table, E)
    assert of_next(seen, C, D) > of_next(seen, B, D) > of_next(seen, A, B)


def test_a_chancellor_who_may_be_hitler_is_worth_less_where_that_loses() -> None:
    """Only Bela is known not to be Hitler. That matters from three fascist policies on."""
    ahead = []
    for fascist in (2, 3):
        table = Table("FLLHLLL", deck=DECK, fascist=fascist, confirmed_not_hitler=(B,))
        seen = mind(table.nominate(D), E)
        assert seen.hitler_zone == (fascist == 3)
        ahead.append(of_next(seen, C, B) / of_next(seen, C, D))
    assert ahead[1] > ahead[0] + 0.1


@pytest.mark.parametrize(("chancellor", "ja"), [(E, True), (B, False)])
def test_it_votes_for_a_government_that_is_no_worse_than_the_next(
    chancellor: Seat, ja: bool
) -> None:
    """Ann and Bela have enacted a fascist policy. Then Cato nominates Enzo, or Bela again."""
    table = Table("FHLLLLL", deck=DECK).govern(B).set(last_elected=None)
    table.set(rotation=C, candidate=C).nominate(chancellor)
    seen = mind(table, E)
    assert (of_next(seen, C, chancellor) >= loyal.with_the_next(seen)) == ja
    assert votes(table, E) == Vote(ja)


def test_where_chaos_comes_next_the_deck_is_what_a_government_is_weighed_against() -> None:
    table = Table("FHLLLLL", deck=DECK).govern(B).nominate(D)
    calm, tense = mind(table, E), mind(table.set(tracker=2), E)
    danger = dict.fromkeys(calm.alive, 0.0)
    view = tense.view
    hidden = view.deck_size + view.discard_size
    share = (6 - view.liberal) / hidden
    expected = share * won(1, 1) + (1 - share) * won(0, 2)
    assert of_waiting(tense, danger) == pytest.approx(expected)
    assert of_waiting(calm, danger) != pytest.approx(expected)


def test_nobody_looks_ahead_before_anything_is_known_or_while_hiding() -> None:
    first = Table("LHFLLLL", deck=DECK).nominate(B)
    later = Table("LHFLLLL", deck=DECK).govern(F).nominate(D)
    assert not loyal.looks_ahead(mind(first, E))
    assert loyal.looks_ahead(mind(later, E))
    assert not loyal.looks_ahead(mind(later, C)), "a fascist plays an innocent of `normal`"
    assert not loyal.looks_ahead(mind(later, E, "normal"))
