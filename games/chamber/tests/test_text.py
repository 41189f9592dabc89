"""Chamber: every prompt, event, refusal, button and term has a sentence."""

from typing import get_args

import pytest
from msgspec.structs import replace

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    AirShot,
    ChamberChecked,
    ChamberLoaded,
    ChamberSeen,
    Code,
    DoubleDamageUsed,
    ItemsDealt,
    ItemsLooted,
    ItemStolen,
    LifeAdded,
    Options,
    Player,
    PlayerEliminated,
    QuickshotUsed,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    RoundStarted,
    ShootPlayer,
    Shot,
    SkipUsed,
    TurnSkipped,
    UseChamberCheckItem,
)
from games.chamber.tests.tables import A, B, C, apply, play, table, window
from games.contract.core import Refused
from games.contract.data import BySeat
from games.contract.luck import ScriptedLuck
from games.tables.sentences import say

WORDS = GAME.telling.words(Options())

SENTENCES = [
    (RoundStarted(2, 3, 1), "On the table: 3 live and 1 blank."),
    (ItemsDealt(BySeat({A: ("skip",)})), "Everybody gets new items."),
    (Rebalanced(A, "live", 1), "A adds 1 live shell."),
    (Rebalanced(A, "blank", 3), "A adds 3 blank shells."),
    (RebalancePassed(A), "A adds nothing."),
    (ChamberLoaded(3, 1), "Loaded and spun: 3 live, 1 blank."),
    (Shot(A, A, "blank", 0, False), "A shoots themselves: blank."),
    (Shot(A, B, "live", 1, False), "A hits B."),
    (Shot(A, B, "live", 2, False), "A hits B for double damage."),
    (Shot(A, A, "live", 1, True), "A ran out of time. A shoots themselves and loses a life."),
    (AirShot(A, "live"), "A shoots into the air: live."),
    (AirShot(A, "blank"), "A shoots into the air: blank."),
    (SkipUsed(A, B), "A skips B's next turn."),
    (DoubleDamageUsed(A), "A doubles the damage of the next shell."),
    (QuickshotUsed(A), "A will shoot twice this turn."),
    (ChamberChecked(A), "A checks the next shell."),
    (ChamberSeen("live"), "The next shell is live."),
    (ChamberSeen("blank"), "The next shell is a blank."),
    (LifeAdded(A, 6), "A gains a life and now has 6."),
    (ItemStolen(A, B, "skip", C), "A steals a Skip from B."),
    (TurnSkipped(A), "A is skipped."),
    (PlayerEliminated(A, B), "A is out."),
    (ItemsLooted(A, B, ("skip", "add_life")), "A takes B's items: Skip and Life."),
    (ItemsLooted(A, B, ("skip", "add_life", "skip")), "A takes B's items: 2 × Skip and Life."),
    (RoundEnded(2), "The chamber is empty. Round 2 is over."),
]


def said(text, reader=None):
    """A text in English, seats by letter."""
    return say(text, "ABCDEFGH", "en", reader)


def refused(state, move):
    with pytest.raises(Refused) as refusal:
        apply(state, A, move)
    return said(WORDS.refusal(refusal.value.code, refusal.value.facts))


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_events_say_what_happened(event, sentence):
    assert said(WORDS.event(event)) == sentence


@pytest.mark.parametrize(
    ("event", "reader", "sentence"),
    [
        (Shot(A, B, "live", 1, False), A, "You hit B."),
        (Shot(A, B, "live", 1, False), B, "A hits you. You lose a life."),
        (Shot(A, B, "live", 1, False), C, "A hits B."),
        (Shot(A, A, "blank", 0, False), A, "You shoot yourself: blank."),
        (Shot(A, A, "live", 2, False), A, "You shoot yourself for double damage."),
        (
            Shot(A, A, "live", 1, True),
            A,
            "You ran out of time. You shoot yourself and lose a life.",
        ),
        (Rebalanced(A, "live", 2), A, "You add 2 live shells."),
        (SkipUsed(A, B), B, "A skips your next turn."),
        (ItemStolen(A, B, "skip", C), B, "A steals your Skip."),
        (ItemsLooted(A, B, ("skip",)), A, "You take B's items: Skip."),
        (PlayerEliminated(A, B), A, "You're out."),
    ],
)
def test_events_are_told_to_those_they_are_about(event, reader, sentence):
    assert said(WORDS.event(event), reader) == sentence


