"""Each law catches its fault: a small correct game keeps them all, and fails once broken."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.contract.core import Change, asked, everyone, offer
from games.contract.data import Seat
from games.contract.game import AnyGame
from tests.kit import toy
from tests.kit.altered import altered
from tests.kit.difference import difference
from tests.kit.planted import (
    LAWS,
    N,
    after,
    fails,
    highest,
    it_ends,
    leaving_ends,
    replays,
    secret,
    silence_ends,
    survives_json,
    view_with,
)
from tests.kit.play import named_in_failures
from tests.kit.toy import TOY, Drawn, Keep, ToyPlayer, ToyState


@pytest.mark.parametrize("law", LAWS)
def test_a_good_game_keeps_every_law(law: Callable[[AnyGame], None]) -> None:
    law(TOY)


# 1 and 2: it ends, and time moves on


def test_a_match_that_hangs_is_caught() -> None:
    def lapse(state: ToyState, luck: Any) -> Change[Any]:
        again = state.phase == "guess"
        return Change(asked(state), ()) if again else toy.lapse(state, luck)

    game = altered(TOY, lapse=lapse)
    fails(it_ends, game, "has not ended")
    fails(silence_ends, game, "has not ended")


def test_a_leaver_who_is_still_waited_for_is_caught() -> None:
    def leave(state: ToyState, seat: Seat, luck: Any) -> Change[Any]:
        return Change(asked(state), ())

    fails(leaving_ends, altered(TOY, leave=leave), "still")


def test_a_lapse_that_keeps_the_clock_is_caught() -> None:
    def lapse(state: ToyState, luck: Any) -> Change[Any]:
        made = toy.lapse(state, luck)
        return Change(changed(made.state, clock=state.clock), made.told)

    fails(it_ends, altered(TOY, lapse=lapse), "change the clock")


def test_a_match_without_a_clock_is_caught() -> None:
    def patience(state: ToyState) -> float | None:
        return None if state.phase == "guess" else toy.patience(state)

    fails(silence_ends, altered(TOY, patience=patience), "no clock runs")


def test_waiting_for_somebody_who_can_do_nothing_is_caught() -> None:
    def awaited(state: ToyState) -> tuple[Seat, ...]:
        return () if state.phase == "over" else toy.inside(state)

    fails(silence_ends, altered(TOY, awaited=awaited), "can do nothing")


def test_an_offer_after_the_end_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return (offer(Keep),) if state.phase == "over" else toy.offers(state, seat)

    fails(silence_ends, altered(TOY, offers=offers), "still something is offered")


# 3 and 10: replays are equal


def test_an_unseeded_draw_is_caught() -> None:
    chance = random.Random(1)  # independent of match seeds, and the same in every run

    def unseeded(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        deck = list(change.state.deck)
        chance.shuffle(deck)
        return Change(changed(change.state, deck=tuple(deck)), change.told)

    fails(replays, after(unseeded), "replay to the state")


def test_an_unseeded_event_is_caught() -> None:
    chance = random.Random(1)

    def unseeded(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, (*change.told, everyone(Drawn(chance.randrange(1 << 30)))))

    fails(replays, after(unseeded), "tells other things")


def test_a_draw_more_the_second_time_is_caught() -> None:
    seen: set[bytes] = set()

    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        made = toy.apply(state, seat, move, luck)
        if (key := repr((state, seat, move)).encode()) in seen:
            luck.draw("more", 6)
        seen.add(key)
        return made

    fails(replays, altered(TOY, apply=apply), "draws other things")


def test_a_memory_outside_the_state_is_caught() -> None:
    asked_before: list[Seat] = []

    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        asked_before.append(seat)
        made = toy.apply(state, seat, move, luck)
        return Change(changed(made.state, clock=len(asked_before)), made.told)

    fails(replays, altered(TOY, apply=apply), "replay to the state")


# 4: JSON


def test_a_state_that_json_changes_is_caught() -> None:
    def mixed(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=list(change.state.deck)), change.told)

    fails(survives_json, after(mixed), "state is another one")


def test_a_view_that_json_changes_is_caught() -> None:
    some = [ToyPlayer(False)] * N
    fails(survives_json, view_with(players=lambda state: some), "view is another one")


# A failure message is enough to reproduce the fault


def test_a_broken_law_says_the_smallest_replay_and_the_field_that_differs() -> None:
    game = view_with(number=lambda state: state.numbers[Seat(0)])
    with pytest.raises(AssertionError) as caught, named_in_failures():
        secret(game)
    said, (replay,) = str(caught.value), caught.value.__notes__
    assert said.startswith("view tells the gallery what it may not know: view.number is ")
    assert " here and " in said
    # The first moment of the first match must fail already, not a later one.
    assert replay == f"in toy, 4 seats, seed 0, {game.rules.options()}, some_act, at its setup"


def test_a_broken_law_in_the_middle_of_a_match_says_the_act() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, (*change.told, everyone(toy.Kept(highest(state)))))

    with pytest.raises(AssertionError) as caught, named_in_failures():
        secret(after(loud))
    said = str(caught.value)
    assert re.match(r"(seat \d|the gallery) learns a secret .* by move of seat \d ", said), said
    assert re.search(r"Kept\.fields\.\w+ is \d+ here and \d+ there", said), said


def test_the_first_field_that_differs_is_named() -> None:
    one, two = {"a": 1, "b": [{"c": "x"}, 2]}, {"a": 1, "b": [{"c": "y"}, 2]}
    assert difference(one, two) == "b[0].c is 'x' here and 'y' there"
    assert difference(b"[1,2]", b"[1]", "view") == "view[1] is 2 here and missing there"
    assert difference({}, {"k": None}) == "k is missing here and None there"
    long = difference("a" * 500 + "here" + "a" * 500, "a" * 500 + "there" + "a" * 500)
    assert len(long) < 250
    assert "hereaaa" in long
