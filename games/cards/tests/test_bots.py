"""Bots play Cards sensibly, and their moves are legal."""

from __future__ import annotations

from collections import Counter

import pytest

from games.cards import GAME
from games.cards.bots.levels import TAGS_OF, fit
from games.cards.rules.packs import BUILT_IN, VOICES
from games.cards.rules.state import (
    Continue,
    DiscardCards,
    Options,
    State,
    Vote,
)
from games.cards.rules.texts import WhiteCard
from games.cards.tests.secrets import scramble
from games.cards.tests.table import A, C, Table
from games.contract.choices import is_offered
from games.contract.core import Outcome, all_seats
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck
from tests.kit.samples import Sample, short_and_long

LEVELS = ("random", "easy", "normal")


def moved(state: State, seat: Seat, level: str, luck: BotLuck) -> object:
    offers = GAME.rules.offers(state, seat)
    move = GAME.bots.levels[level](seat, GAME.rules.view(state, seat), offers, (), (), luck)
    assert is_offered(offers, move)
    return move


def match(levels: tuple[str, ...], seed: int, **options: object) -> Outcome:
    """Play a match of bots at these levels."""
    luck = Luck(b"match %d" % seed, 0)
    own = [BotLuck(b"bot %d" % seed, at) for at in range(len(levels))]
    state = GAME.rules.setup(len(levels), Options(**options), luck).state
    while (outcome := GAME.rules.outcome(state)) is None:
        waiting = [seat for seat in all_seats(len(levels)) if GAME.rules.offers(state, seat)]
        seat = next(iter(GAME.rules.awaited(state)), waiting[0])
        move = moved(state, seat, levels[seat], own[seat])
        state = GAME.rules.apply(state, seat, move, luck).state
    return outcome


def share(level: str, others: str, matches: int, n: int = 4) -> float:
    """Return one bot's share of the wins, averaged over all seats."""
    won = 0.0
    for seed in range(matches):
        at = Seat(seed % n)
        levels = tuple(level if seat == at else others for seat in range(n))
        winners = match(levels, seed).winners
        won += (at in winners) / max(1, len(winners))
    return won / matches


def an_answer(wanted: set[str], count: int = 1) -> list[WhiteCard]:
    """Return short answers with exactly these subjects, under ids of a built-in pack."""
    found = [a for a in BUILT_IN["own"].answers if {*a.tags} - {*VOICES} == wanted]
    assert len(found) >= count
    return [WhiteCard(f"own:{answer.number}", "short") for answer in found[:count]]


@pytest.mark.parametrize("level", LEVELS)
def test_bot_continues_immediately_in_a_pause(level: str) -> None:
    table = Table().all_play().lapse()
    assert moved(table.state, A, level, BotLuck(b"b", 0)) == Continue()


@pytest.mark.parametrize("level", LEVELS)
def test_bot_never_pays_to_discard(level: str) -> None:
    table = Table().scored(9, 9, 9, 9).all_play()
    made = [moved(table.state, A, level, BotLuck(b"b", at)) for at in range(30)]
    assert {type(move) for move in made} == {Vote}


def test_normal_bot_discards_a_poor_hand_if_discarding_is_free() -> None:
    table = Table(discard_cost=0).all_play()
    hand = table.add(*an_answer({"work"}, 4))
    table.set(hands=table.state.hands.but(A, hand))
    move = moved(table.state, A, "normal", BotLuck(b"b", 0))
    assert isinstance(move, DiscardCards)
    assert len(move.cards) == 2
    table.move(A, move)
    assert isinstance(moved(table.state, A, "normal", BotLuck(b"b", 0)), Vote)


def test_normal_bot_prefers_answers_that_match_the_prompt() -> None:
    black = next(id_ for id_, tags in TAGS_OF.items() if tags == {"food", "person"})
    (match_,), (other,) = an_answer({"food"}), an_answer({"work"})
    luck = BotLuck(b"taste", 0)
    good = [fit(black, (match_,), luck) for _ in range(100)]
    poor = [fit(black, (other,), luck) for _ in range(100)]
    assert sum(good) > sum(poor) + 150


def test_bots_vote_for_texts_regardless_of_the_author() -> None:
    """Expect the same vote if only the authors of the plays differ."""
    table = Table(n=3).all_play()
    choices: Counter[int] = Counter()
    for at in range(40):
        other = scramble(table.state, C, Luck(b"authors", at))
        vote = moved(other, C, "normal", BotLuck(b"b", 0))
        assert isinstance(vote, Vote)
        choices[vote.play_id] += 1
    assert len(choices) == 1


@short_and_long
def test_normal_bot_wins_only_a_fair_share_among_random_voters(sample: Sample) -> None:
    """A quarter is fair. The slack covers the error of a small sample."""
    found = share("normal", "random", sample.of(120))
    assert 0.12 - sample.slack / 2 < found < 0.40 + sample.slack / 2
