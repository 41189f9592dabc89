"""Cards: voting and discarding (docs/rules/cards.md §3.5)."""

from __future__ import annotations

import pytest

from games.cards import GAME
from games.cards.rules.state import (
    AuthorsShown,
    CardsDiscarded,
    DiscardCards,
    PlayerVoted,
    Vote,
)
from games.cards.tests.table import A, B, C, Table
from games.contract.core import Ignored, Some


def voting(*scores: int, **options: int) -> Table:
    """Return a table at which all four players have played."""
    return Table(**options).scored(*(scores or (0, 0, 0, 0))).all_play()


def test_9_vote_is_final_and_cannot_be_for_your_own_answer() -> None:
    table = voting(1, 0, 0, 0)
    own = table.state.order.index(A)
    assert table.refusal(A, Vote(own)) == "own_play"
    table.vote(A, B)
    with pytest.raises(Ignored):
        table.vote(A, C)
    assert table.offered(A) == ["DiscardCards"]


def test_vote_for_an_unknown_play_is_refused() -> None:
    table = voting()
    assert table.refusal(A, Vote(4)) == "bad_play"
    assert table.refusal(A, Vote(-1)) == "bad_play"


def test_vote_event_hides_its_content_and_shows_authors_to_the_voter() -> None:
    table = voting()
    before = len(table.told)
    table.vote(A, B)
    echo, shown = table.told[before:]
    assert (echo.event, echo.to) == (PlayerVoted(A), None)
    assert shown.to == (A,)
    authors = {str(at): seat for at, seat in enumerate(table.state.order)}
    assert shown.event == AuthorsShown(authors)


def test_13_discard_costs_a_point_and_is_refilled_next_round() -> None:
    table = voting(1, 0, 0, 0)
    hand = table.hand(A)
    table.discard(A, *hand[:3])
    assert table.scores()[0] == 0
    assert table.hand(A) == hand[3:]
    assert table.told[-1].event == CardsDiscarded(A, 3, 0)
    assert table.told[-1].to is None
    assert table.refusal(A, DiscardCards(hand[3:4])) == "not_enough_points"
    table.vote(A, B)
    assert table.offered(A) == []
    assert table.refusal(A, DiscardCards(hand[3:4])) == "not_enough_points"
    table.lapse().go_on()
    assert len(table.hand(A)) == 7


@pytest.mark.parametrize("phase", ["play", "results"])
def test_13_discards_are_ignored_outside_the_vote(phase: str) -> None:
    table = Table().scored(3, 3, 3, 3)
    if phase == "results":
        table.all_play().lapse()
    assert table.state.phase == phase
    with pytest.raises(Ignored):
        table.discard(A, table.hand(A)[0])


def test_14_voter_may_discard_repeatedly_without_gaining_time() -> None:
    table = voting(2, 0, 0, 0).vote(A, B)
    clock, prompts = table.state.clock, [table.state.prompts[A]]
    for _ in range(2):
        table.discard(A, table.hand(A)[0])
        prompts.append(table.state.prompts[A])
    assert table.state.clock == clock
    assert len(set(prompts)) == 3
    assert table.scores()[0] == 0
    assert A not in GAME.rules.awaited(table.state)


def test_15_empty_discard_is_refused_and_costs_nothing() -> None:
    table = voting(1, 0, 0, 0)
    assert table.refusal(A, DiscardCards(())) == "no_cards"
    assert table.scores()[0] == 1


def test_invalid_discard_is_refused_with_the_first_matching_code() -> None:
    table = voting(0, 1, 0, 0)
    foreign = table.hand(C)[0]
    assert table.refusal(A, DiscardCards(())) == "not_enough_points"
    assert table.refusal(B, DiscardCards((foreign, foreign))) == "duplicate_card"
    assert table.refusal(B, DiscardCards((table.hand(B)[0], foreign))) == "not_in_hand"


def test_discard_may_take_any_number_of_your_cards() -> None:
    table = voting(1, 0, 0, 0)
    offer = GAME.rules.offers(table.state, A)[1]
    assert offer.risky
    assert offer.args["cards"] == Some(some=table.hand(A), least=1, most=6)
    table.discard(A, *table.hand(A))
    assert table.hand(A) == ()
    assert table.offered(A) == ["Vote"]


def test_discard_cost_is_charged_per_discard_not_per_card() -> None:
    table = voting(4, 5, 0, 0, discard_cost=5)
    assert table.refusal(A, DiscardCards(table.hand(A)[:1])) == "not_enough_points"
    assert table.discard(B, *table.hand(B)[:2]).scores()[1] == 0


def test_free_discards_are_offered_to_everybody_and_not_risky() -> None:
    table = voting(discard_cost=0)
    offer = GAME.rules.offers(table.state, A)[1]
    assert (offer.move, offer.risky) == ("DiscardCards", False)
    assert table.discard(A, table.hand(A)[0]).scores()[0] == 0
