"""Each law detects a fault: a small correct game obeys all laws, and fails once broken."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import Change, Event, Told, asked, everyone, only
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.registry import GAMES
from tests.kit import laws, secrecy, toy
from tests.kit.altered import altered
from tests.kit.cases import secrets
from tests.kit.planted import (
    LAWS,
    N,
    after,
    bots,
    conserved,
    fails,
    highest,
    it_ends,
    leaving_ends,
    offered,
    private,
    questions,
    replays,
    secret,
    silence_ends,
    survives_json,
    view_with,
    words,
)
from tests.kit.play import Playthrough, match, troubled
from tests.kit.toy import TOY, Drawn, Guess, Keep, Swap, ToyState


@pytest.mark.parametrize("law", LAWS)
def test_correct_game_passes_every_check(law: Callable[[AnyGame], None]) -> None:
    law(TOY)


# 1 and 2: it ends, and time moves on


def test_endless_match_is_caught() -> None:
    def lapse(state: ToyState, luck: Any) -> Change[Any]:
        again = state.phase == "guess"
        return Change(asked(state), ()) if again else toy.lapse(state, luck)

    game = altered(TOY, lapse=lapse)
    fails(it_ends, game, "has not ended")
    fails(silence_ends, game, "has not ended")


def test_leaver_who_is_still_awaited_is_caught() -> None:
    def leave(state: ToyState, seat: Seat, luck: Any) -> Change[Any]:
        return Change(asked(state), ())

    fails(leaving_ends, altered(TOY, leave=leave), "still")


# 3 and 10: replays are equal


def test_unseeded_draw_is_caught() -> None:
    chance = random.Random(1)  # independent of the seed of the match, and equal in every run

    def unseeded(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        deck = list(change.state.deck)
        chance.shuffle(deck)
        return Change(changed(change.state, deck=tuple(deck)), change.told)

    fails(replays, after(unseeded), "replay to the state")


# 4: JSON


def test_state_changed_by_json_is_caught() -> None:
    def mixed(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=list(change.state.deck)), change.told)

    fails(survives_json, after(mixed), "state differs")


# A failure message is enough to reproduce the fault


# 5: no question is asked twice


def test_double_move_is_caught() -> None:
    def kept(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if not isinstance(move, Guess):
            return change
        return Change(changed(change.state, prompts=state.prompts), change.told)

    fails(questions, after(kept), "can be made twice")


# 6 and 7: what is accepted is offered, and nothing is changed in place


def test_move_accepted_without_an_offer_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return tuple(o for o in toy.offers(state, seat) if o.move != "Swap")

    fails(offered, altered(TOY, offers=offers), "accepted but not offered")


def test_argument_modified_in_place_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        made = toy.apply(state, seat, move, luck)
        if isinstance(move, Swap):
            state.numbers._of[seat] = made.state.numbers[seat]
        return made

    fails(offered, altered(TOY, apply=apply), "changed in place")
    fails(replays, altered(TOY, apply=apply), "modified its state in place")


# 8: secrets


def test_leak_in_the_view_is_caught() -> None:
    fails(secret, view_with(number=lambda state: state.numbers[Seat(0)]), "view tells")


def test_event_that_reveals_a_secret_is_caught() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if not isinstance(move, Guess):
            return change
        return Change(change.state, (*change.told, everyone(toy.Kept(move.username))))

    def silent(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        parity = state.numbers[seat] % 2
        return Change(change.state, change.told[parity:]) if isinstance(move, Keep) else change

    fails(offered_and_secret, after(silent), "learns a secret")
    fails(offered_and_secret, after(whispered(loud)), "learns a secret")


def whispered(loud: Any) -> Any:
    """Make the public event name the holder of the highest number instead of the guess."""

    def told(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return loud(change, state, seat, Guess(highest(state)) if isinstance(move, Guess) else move)

    return told


def offered_and_secret(game: AnyGame) -> None:
    offered(game)
    secret(game)


def test_private_event_sent_to_all_is_caught() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, tuple(everyone(told.event) for told in change.told))

    fails(private, after(loud), "is private, but sent to everybody")


PRIVATE_EVENTS = [
    pytest.param(game, kind, id=f"{game.slug}-{kind.__name__}")
    for game in GAMES.values()
    for kind in secrets(game).PRIVATE
]


@pytest.mark.parametrize(("game", "kind"), PRIVATE_EVENTS)
@pytest.mark.parametrize("fault", ["to everybody", "to somebody else"])
def test_every_private_event_with_wrong_recipients_is_caught(
    game: AnyGame, kind: type[Event], fault: str
) -> None:
    """The law passes for the unchanged game, and fails once the event has the wrong recipients."""
    declared, sent, found = secrets(game), 0, 0
    for playthrough in moments_with(game, kind):
        change = playthrough.change
        secrecy.private_events_name_their_recipients(change, declared)
        for at, told in enumerate(change.told):
            if type(told.event) is not kind or told.to is None:
                continue
            sent += 1
            for to in [None] if fault == "to everybody" else _others(change, told, declared):
                bad = (*change.told[:at], Told(told.event, to), *change.told[at + 1 :])
                with pytest.raises(AssertionError, match=r"is private|is not for seat"):
                    secrecy.private_events_name_their_recipients(
                        Change(change.state, bad), declared
                    )
                found += 1
        if found:
            return
    assert not sent, f"the function in PRIVATE lets every seat hear {kind.__name__}"
    raise AssertionError(f"{kind.__name__} was never sent to single seats")


def moments_with(game: AnyGame, kind: type[Event]) -> Iterator[Playthrough]:
    """Return moments of random matches at which this event was sent."""
    for n, options, seed in product(game.seats, secrets(game).OPTIONS, range(6)):
        for playthrough in match(game, n, options, seed):
            if any(type(told.event) is kind for told in playthrough.change.told):
                yield playthrough


def _others(change: Change[Any], told: Told, declared: Any) -> list[tuple[Seat, ...]]:
    """Return the other seats that may not hear it. A seat with the same role may."""
    seats = [(Seat(at),) for at in range(len(change.state.prompts))]
    may_hear = declared.PRIVATE[type(told.event)]
    return [to for to in seats if to != told.to and not may_hear(told.event, change, to[0])]


def test_bot_making_unoffered_moves_is_caught() -> None:
    def bot(seat: Seat, view: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        return Swap()

    fails(bots, altered(TOY, levels={"wild": bot}), "not offered")


# 9 and 11: audiences, conservation, and wording


def test_event_for_an_eliminated_seat_is_caught() -> None:
    def leave(state: ToyState, seat: Seat, luck: Any) -> Change[Any]:
        made = toy.leave(state, seat, luck)
        told = [only(gone, Drawn(made.state.numbers[gone])) for gone in state.gone]
        return Change(made.state, (*made.told, *told))

    def check(game: AnyGame) -> None:
        for seed in range(60):
            out: tuple[Seat, ...] = ()
            for playthrough in match(game, N, game.rules.options(), seed, troubled):
                laws.told_to_whom_it_concerns(playthrough, out)
                out = game.rules.out(playthrough.state)

    check(TOY)
    fails(check, altered(TOY, leave=leave), "sent to an eliminated seat")


def test_lost_number_is_caught() -> None:
    def lost(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=change.state.deck[1:]), change.told)

    fails(conserved, after(lost), "lost or doubled")


def test_sentence_with_a_missing_fact_is_caught() -> None:
    bad = replace(toy.WORDS, event=lambda event: toy.Text("%(who)s did something."))
    fails(words, altered(TOY, words=lambda options: bad), "no fact for")


def test_bot_that_knows_more_than_its_view_is_caught() -> None:
    peeked: list[ToyState] = []

    def view(state: ToyState, viewer: Any) -> Any:
        peeked[:] = [state]
        return toy.view(state, viewer)

    def bot(seat: Seat, seen: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        for found in offers:
            if found.move == "Guess" and highest(peeked[0]) in found.args["username"].one_of:
                return Guess(highest(peeked[0]))
        return Keep() if offers[0].move == "Keep" else Guess(seat)

    fails(secret, altered(TOY, view=view, levels={"cheat": bot}), "bot cheat tells")