def test_every_code_has_a_sentence_with_the_facts_it_is_given():
    facts = {
        "option": "liveMax",
        "allowed": "3-8",
        "item": "skip",
        "target": B,
        "ammo_type": "live",
        "cap": 75,
    }
    sentences = {said(WORDS.refusal(code, facts)) for code in get_args(Code)}
    assert len(sentences) == len(get_args(Code))


def test_a_refusal_names_the_item_as_people_do():
    assert refused(table(), UseChamberCheckItem()) == "You don't have this item: Check."
    assert said(WORDS.refusal("bad_options", {"option": "liveMax", "allowed": "3-8"})) == (
        "The option “Most live shells” doesn't fit the others. Allowed: 3-8."
    )


@pytest.mark.parametrize(
    ("state", "viewer", "sentence"),
    [
        (table(), A, "You hold the gun. Who?"),
        (
            table(items={A: ["skip"]}),
            A,
            "You hold the gun. Who?",
        ),
        (
            table(aim=Aim(quickshot=True, counted=1)),
            A,
            "Your second shot. Who?",
        ),
        (
            table("Lb", aim=Aim(peeked=True)),
            A,
            "The next shell is live. Who?",
        ),
        (
            table("bL", aim=Aim(peeked=True)),
            A,
            "The next shell is a blank. Who?",
        ),
        (table("bL", aim=Aim(peeked=True)), B, "A's turn: choosing a target."),
        (table(), None, "A's turn: choosing a target."),
        (
            window(3, 2, {A: ["rebalancer"]}),
            A,
            "3 live, 2 blank so far. Add shells?",
        ),
        (
            window(3, 2, {A: ["rebalancer"], C: ["rebalancer"]}),
            B,
            "3 live, 2 blank so far. A and C may add more.",
        ),
    ],
)
def test_the_prompt_says_what_we_wait_for(state, viewer, sentence):
    assert said(WORDS.prompt(GAME.rules.view(state, viewer), viewer), viewer) == sentence


def test_the_end_says_who_has_won_and_why():
    last = GAME.rules.leave(table(n=2), A, ScriptedLuck()).state
    assert _ends(last, A, B, None) == [
        "B wins: last player standing.",
        "You win: last player standing.",
        "B wins: last player standing.",
    ]
    counted = table("b", lives={A: 6}, options=Options(max_rounds=1))
    most = play(counted, A, ShootPlayer(A))
    assert _ends(most, A, B) == [
        "You win: most lives after the last round.",
        "A wins: most lives after the last round.",
    ]
    shared = play(replace(counted, players=(Player(lives=5),) * 3), A, ShootPlayer(A))
    assert _ends(shared, A, None) == [
        "You share the win: most lives after the last round.",
        "A, B and C win: most lives after the last round.",
    ]


def _ends(state, *viewers):
    outcome, view = GAME.rules.outcome(state), GAME.rules.view(state, None)
    ending = WORDS.ending(view, outcome.winners, outcome.reason)
    return [said(ending, viewer) for viewer in viewers]


def _hint(state, move, **args):
    text = WORDS.hint(GAME.rules.view(state, A), A, move, args)
    return None if text is None else said(text, A)


def test_a_shot_says_on_its_button_what_it_may_cost():
    assert _hint(table(), "ShootPlayer", username=A) == "a blank lets you go on"
    assert _hint(table(), "ShootPlayer", username=B) is None
    doubled = table(aim=Aim(double_damage=True))
    assert _hint(doubled, "ShootPlayer", username=A) == (
        "a blank lets you go on; live: you lose 2 lives"
    )
    assert _hint(doubled, "ShootPlayer", username=B) == "live: they lose 2 lives"
    assert _hint(table(lives={A: 1}), "ShootPlayer", username=A) == (
        "a blank lets you go on; live: you're out"
    )
    assert _hint(window(3, 2, {A: ["rebalancer"]}), "UseRebalancerItem", ammoType="live") == (
        "adds 1 to 3"
    )


def test_what_one_has_seen_of_the_next_shell_stands_on_no_button():
    for shells in ("Lb", "bL"):
        seen = table(shells, aim=Aim(peeked=True))
        assert _hint(seen, "ShootPlayer", username=A) == "a blank lets you go on"
