"""Cards: every sentence, its facts filled in as the house does."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from games.rules.cards import GAME
from games.rules.cards.state import (
    AuthorsShown,
    BlackCard,
    BlackCardDrawn,
    CardsDiscarded,
    Continued,
    Events,
    HandDrawn,
    Options,
    PlayerFacts,
    PlayerPlayed,
    PlayerVoted,
    PlaysRevealed,
    RoundResult,
    RoundVoid,
    ScoredPlay,
    SeatJoined,
    ShownPlay,
    Summary,
    View,
    ViewPlay,
    WhiteCard,
)
from games.rules.cards.text import filled
from games.rules.choices import move_types
from games.rules.core import Event
from games.rules.data import Seat
from games.rules.words import Text
from tests.kit.cards_table import A, B, C, D, E, Table, w

WORDS = GAME.words(Options())
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


def said(fact: Any) -> str:
    """A fact as an English page shows it."""
    if isinstance(fact, Text):
        form = fact.id if not fact.plural or fact.count == 1 else fact.plural
        return form % {name: said(value) for name, value in fact.facts.items()}
    if isinstance(fact, tuple):
        return ", ".join(map(said, fact))
    return NAMES[fact] if isinstance(fact, Seat) else str(fact)


def prompt(table: Table, viewer: Seat | None) -> str:
    return said(WORDS.prompt(table.view(viewer), viewer))


BLACK = BlackCard("t:1", "I like _.", 1, 0)
ONE, TWO = WhiteCard("t:2", "tea"), WhiteCard("t:3", "rain")
WON = ScoredPlay(0, (ONE,), A, 2)
LOST = ScoredPlay(1, (TWO,), B, 0)


def result(winners: tuple[Seat, ...]) -> RoundResult:
    return RoundResult(round=3, black=BLACK, plays=(WON, LOST), winners=winners, ballots=None)


LOG: list[tuple[Event, str]] = [
    (BlackCardDrawn(3, BLACK), "Round 3: I like _."),
    (HandDrawn((ONE,)), "You draw a card: tea"),
    (HandDrawn((ONE, TWO)), "You draw 2 cards: tea, rain"),
    (PlayerPlayed(A), "Ann has played."),
    (
        PlaysRevealed((ShownPlay(0, (ONE,)), ShownPlay(1, (TWO,)))),
        "2 plays are on the table: vote for the best.",
    ),
    (PlayerVoted(B), "Bo has voted."),
    (AuthorsShown({"0": A}), "You now see who played what."),
    (CardsDiscarded(A, 1, 1), "Ann discards one card and has one point left."),
    (CardsDiscarded(A, 3, 0), "Ann discards 3 cards and has 0 points left."),
    (result((A,)), "Ann wins round 3 with: I like tea."),
    (result((A, B)), "Ann, Bo share round 3 with: I like tea., I like rain."),
    (result(()), "Round 3 goes to nobody."),
    (RoundVoid(3), "Round 3 does not count: too few have played."),
    (Continued(C), "Cy is ready to go on."),
    (SeatJoined(D), "Di joins and plays from the next round on."),
]


@pytest.mark.parametrize(("event", "sentence"), LOG)
def test_what_an_event_says(event: Event, sentence: str) -> None:
    assert said(WORDS.event(event)) == sentence


def test_every_event_is_among_those_tried() -> None:
    assert {type(event) for event, _ in LOG} == set(get_args(Events))


def test_what_is_said_while_people_play() -> None:
    table = Table()
    assert prompt(table, A) == "Your turn: play the card that answers the prompt best."
    assert prompt(table, None) == "Everybody is choosing what to play."
    table.play(B)
    assert prompt(table, B) == "Bo has played, the others are still choosing."
    table.play(C)
    assert prompt(table, None) == "Bo, Cy have played, the others are still choosing."
    larger = Table(prompts=((3, 2),))
    assert prompt(larger, A) == (
        "Your turn: play 3 cards that answer the prompt, in the order of its blanks."
    )


def test_what_is_said_while_people_vote() -> None:
    table = Table().all_play()
    assert prompt(table, A) == "Your turn: vote for the best play that is not your own."
    assert prompt(table, None) == "Everybody is choosing the best play."
    table.vote(A, B)
    assert prompt(table, A) == "Ann has voted, the others are still deciding."
    table.vote(B, A)
    assert prompt(table, None) == "Ann, Bo have voted, the others are still deciding."
    assert prompt(table.leave(C), C) == "Ann, Bo have voted, the others are still deciding."


def test_what_is_said_after_a_round() -> None:
    won = Table().all_play().votes(B, A, A, A)
    assert prompt(won, None) == "Ann wins the round; the next one follows."
    tied = Table().all_play().votes(B, A, A, B)
    assert prompt(tied, C) == "Ann, Bo share the round; the next one follows."
    silent = Table().all_play().lapse()
    assert prompt(silent, C) == (
        "Nobody got a vote that counts, so nobody scores; the next round follows."
    )
    void = Table().lapse()
    assert prompt(void, A) == "Too few have played, so nobody scores; the next round follows."


def test_what_is_said_at_the_end_and_to_who_comes_late() -> None:
    table = Table(allow_late_join=True, max_rounds=1)
    table.join()
    assert prompt(table, E) == "You are dealt in with the next round; the others are playing."
    table.all_play()
    assert prompt(table, E) == "You are dealt in with the next round; the others are voting."
    assert prompt(table.lapse(), A) == "The match is over after one round."


REFUSALS = {
    "wrong_count": ({"needed": 2, "have": 1}, "This prompt asks for 2 cards, not 1."),
    "duplicate_card": ({}, "Each card can be used only once."),
    "not_in_hand": ({}, "That card is not in your hand."),
    "bad_play": ({}, "There is no such play on the table."),
    "own_play": ({}, "You cannot vote for your own play."),
    "not_enough_points": (
        {"needed": 1, "have": 0},
        "Discarding costs one point, and you have 0.",
    ),
    "no_cards": ({}, "Choose at least one card to discard."),
    "not_enough_cards": (
        {"needed": 36, "have": 35},
        "These packs are too small for this table: 36 cards are needed, they have 35.",
    ),
    "bad_options": (
        {"option": "minPlayersToContinue", "allowed": "2–3"},
        "The option “Fewest players to go on” does not fit; allowed: 2–3.",
    ),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_why_a_move_is_refused(code: str) -> None:
    facts, sentence = REFUSALS[code]
    assert said(WORDS.refusal(code, facts)) == sentence


def test_every_move_has_its_button() -> None:
    assert [said(WORDS.move(move)) for move in move_types(GAME.moves)] == [
        "Play",
        "Vote",
        "Discard",
        "Continue",
    ]


@pytest.mark.parametrize(
    "data", [View, ViewPlay, PlayerFacts, Summary, ScoredPlay, BlackCard, Options]
)
def test_every_field_has_its_word(data: Any) -> None:
    shared = {"pace", "onLeave", "idleKick", "chat", "spectators", "players"}
    fields = set(data.__struct_encode_fields__) - shared
    assert fields <= set(WORDS.terms)


def test_a_choice_is_shown_by_its_words() -> None:
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
    ],
)
def test_answers_fill_the_blanks_in_order_and_then_follow(
    text: str, answers: tuple[str, ...], whole: str
) -> None:
    assert filled(text, answers) == whole
