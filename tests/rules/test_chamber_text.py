"""Chamber: every prompt, event, refusal, button and term has its words."""

from contextlib import suppress
from typing import get_args

import pytest
from msgspec.structs import replace

from games.rules.chamber import GAME
from games.rules.chamber.state import (
    Aim,
    AirShot,
    Ammo,
    ChamberChecked,
    ChamberLoaded,
    ChamberSeen,
    Code,
    DoubleDamageUsed,
    Events,
    Fired,
    Item,
    ItemsDealt,
    ItemsLooted,
    ItemStolen,
    LifeAdded,
    Moves,
    Options,
    Phase,
    Player,
    PlayerEliminated,
    QuickshotUsed,
    Reason,
    Rebalanced,
    RebalancePassed,
    RoundEnded,
    Rounds,
    RoundStarted,
    ShootPlayer,
    Shot,
    SkipUsed,
    TurnSkipped,
    UseChamberCheckItem,
    View,
)
from games.rules.core import Ignored, Refused
from games.rules.core import Options as BaseOptions
from games.rules.data import BySeat, Seat
from games.rules.luck import Luck, ScriptedLuck
from games.rules.words import Text
from tests.kit.chamber_tables import A, B, C, apply, match, play, table, window

WORDS = GAME.words(Options())

SENTENCES = [
    (RoundStarted(2, 3, 1), "Round 2: 3 live and 1 blank to be loaded."),
    (ItemsDealt(BySeat({A: ("skip",)})), "Everybody gets new items."),
    (Rebalanced(A, "live", 1), "A adds 1 live round."),
    (Rebalanced(A, "blank", 3), "A adds 3 blank rounds."),
    (RebalancePassed(A), "A adds nothing."),
    (ChamberLoaded(3, 1), "The chamber is loaded and spun: 3 live, 1 blank."),
    (Shot(A, A, "blank", 0, False), "A shoots themselves with a blank."),
    (Shot(A, B, "live", 1, False), "A shoots B with a live round."),
    (Shot(A, B, "live", 2, False), "A shoots B with a live round of double damage."),
    (Shot(A, A, "live", 1, True), "Time is up: A must shoot themselves with a live round."),
    (AirShot(A, "live"), "A shoots into the air: a live round, gone."),
    (AirShot(A, "blank"), "A shoots into the air: only a blank."),
    (SkipUsed(A, B), "A has B skip a turn."),
    (DoubleDamageUsed(A), "A doubles the damage of the next round."),
    (QuickshotUsed(A), "A will shoot twice this turn."),
    (ChamberChecked(A), "A looks at the next round."),
    (ChamberSeen("live"), "The next round is live."),
    (ChamberSeen("blank"), "The next round is a blank."),
    (LifeAdded(A, 6), "A gains a life and has 6 now."),
    (ItemStolen(A, B, "skip", C), "A steals from B: Skip."),
    (TurnSkipped(A), "A is skipped."),
    (PlayerEliminated(A, B), "A is out."),
    (ItemsLooted(A, B, ("skip", "add_life")), "A takes what B held: Skip, Add Life."),
    (RoundEnded(2), "The chamber is empty: round 2 is over."),
]


def said(fact):
    """A text in English, seats by letter."""
    if isinstance(fact, Seat):
        return "ABCDEFGH"[fact]
    if isinstance(fact, tuple):
        return ", ".join(said(part) for part in fact)
    if not isinstance(fact, Text):
        return str(fact)
    message = fact.plural if fact.plural and fact.count != 1 else fact.id
    return message % {name: said(part) for name, part in fact.facts.items()}


def refused(state, move):
    with pytest.raises(Refused) as refusal:
        apply(state, A, move)
    return said(WORDS.refusal(refusal.value.code, refusal.value.facts))


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_events_say_what_happened(event, sentence):
    assert said(WORDS.event(event)) == sentence


def test_every_event_has_its_sentence():
    assert {type(event) for event, sentence in SENTENCES} == set(get_args(Events))


def test_every_move_has_a_button():
    buttons = [said(WORDS.move(move.__name__)) for move in get_args(Moves)]
    assert all(buttons)
    assert len(set(buttons)) == len(buttons)


def test_every_code_has_a_sentence_with_the_facts_it_is_given():
    facts = {"option": "liveMax", "allowed": "3-8", "item": "skip", "target": B}
    sentences = {said(WORDS.refusal(code, facts)) for code in get_args(Code)}
    assert len(sentences) == len(get_args(Code))


