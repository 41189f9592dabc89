"""Chamber: every prompt, event, refusal, button and term has a sentence."""

from typing import get_args

import pytest

from games.chamber import GAME
from games.chamber.rules.state import (
    Aim,
    Code,
    ItemsLooted,
    ItemStolen,
    Options,
    PlayerEliminated,
    Rebalanced,
    Shot,
    SkipUsed,
)
from games.chamber.tests.tables import A, B, C, table, window
from games.tables.sentences import say

WORDS = GAME.telling.words(Options())


def said(text, reader=None):
    """Return a text in English, with seats named by letters."""
    return say(text, "ABCDEFGH", "en", reader)


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
def test_events_address_the_player_they_are_about(event, reader, sentence):
    assert said(WORDS.event(event), reader) == sentence


def test_every_refusal_code_has_its_own_message():
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


def _hint(state, move, **args):
    text = WORDS.hint(GAME.rules.view(state, A), A, move, args)
    return None if text is None else said(text, A)


def test_shot_button_shows_what_the_shot_may_cost():
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


def test_button_hints_do_not_reveal_a_checked_shell():
    for shells in ("Lb", "bL"):
        seen = table(shells, aim=Aim(peeked=True))
        assert _hint(seen, "ShootPlayer", username=A) == "a blank lets you go on"
