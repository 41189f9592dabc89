"""Laws about secrets, audiences and sums catch their faults, in rules and in bots."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import Change, Event, OneOf, Told, Turn, asked, everyone, offer, only
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.registry import GAMES
from tests.kit import laws, secrecy, toy
from tests.kit.altered import altered
from tests.kit.cases import secrets
from tests.kit.planted import (
    SECRETS,
    N,
    after,
    at_every_moment,
    bots,
    conserved,
    fails,
    highest,
    offered,
    private,
    secret,
    view_with,
    words,
)
from tests.kit.play import Playthrough, match, troubled
from tests.kit.toy import TOY, Drawn, Guess, Keep, Swap, ToyPlayer, ToyState

# 8: secrets


def test_a_leak_in_the_view_is_caught() -> None:
    fails(secret, view_with(number=lambda state: state.numbers[Seat(0)]), "view tells")


def test_a_leak_by_a_count_in_the_view_is_caught() -> None:
    def players(state: ToyState) -> Any:
        return tuple(ToyPlayer(state.guesses.get(s) == highest(state)) for s in range(N))

    fails(secret, view_with(players=players), "view tells")


def test_a_leak_in_the_offers_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        if state.phase == "guess" and seat in toy.awaited(state):
            return (offer(Guess, username=OneOf((highest(state),))),)
        return toy.offers(state, seat)

    fails(secret, altered(TOY, offers=offers), "offers tells")


def test_a_leak_in_who_is_waited_for_is_caught() -> None:
    def awaited(state: ToyState) -> Any:
        return tuple(sorted(toy.awaited(state), key=lambda seat: state.numbers[seat]))

    fails(secret, altered(TOY, awaited=awaited), "awaited tells")


def test_a_leak_in_the_time_left_is_caught() -> None:
    def patience(state: ToyState) -> float | None:
        left = toy.patience(state)
        return left and left + state.numbers[state.at]

    fails(secret, altered(TOY, patience=patience), "patience tells")


def test_a_leak_in_the_turn_is_caught() -> None:
    def turn(state: ToyState) -> Turn:
        return changed(toy.turn(state), next=highest(state))

    fails(secret, altered(TOY, turn=turn), "turn tells")


def test_a_leak_in_what_silence_means_is_caught() -> None:
    def idles(state: ToyState) -> Any:
        return tuple(seat for seat in toy.awaited(state) if state.numbers[seat] < 6)

    fails(secret, altered(TOY, idles=idles), "idles tells")


def test_an_event_that_tells_too_much_is_caught() -> None:
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
    """Make the public event name who holds the highest number instead of who was guessed."""

    def told(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return loud(change, state, seat, Guess(highest(state)) if isinstance(move, Guess) else move)

    return told


def offered_and_secret(game: AnyGame) -> None:
    offered(game)
    secret(game)


def test_a_private_event_told_to_all_is_caught() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, tuple(everyone(told.event) for told in change.told))

    fails(private, after(loud), "is private, and told to everybody")


def test_a_private_event_told_to_somebody_else_is_caught() -> None:
    def astray(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        told = tuple(
            only(Seat((seat + 1) % N), t.event) if t.to is not None else t for t in change.told
        )
        return Change(change.state, told)

    fails(private, after(astray), "is not for seat")


def test_an_undeclared_private_event_is_caught() -> None:
    def secretive(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, tuple(only(seat, told.event) for told in change.told))

    fails(private, after(secretive), "PRIVATE lacks it")


def test_a_draw_that_everybody_learns_of_is_caught() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        drawn = change.state.numbers[seat] if isinstance(move, Swap) else 0
        return Change(change.state, (*change.told, everyone(toy.Kept(Seat(drawn % N)))))

    unhidden = SimpleNamespace(**{**vars(SECRETS), "scramble": lambda state, viewer, luck: state})

    def law(playthrough: Playthrough) -> None:
        secrecy.hidden_things_make_no_difference(playthrough, unhidden)

    fails(at_every_moment(law), after(loud), "learns a secret")


PRIVATE_EVENTS = [
    pytest.param(game, kind, id=f"{game.slug}-{kind.__name__}")
    for game in GAMES.values()
    for kind in secrets(game).PRIVATE
]


@pytest.mark.parametrize(("game", "kind"), PRIVATE_EVENTS)
@pytest.mark.parametrize("fault", ["to everybody", "to somebody else"])
def test_each_private_event_of_each_game_is_caught_when_told_wrongly(
    game: AnyGame, kind: type[Event], fault: str
) -> None:
    """The law passes for the unchanged game, and fails once the event has the wrong recipients."""
    declared, found = secrets(game), 0
    for playthrough in moments_with(game, kind):
        change = playthrough.change
        secrecy.private_events_name_their_recipients(change, declared)
        for at, told in enumerate(change.told):
            if type(told.event) is not kind or told.to is None:
                continue
            for to in [None] if fault == "to everybody" else _others(change, told, declared):
                bad = (*change.told[:at], Told(told.event, to), *change.told[at + 1 :])
                with pytest.raises(AssertionError, match=r"is private|is not for seat"):
                    secrecy.private_events_name_their_recipients(
                        Change(change.state, bad), declared
                    )
                found += 1
        if found:
            return
    raise AssertionError(f"{kind.__name__} was never told to anybody")


def moments_with(game: AnyGame, kind: type[Event]) -> Iterator[Playthrough]:
    """Return moments of random matches in which this event was told."""
    for n, options, seed in product(game.seats, secrets(game).OPTIONS, range(6)):
        for playthrough in match(game, n, options, seed):
            if any(type(told.event) is kind for told in playthrough.change.told):
                yield playthrough


def _others(change: Change[Any], told: Told, declared: Any) -> list[tuple[Seat, ...]]:
    """Return seats that may not hear it. Two may have the same role and know the same."""
    seats = [(Seat(at),) for at in range(len(change.state.prompts))]
    may_hear = declared.PRIVATE[type(told.event)]
    return [to for to in seats if to != told.to and not may_hear(told.event, change, to[0])]


def test_an_audience_that_depends_on_a_secret_is_caught() -> None:
    def to_the_highest(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, (*change.told, only(highest(state), toy.Kept(seat))))

    fails(secret, after(to_the_highest), "learns a secret")


def test_an_end_that_depends_on_a_secret_is_caught() -> None:
    def sudden(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if isinstance(move, Keep) and state.numbers[seat] == 3:
            return Change(asked(change.state, phase="over"), change.told)
        return change

    def check(game: AnyGame) -> None:
        for seed in range(60):
            for playthrough in match(game, N, game.rules.options(), seed):
                secrecy.hidden_things_make_no_difference(playthrough, SECRETS)

    fails(check, after(sudden), "whether the match goes on")


def test_a_question_that_depends_on_a_secret_is_caught() -> None:
    def order(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        after = change.state
        if after.phase == "change" and max(after.numbers.values()) == after.numbers[seat]:
            return Change(asked(after), change.told)
        return change

    fails(secret, after(order), "clock tells|prompts tells")


def test_a_bot_that_knows_more_than_its_view_is_caught() -> None:
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


def test_a_bot_that_makes_moves_that_are_not_offered_is_caught() -> None:
    def bot(seat: Seat, view: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        return Swap()

    fails(bots, altered(TOY, levels={"wild": bot}), "not offered")


def test_a_bot_with_luck_of_its_own_is_caught() -> None:
    chance = random.Random(1)

    def bot(seat: Seat, view: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        if offers[0].move == "Keep":
            return chance.choice((Keep(), Swap()))
        return Guess(chance.choice(offers[0].args["username"].one_of))

    fails(bots, altered(TOY, levels={"moody": bot}), "of two minds")


# 9 and 11: audiences, conservation, and wording


def test_an_event_for_who_is_out_is_caught() -> None:
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
    fails(check, altered(TOY, leave=leave), "tells who is out")


def test_a_number_that_gets_lost_is_caught() -> None:
    def lost(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=change.state.deck[1:]), change.told)

    fails(conserved, after(lost), "lost or doubled")


def test_a_sentence_without_its_fact_is_caught() -> None:
    bad = replace(toy.WORDS, event=lambda event: toy.Text("%(who)s did something."))
    fails(words, altered(TOY, words=lambda options: bad), "no fact for")
