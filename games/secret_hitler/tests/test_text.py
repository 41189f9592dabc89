"""Secret Hitler: sentences for the players involved and for others, and button hints."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract.core import Event
from games.contract.data import BySeat, Seat, Viewer
from games.secret_hitler import GAME
from games.secret_hitler.rules.events import (
    ChancellorNominated,
    PlayerExecuted,
    PlayerInvestigated,
    PolicyEnacted,
    PowerGranted,
    RoleGiven,
    RolesRevealed,
    TrackerMoved,
    VotesRevealed,
)
from games.secret_hitler.rules.state import ExecutePlayer, Known, Options, PresidentPolicies
from games.secret_hitler.tests.table import A, B, C, D, E, Table
from games.tables.sentences import say

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")
WORDS = GAME.telling.words(Options())
FASCIST, HITLER = Known("fascist", "fascist"), Known("hitler", "fascist")


def prompt(table: Table, viewer: Viewer) -> str:
    return say(WORDS.prompt(table.view(viewer), viewer), NAMES, "en", viewer)


def line(event: Event, reader: Viewer = None) -> str:
    said = WORDS.event(event)
    assert said is not None
    return say(said, NAMES, "en", reader)


def hint(table: Table, seat: Seat, move: str, **args: Any) -> str:
    said = WORDS.hint(table.view(seat), seat, move, args)
    return say(said, NAMES, "en", seat) if said else ""


def ending(table: Table, reader: Viewer) -> str:
    outcome = GAME.rules.outcome(table.state)
    assert outcome is not None
    said = WORDS.ending(table.view(None), outcome.winners, outcome.reason)
    return say(said, NAMES, "en", reader)


@pytest.mark.parametrize(
    ("event", "reader", "sentence"),
    [
        (ChancellorNominated(A, B), A, "You nominate Bob as chancellor."),
        (ChancellorNominated(A, B), B, "Ann nominates you as chancellor."),
        (ChancellorNominated(A, B), C, "Ann nominates Bob as chancellor."),
        (VotesRevealed(BySeat(), 4, 1, True), None, "Elected: 4 Ja, 1 Nein."),
        (TrackerMoved(1), None, "1 failed government. After 3, the top policy passes."),
        (PolicyEnacted("fascist", "chaos", 0, 2), None, "A fascist policy passes: 2 of 6."),
        (PowerGranted(A, "execute", (B,)), A, "You must execute a player."),
        (PlayerInvestigated(A, B), B, "Ann looks at your party card."),
        (PlayerExecuted(A, B), B, "Ann executes you. You're out."),
        (PlayerExecuted(A, B), C, "Ann executes Bob."),
        (
            RoleGiven("fascist", "fascist", BySeat({C: FASCIST, E: HITLER})),
            A,
            "You are a fascist. Your fellow fascist: Cat. Hitler is Eve.",
        ),
        (
            RoleGiven("fascist", "fascist", BySeat({C: FASCIST, D: FASCIST, E: HITLER})),
            A,
            "You are a fascist. Your fellow fascists: Cat and Dan. Hitler is Eve.",
        ),
        (
            RoleGiven("hitler", "fascist", BySeat({D: FASCIST})),
            A,
            "You are Hitler. Your fellow fascist: Dan.",
        ),
        (
            RolesRevealed("fascist", BySeat({D: "fascist", E: "hitler"})),
            None,
            "Hitler was Eve, the fascist Dan.",
        ),
    ],
)
def test_log_addresses_the_players_it_is_about(event: Event, reader: Viewer, sentence: str) -> None:
    assert line(event, reader) == sentence


def test_ending_gives_each_side_the_reason() -> None:
    table = Table("LLLFH", fascist=3).nominate(E).vote()
    assert table.reason == "hitler_elected"
    assert ending(table, None) == "The fascists win: Hitler (Eve) was elected chancellor."
    assert ending(table, D) == "You win: Hitler (Eve) was elected chancellor."
    assert ending(table, E) == "You win: you are Hitler and were elected chancellor."
    assert ending(table, A) == "You lose: Hitler (Eve) was elected chancellor."


def test_ending_explains_the_execution_of_hitler() -> None:
    table = Table("LLLFH", deck="FFFLLLFFF", fascist=3).govern(B)
    table.do(A, ExecutePlayer(E))
    assert ending(table, A) == "You win: Hitler (Eve) was executed."
    assert ending(table, None) == "The liberals win: Hitler (Eve) was executed."


def test_ballot_shows_what_a_vote_risks() -> None:
    early = Table("LLLFH").nominate(B)
    assert hint(early, C, "Vote", ja=True) == hint(early, C, "Vote", ja=False) == ""
    late = Table("LLLFH", fascist=3, tracker=2).nominate(B)
    assert hint(late, C, "Vote", ja=True) == "if Bob is Hitler, the fascists win"
    assert hint(late, B, "Vote", ja=True) == ""
    assert hint(late, C, "Vote", ja=False) == "if it fails, the top policy passes"
    known = Table("LLLFH", fascist=3, confirmed_not_hitler=(B,)).nominate(B)
    assert hint(known, C, "Vote", ja=True) == ""


def test_button_shows_what_a_nomination_risks() -> None:
    assert hint(Table("LLLFH"), A, "ChancellorNomination", player=B) == ""
    late = Table("LLLFH", fascist=3, confirmed_not_hitler=(B,))
    assert hint(late, A, "ChancellorNomination") == "elect Hitler now, and the fascists win"
    assert hint(late, A, "ChancellorNomination", player=B) == "not Hitler"


def test_open_claims_carry_the_true_tiles_of_their_owner() -> None:
    assert GAME.rules.claims is not None
    table = Table("LLLFH", deck="LFFLFLFLF").nominate(B).vote()
    table.do(A, PresidentPolicies((0, 1)))
    held = table.state.hand
    table = Table("LLLFH", deck="LFFLFLFLF").govern(B)
    (drawn,) = GAME.rules.claims.open(table.state, A)
    (received,) = GAME.rules.claims.open(table.state, B)
    assert drawn.true == ("liberal", "fascist", "fascist")
    assert len(received.true) == len(held) == 2
    assert GAME.rules.claims.open(table.state, C) == ()
