"""Iron Throne: sentences for the players involved and for others, and button hints."""

from __future__ import annotations

from typing import Any

import pytest

from games.contract.data import BySeat, Viewer
from games.coup import GAME
from games.coup.rules.state import (
    ActionDone,
    ActionStopped,
    Assassinate,
    Block,
    BluffCaught,
    Challenge,
    Challenged,
    Coup,
    CoupOptions,
    Events,
    InfluenceLost,
    Pass,
    PlayerEliminated,
    Steal,
    Tax,
)
from games.coup.tests.table import SPARE, passes, scene
from games.tables.sentences import say
from tests.kit.scene import A, B, C, Scene

NAMES = ("Ann", "Bob", "Cat")
WORDS = GAME.telling.words(CoupOptions())


def prompt(table: Scene, viewer: Viewer) -> str:
    return say(WORDS.prompt(GAME.rules.view(table.state, viewer), viewer), NAMES, "en", viewer)


def line(event: Events, reader: Viewer) -> str:
    said = WORDS.event(event)
    assert said is not None
    return say(said, NAMES, "en", reader)


def hint(table: Scene, seat: Any, move: str, **args: Any) -> str:
    said = WORDS.hint(GAME.rules.view(table.state, seat), seat, move, args)
    return say(said, NAMES, "en", seat) if said else ""


def test_target_of_an_action_is_addressed_as_you() -> None:
    table = scene(("arya", "hound"), SPARE, SPARE).do(A, Steal(B))
    assert prompt(table, A) == "You claim Arya and steal 2 golden dragons from Bob."
    assert prompt(table, B) == "Ann claims Arya and steals 2 golden dragons from you. Challenge?"
    assert prompt(table, C) == "Ann claims Arya and steals 2 golden dragons from Bob. Challenge?"
    passes(table, B, C)
    assert prompt(table, B) == "Ann claims Arya and steals 2 golden dragons from you. Block?"
    table.do(B, Block("jaqen"))
    assert prompt(table, A) == "Bob blocks you as Jaqen H'ghar. Challenge?"
    assert prompt(table, C) == "Bob blocks Ann as Jaqen H'ghar. Challenge?"
    assert prompt(table, B) == "You block Ann as Jaqen H'ghar."


def test_prompt_explains_why_a_card_is_lost() -> None:
    ends = "Choose a card to lose."
    taxed = scene(("baelish", "hound"), SPARE, SPARE).do(A, Tax()).do(B, Challenge())
    assert prompt(taxed, B) == f"Ann had Petyr Baelish. {ends}"
    killed = passes(scene(("hound", "arya"), SPARE, SPARE, coins=(3, 2, 2)).do(A, Assassinate(B)))
    killed.do(B, Pass())
    assert prompt(killed, B) == f"Ann's assassin gets you. {ends}"
    struck = scene(SPARE, SPARE, SPARE, coins=(7, 2, 2)).do(A, Coup(B))
    assert prompt(struck, B) == f"Ann's Coup hits you. {ends}"
    blocks = (("hound", "arya"), ("melisandre", "arya"), SPARE)
    blocked = passes(scene(*blocks, coins=(3, 2, 2)).do(A, Assassinate(B)))
    blocked.do(B, Block("melisandre")).do(A, Challenge())
    assert prompt(blocked, A) == f"Bob had Melisandre. {ends}"
    blocks = (("hound", "arya"), ("baelish", "arya"), SPARE)
    lied = passes(scene(*blocks, coins=(3, 2, 2)).do(A, Assassinate(B)))
    lied.do(B, Block("melisandre")).do(C, Challenge())
    assert prompt(lied, B) == f"You were caught bluffing. {ends}"


@pytest.mark.parametrize(
    ("event", "reader", "sentence"),
    [
        (Challenged(A, B, "arya"), A, "You challenge Bob, who claimed Arya."),
        (Challenged(A, B, "arya"), B, "Ann challenges you: do you have Arya?"),
        (Challenged(A, B, "arya"), None, "Ann challenges Bob, who claimed Arya."),
        (BluffCaught(A, "hound"), A, "Caught! You don't have the Hound."),
        (BluffCaught(A, "hound"), B, "A bluff! Ann doesn't have the Hound."),
        (InfluenceLost(B, "arya", 0), B, "You lose Arya."),
        (InfluenceLost(B, "arya", 0), C, "Bob loses Arya."),
        (ActionDone(A, "Coup", B, BySeat()), B, "Ann's Coup hits you."),
        (ActionDone(A, "Assassinate", B, BySeat()), A, "Your assassin gets Bob."),
        (ActionDone(A, "Steal", B, BySeat()), A, "You find nothing to steal."),
        (
            ActionDone(A, "Steal", B, BySeat({A: 4, B: 0})),
            B,
            "Ann steals from you and now has 4 golden dragons.",
        ),
        (ActionStopped(A, "Steal", "block"), B, "Ann's steal is blocked."),
        (ActionStopped(A, "Steal", "block"), A, "Your steal is blocked."),
        (PlayerEliminated(C), C, "You're out."),
    ],
)
def test_log_addresses_the_players_it_is_about(
    event: Events, reader: Viewer, sentence: str
) -> None:
    assert line(event, reader) == sentence


def test_button_shows_what_a_move_risks() -> None:
    table = scene(("arya", "hound"), SPARE, ("jaqen",), coins=(3, 1, 2))
    assert hint(table, A, "Income") == "+1, can't be stopped"
    assert hint(table, A, "Tax") == "+3 as Petyr; caught: lose a card"
    assert hint(table, C, "Tax") == "+3 as Petyr; caught: you're out"
    assert hint(table, A, "Steal", target=B) == "takes 1"
    table.do(A, Assassinate(B))
    assert hint(table, B, "Challenge") == "wrong: you lose a card"
    assert hint(table, C, "Challenge") == "wrong: you're out"
    assert hint(table, B, "Pass") == "you can still block"
    assert hint(table, C, "Pass") == ""
    passes(table, B, C)
    assert hint(table, B, "Block", role="melisandre") == "caught: you're out"
    assert hint(table, B, "Pass") == "you lose a card"


def test_true_claims_are_marked_for_their_owner_only() -> None:
    table = passes(scene(("arya", "hound"), SPARE, SPARE).do(A, Steal(B)))
    own, other = GAME.rules.view(table.state, B), GAME.rules.view(table.state, None)
    assert WORDS.truth(own, "Block", {"role": "jaqen"})
    assert not WORDS.truth(own, "Block", {"role": "arya"})
    assert not WORDS.truth(own, "Block", {})
    assert not WORDS.truth(other, "Block", {"role": "jaqen"})
    mine = GAME.rules.view(table.state, A)
    assert [WORDS.truth(mine, move, {}) for move in ("Steal", "Assassinate", "Tax", "Income")] == [
        True,
        True,
        False,
        False,
    ]


def test_lost_card_makes_no_claim_true() -> None:
    table = scene(("arya",), SPARE, SPARE)
    lost = next(card.role for card in table.state.hands[A] if card.face_up)
    claims = {"baelish": "Tax", "hound": "Assassinate", "jaqen": "Exchange"}
    view = GAME.rules.view(table.state, A)
    assert lost == "melisandre" or not WORDS.truth(view, claims[lost], {})
    assert not WORDS.truth(view, "Block", {"role": lost})