def test_every_refusal_met_in_play_can_be_said():
    """Every move there is, at many moments: whatever is refused has all its facts."""
    everything = [move(*values) for move in get_args(Moves) for values in _arguments(move)]
    met = set()
    options = Options(max_lives=5, skip_cooldown=True, shoot_air_copies=4, max_rounds=3)
    for seed in range(6):
        for decision in match(3, seed, ["random"] * 3, options):
            for move in everything:
                with suppress(Ignored):
                    met |= _refusal(decision, move)
    assert met == set(get_args(Code)) - {"bad_options"}


def _refusal(decision, move):
    """The code of the refusal, once its sentence has been said; or none."""
    try:
        GAME.apply(decision.state, decision.seat, move, Luck(b"refusals", 0))
    except Refused as refusal:
        said(WORDS.refusal(refusal.code, refusal.facts))
        return {refusal.code}
    return set()


def _arguments(move):
    choices = {
        "username": (A, B),
        "target": (A, B, C),
        "item": get_args(Item),
        "skip_target": (None, B),
        "ammo_type": ("live",),
    }
    rows = [()]
    for name in move.__struct_fields__:
        rows = [(*row, choice) for row in rows for choice in choices[name]]
    return rows


def test_a_refusal_names_the_item_as_people_do():
    assert refused(table(), UseChamberCheckItem()) == "You do not hold this item: Chamber Check."
    assert said(WORDS.refusal("bad_options", {"option": "liveMax", "allowed": "3-8"})) == (
        "The option “Most live rounds” does not fit the others; allowed: 3-8."
    )


def test_every_name_a_table_may_show_has_a_word():
    own_options = set(Options.__struct_encode_fields__) - set(BaseOptions.__struct_encode_fields__)
    arguments = {name for move in get_args(Moves) for name in move.__struct_encode_fields__}
    facts = {
        name for data in (View, Player, Fired, Rounds) for name in data.__struct_encode_fields__
    }
    values = {value for literal in (Ammo, Item, Phase, Reason) for value in get_args(literal)}
    assert own_options | arguments | facts | values <= set(WORDS.terms)


def _fields(*types):
    return {name for data in types for name in data.__struct_encode_fields__}


@pytest.mark.parametrize(
    ("state", "viewer", "sentence"),
    [
        (table(), A, "Your turn: shoot a player or yourself."),
        (
            table(items={A: ["skip"]}),
            A,
            "Your turn: use items if you like, then shoot a player or yourself.",
        ),
        (
            table(aim=Aim(quickshot=True, counted=1)),
            A,
            "Your turn: choose whom your second shot is for.",
        ),
        (
            table("Lb", aim=Aim(peeked=True)),
            A,
            "Your turn: the next round is live, so choose well whom to shoot.",
        ),
        (
            table("bL", aim=Aim(peeked=True)),
            A,
            "Your turn: the next round is a blank, and at yourself it is free.",
        ),
        (table("bL", aim=Aim(peeked=True)), B, "A is on turn and decides whom to shoot."),
        (table(), None, "A is on turn and decides whom to shoot."),
        (
            window(3, 2, {A: ["rebalancer"]}),
            A,
            "Your choice: add live or blank rounds to the 3 live and 2 blank, or add nothing.",
        ),
        (
            window(3, 2, {A: ["rebalancer"], C: ["rebalancer"]}),
            B,
            "Before the chamber is loaded with 3 live and 2 blank,"
            " rounds may still be added by A, C.",
        ),
    ],
)
def test_the_prompt_says_what_we_wait_for(state, viewer, sentence):
    assert said(WORDS.prompt(GAME.view(state, viewer), viewer)) == sentence


def test_the_prompt_at_the_end_says_who_has_won():
    last = GAME.leave(table(n=2), A, ScriptedLuck()).state
    assert _prompts(last, A, B) == [
        "B is the last one standing and wins.",
        "You are the last one standing: you win!",
    ]
    counted = table("b", lives={A: 6}, options=Options(max_rounds=1))
    most = play(counted, A, ShootPlayer(A))
    assert _prompts(most, A, None) == [
        "The last round is over, and you win with the most lives!",
        "The last round is over; the most lives, and the victory, go to A.",
    ]
    shared = play(replace(counted, players=(Player(lives=5),) * 3), A, ShootPlayer(A))
    assert _prompts(shared, A) == [
        "The last round is over; the most lives, and the victory, go to A, B, C."
    ]


def _prompts(state, *viewers):
    return [said(WORDS.prompt(GAME.view(state, viewer), viewer)) for viewer in viewers]
