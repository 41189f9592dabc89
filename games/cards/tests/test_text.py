"""Cards: every sentence, with its facts filled in as on the server."""

from __future__ import annotations

import msgspec
import pytest

from games.cards import GAME
from games.cards.rules.state import (
    AuthorsShown,
    BlackCardDrawn,
    CardsDiscarded,
    Continued,
    HandDrawn,
    Options,
    PlayerPlayed,
    PlayerVoted,
    PlaysRevealed,
    RoundResult,
    RoundVoid,
    ScoredPlay,
    SeatJoined,
    ShownPlay,
)
from games.cards.rules.texts import BlackCard, Stock, Texts, WhiteCard
from games.cards.telling.log import filled
from games.cards.tests.table import A, B, C, D, Table, w
from games.contract.core import Event
from games.contract.data import Seat
from games.contract.words import Text
from games.tables.sentences import say

WORDS = GAME.telling.words(Options())
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


def said(text: Text | None, reader: Seat | None = None) -> str:
    """Return a text as an English page shows it, "" for None."""
    return say(text, NAMES, "en", reader) if text else ""


def prompt(table: Table, viewer: Seat | None) -> str:
    return said(WORDS.prompt(table.view(viewer), viewer), viewer)


BLACK = BlackCard("t:1", "I like _.", 1, 0)
ONE, TWO = WhiteCard("t:2", "tea"), WhiteCard("t:3", "rain")
WON = ScoredPlay(0, (ONE,), A, 2)
LOST = ScoredPlay(1, (TWO,), B, 0)


def result(winners: tuple[Seat, ...]) -> RoundResult:
    return RoundResult(round=3, black=BLACK, plays=(WON, LOST), winners=winners, ballots=None)


LOG: list[tuple[Event, str]] = [
    (BlackCardDrawn(3, BLACK), "Prompt: I like ____."),
    (HandDrawn((ONE,)), "You draw a card: tea"),
    (HandDrawn((ONE, TWO)), "You draw 2 cards: tea and rain"),
    (PlayerPlayed(A), ""),
    (
        PlaysRevealed((ShownPlay(0, (ONE,)), ShownPlay(1, (TWO,)))),
        "2 answers are on the table.",
    ),
    (PlayerVoted(B), ""),
    (AuthorsShown({"0": A}), ""),
    (CardsDiscarded(A, 1, 1), "Ann discards one card and has one point left."),
    (CardsDiscarded(A, 3, 0), "Ann discards 3 cards and has 0 points left."),
    (result((A,)), "Ann wins round 3 with: I like tea."),
    (result((A, B)), "Ann and Bo share round 3 with: I like tea. / I like rain."),
    (result(()), "Nobody wins round 3."),
    (RoundVoid(3), "Round 3 doesn't count: too few played."),
    (Continued(C), ""),
    (SeatJoined(D), "Di joins and plays from the next round on."),
]


@pytest.mark.parametrize(("event", "sentence"), LOG)
def test_event_is_described_by_its_sentence(event: Event, sentence: str) -> None:
    assert said(WORDS.event(event)) == sentence


def test_events_address_the_player_they_are_about() -> None:
    assert said(WORDS.event(result((A,))), A) == "You win round 3 with: I like tea."
    assert said(WORDS.event(result((A,))), B) == "Ann wins round 3 with: I like tea."
    assert said(WORDS.event(CardsDiscarded(A, 1, 1)), A) == (
        "You discard one card and have one point left."
    )


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("points", "2 points."),
        ("max_rounds", "most points after the last round."),
        ("inactive", "most points when everybody stopped playing."),
        ("not_enough_players", "most points when too few players were left."),
    ],
)
def test_ending_names_the_winner_and_the_reason(reason: str, why: str) -> None:
    view = Table().all_play().votes(B, A, A, A).view(None)
    facts = msgspec.structs.replace(view.players[A], score=2)
    view = msgspec.structs.replace(view, players=(facts, *view.players[1:]))
    ending = WORDS.ending(view, (A,), reason)
    assert (said(ending, A), said(ending, B)) == (f"You win: {why}", f"Ann wins: {why}")
    assert said(WORDS.ending(view, (), "inactive")).startswith("Nobody wins: ")


def test_prompt_during_play_names_the_task_or_the_awaited_players() -> None:
    table = Table()
    assert prompt(table, A) == "Pick your answer."
    (texts,) = table.state.stock.parts
    table.set(stock=Stock([Texts("t", [BLACK], texts.white)]))
    assert prompt(table, A) == "Fill the blank."
    assert prompt(table, None) == "Waiting for 4 players."
    table.play(B)
    assert prompt(table, B) == "Waiting for Ann, Cy and Di."
    table.play(C)
    assert prompt(table, None) == "Waiting for Ann and Di."
    larger = Table(prompts=((3, 2),))
    assert prompt(larger, A) == "Pick 3 cards, in order."


def test_prompt_after_a_round_names_the_winners_or_why_nobody_scores() -> None:
    won = Table().all_play().votes(B, A, A, A)
    assert prompt(won, None) == "Ann wins the round. Next round coming up."
    assert prompt(won, A) == "You win the round! Next round coming up."
    tied = Table().all_play().votes(B, A, A, B)
    assert prompt(tied, C) == "Ann and Bo share the round. Next round coming up."
    silent = Table().all_play().lapse()
    assert prompt(silent, C) == "No votes, so nobody scores. Next round coming up."
    void = Table().lapse()
    assert prompt(void, A) == "Too few played, so nobody scores. Next round coming up."


def test_choice_is_shown_by_its_text() -> None:
    table = Table(n=3)
    choice = WORDS.choice(table.view(A), "PlayWhiteCards", "cards", w(2))
    assert choice is not None
    assert said(choice) == "answer 102"
    table.all_play()
    at = table.state.order.index(B)
    choice = WORDS.choice(table.view(A), "Vote", "playId", at)
    assert choice is not None
    assert said(choice) == "prompt 1 Answer 108"
    assert WORDS.choice(table.view(A), "Vote", "playId", 9) is None


@pytest.mark.parametrize(
    ("text", "answers", "whole"),
    [
        ("I like _.", ("tea",), "I like tea."),
        ("_ and _.", ("tea", "rain"), "Tea and rain."),
        ("What?", ("tea",), "What? Tea"),
        ("First _.", ("tea", "rain"), "First tea. Rain"),
        ("_", ("_",), "_"),
        ("It says: “_, _”.", ("tea", "rain"), "It says: “Tea, rain”."),
        ("„_“ und »_«", ("tee", "ein See"), "„Tee“ und »ein See«"),
        ("He left. _ came.", ("a hat",), "He left. A hat came."),
        ("What? _!", ("a hat",), "What? A hat!"),
        ("Sights, e.g. _ and z. B. _.", ("a hat", "tea"), "Sights, e.g. a hat and z. B. tea."),
    ],
)
def test_answers_fill_blanks_in_order_and_then_follow_the_prompt(
    text: str, answers: tuple[str, ...], whole: str
) -> None:
    assert filled(text, answers) == whole
