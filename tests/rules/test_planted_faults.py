"""Each law catches its fault: a good small game keeps them all, and fails when it is broken."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from games.rules.core import (
    AnyGame,
    Change,
    OneOf,
    Refused,
    Some,
    Turn,
    answered,
    asked,
    everyone,
    offer,
    only,
)
from games.rules.data import NOBODY, Seat
from tests.kit import laws, nonsense, secrecy, toy, wording
from tests.kit.cases import Played
from tests.kit.difference import difference
from tests.kit.play import Playthrough, match, named_in_failures, troubled
from tests.kit.toy import TOY, Drawn, Guess, Keep, Swap, ToyPlayer, ToyState

N, SEEDS = 4, range(6)
SECRETS = SimpleNamespace(
    scramble=toy.scramble, invariants=toy.invariants, REVEALS=toy.REVEALS, OPTIONS=toy.OPTIONS
)


def it_ends(game: AnyGame) -> None:
    for seed in SEEDS:
        laws.it_ends(game, N, game.options(), seed, (Seat(1),))


def silence_ends(game: AnyGame) -> None:
    laws.silence_ends(game, N, game.options(), 1)


def leaving_ends(game: AnyGame) -> None:
    for seed in SEEDS:
        laws.leaving_ends(game, N, game.options(), seed)


def played(game: AnyGame) -> Played:
    return Played(game, N, game.options())


def replays(game: AnyGame) -> None:
    for playthrough in played(game).ends(len(SEEDS)):
        laws.same_luck_same_match(playthrough)


def at_every_moment(law: Callable[[Playthrough], None]) -> Callable[[AnyGame], None]:
    def check(game: AnyGame) -> None:
        for playthrough in played(game).every_moment(len(SEEDS)):
            law(playthrough)

    return check


def questions(game: AnyGame) -> None:
    for playthrough, before in played(game).steps(len(SEEDS)):
        laws.no_question_is_open_twice(playthrough, before)


def audiences(game: AnyGame) -> None:
    for playthrough, before in played(game).steps(len(SEEDS)):
        laws.told_to_whom_it_concerns(playthrough, game.out(before.state))


def bots(game: AnyGame) -> None:
    for seed in SEEDS:
        secrecy.bots_are_legal(game, N, game.options(), seed)


survives_json = at_every_moment(laws.survives_json)
offered = at_every_moment(laws.accepted_is_offered)
secret = at_every_moment(
    lambda playthrough: secrecy.hidden_things_make_no_difference(playthrough, SECRETS)
)
conserved = at_every_moment(lambda playthrough: toy.invariants(playthrough.state))
words = at_every_moment(wording.words_are_complete)
LAWS = (it_ends, silence_ends, leaving_ends, replays, questions, audiences, bots)
LAWS += (survives_json, offered, secret, conserved, words)


@pytest.mark.parametrize("law", LAWS)
def test_a_good_game_keeps_every_law(law: Callable[[AnyGame], None]) -> None:
    law(TOY)


def after(swap: Callable[[Change[Any], ToyState, Seat, Any], Change[Any]]) -> AnyGame:
    """The toy with something done to what its moves make."""

    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        return swap(toy.apply(state, seat, move, luck), state, seat, move)

    return replace(TOY, apply=apply)


def view_with(**facts: Callable[[ToyState], Any]) -> AnyGame:
    """The toy with a view that is given these facts."""

    def view(state: ToyState, viewer: Any) -> Any:
        return changed(toy.view(state, viewer), **{k: of(state) for k, of in facts.items()})

    return replace(TOY, view=view)


def highest(state: ToyState) -> Seat:
    return max(state.numbers, key=lambda seat: state.numbers[seat])


def fails(law: Callable[[AnyGame], None], game: AnyGame, saying: str) -> None:
    with pytest.raises(AssertionError, match=saying):
        law(game)


# 1 and 2: it ends, and time goes on


def test_a_match_that_hangs_is_caught() -> None:
    def lapse(state: ToyState, luck: Any) -> Change[Any]:
        again = state.phase == "guess"
        return Change(asked(state), ()) if again else toy.lapse(state, luck)

    game = replace(TOY, lapse=lapse)
    fails(it_ends, game, "has not ended")
    fails(silence_ends, game, "has not ended")


def test_a_leaver_who_is_still_waited_for_is_caught() -> None:
    def leave(state: ToyState, seat: Seat, luck: Any) -> Change[Any]:
        return Change(asked(state), ())

    fails(leaving_ends, replace(TOY, leave=leave), "still")


def test_a_lapse_that_keeps_the_clock_is_caught() -> None:
    def lapse(state: ToyState, luck: Any) -> Change[Any]:
        made = toy.lapse(state, luck)
        return Change(changed(made.state, clock=state.clock), made.told)

    fails(it_ends, replace(TOY, lapse=lapse), "change the clock")


def test_a_match_without_a_clock_is_caught() -> None:
    def patience(state: ToyState) -> float | None:
        return None if state.phase == "guess" else toy.patience(state)

    fails(silence_ends, replace(TOY, patience=patience), "no clock runs")


def test_waiting_for_somebody_who_can_do_nothing_is_caught() -> None:
    def awaited(state: ToyState) -> tuple[Seat, ...]:
        return () if state.phase == "over" else toy.inside(state)

    fails(silence_ends, replace(TOY, awaited=awaited), "can do nothing")


def test_an_offer_after_the_end_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return (offer(Keep),) if state.phase == "over" else toy.offers(state, seat)

    fails(silence_ends, replace(TOY, offers=offers), "still something is offered")


# 3 and 10: the same again


def test_an_unseeded_draw_is_caught() -> None:
    chance = random.Random(1)  # no seed of a match has a part in it, and every run finds the same

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

    fails(replays, replace(TOY, apply=apply), "draws other things")


def test_a_memory_outside_the_state_is_caught() -> None:
    asked_before: list[Seat] = []

    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        asked_before.append(seat)
        made = toy.apply(state, seat, move, luck)
        return Change(changed(made.state, clock=len(asked_before)), made.told)

    fails(replays, replace(TOY, apply=apply), "replay to the state")


# 4: JSON


def test_a_state_that_json_changes_is_caught() -> None:
    def mixed(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=list(change.state.deck)), change.told)

    fails(survives_json, after(mixed), "state is another one")


def test_a_view_that_json_changes_is_caught() -> None:
    some = [ToyPlayer(False)] * N
    fails(survives_json, view_with(players=lambda state: some), "view is another one")


# 5: no question twice


def test_a_double_move_is_caught() -> None:
    def kept(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if not isinstance(move, Guess):
            return change
        return Change(changed(change.state, prompts=state.prompts), change.told)

    fails(questions, after(kept), "can be made twice")


def test_a_vote_that_puts_the_question_to_others_anew_is_caught() -> None:
    def anew(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        if change.state.clock != state.clock:
            return change
        return Change(answered(change.state, Seat((seat + 1) % N)), change.told)

    fails(questions, after(anew), "without a new clock")


def test_a_prompt_that_comes_again_is_caught() -> None:
    def back(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, prompts=(0,) * N), change.told)

    fails(questions, after(back), "a second time|made twice")


def test_another_question_under_the_same_prompt_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        made = toy.offers(state, seat)
        return made[: len(made) - 1 + len(state.guesses) % 2] if len(made) > 1 else made

    def guessing(state: ToyState, seat: Seat) -> Any:
        if state.phase != "guess" or seat not in toy.awaited(state):
            return offers(state, seat)
        return (offer(Guess, username=OneOf(toy.inside(state)[: N - len(state.guesses)])),)

    fails(questions, replace(TOY, offers=guessing), "another question")


def test_an_uncounted_turn_is_caught() -> None:
    def turn(state: ToyState) -> Turn:
        return changed(toy.turn(state), count=1)

    fails(questions, replace(TOY, turn=turn), "not counted")


# 6 and 7: accepted is offered, and nothing is changed in place


def test_a_move_accepted_though_not_offered_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return tuple(o for o in toy.offers(state, seat) if o.move != "Swap")

    fails(offered, replace(TOY, offers=offers), "though it is not offered")


def test_an_unknown_name_that_is_accepted_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        if isinstance(move, Guess) and move.username == NOBODY and state.phase == "guess":
            move = Guess(seat)
        return toy.apply(state, seat, move, luck)

    fails(offered, replace(TOY, apply=apply), "though it is not offered")


def test_an_offer_that_is_refused_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        if isinstance(move, Guess) and move.username == seat:
            raise Refused("bad_target")
        return toy.apply(state, seat, move, luck)

    fails(offered, replace(TOY, apply=apply), "offered and not accepted")


def test_an_offer_of_nothing_is_caught() -> None:
    def offers(state: ToyState, seat: Seat) -> Any:
        return tuple(
            changed(o, args={"username": OneOf(())}) if o.args else o
            for o in toy.offers(state, seat)
        )

    playthrough = next(match(replace(TOY, offers=offers), N, toy.OPTIONS[0], 1))
    playthrough.state = changed(playthrough.state, phase="guess")
    with pytest.raises(AssertionError, match="a choice of nothing"):
        laws.accepted_is_offered(playthrough)


def test_an_offer_that_asks_for_too_many_is_caught() -> None:
    with pytest.raises(AssertionError):
        nonsense.how_many(Some(some=("a",), least=2, most=2))


def test_a_changed_argument_is_caught() -> None:
    def apply(state: ToyState, seat: Seat, move: Any, luck: Any) -> Change[Any]:
        made = toy.apply(state, seat, move, luck)
        if isinstance(move, Swap):
            state.numbers._of[seat] = made.state.numbers[seat]
        return made

    fails(offered, replace(TOY, apply=apply), "changed in place")
    fails(replays, replace(TOY, apply=apply), "changed the state it was given")


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

    fails(secret, replace(TOY, offers=offers), "offers tells")


def test_a_leak_in_who_is_waited_for_is_caught() -> None:
    def awaited(state: ToyState) -> Any:
        return tuple(sorted(toy.awaited(state), key=lambda seat: state.numbers[seat]))

    fails(secret, replace(TOY, awaited=awaited), "awaited tells")


def test_a_leak_in_the_time_left_is_caught() -> None:
    def patience(state: ToyState) -> float | None:
        left = toy.patience(state)
        return left and left + state.numbers[state.at]

    fails(secret, replace(TOY, patience=patience), "patience tells")


def test_a_leak_in_the_turn_is_caught() -> None:
    def turn(state: ToyState) -> Turn:
        return changed(toy.turn(state), next=highest(state))

    fails(secret, replace(TOY, turn=turn), "turn tells")


def test_a_leak_in_what_silence_means_is_caught() -> None:
    def idles(state: ToyState) -> Any:
        return tuple(seat for seat in toy.awaited(state) if state.numbers[seat] < 6)

    fails(secret, replace(TOY, idles=idles), "idles tells")


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
    """The loud event names who holds the highest instead of who was guessed."""

    def told(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return loud(change, state, seat, Guess(highest(state)) if isinstance(move, Guess) else move)

    return told


def offered_and_secret(game: AnyGame) -> None:
    offered(game)
    secret(game)


def test_a_private_event_told_to_all_is_caught() -> None:
    def loud(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(change.state, tuple(everyone(told.event) for told in change.told))

    narrow = SimpleNamespace(scramble=toy.scramble, invariants=toy.invariants, REVEALS=(toy.Shown,))
    game = after(loud)
    with pytest.raises(AssertionError, match="learns a secret"):
        at_every_moment(
            lambda playthrough: secrecy.hidden_things_make_no_difference(playthrough, narrow)
        )(game)


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
            for playthrough in match(game, N, game.options(), seed):
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

    fails(secret, replace(TOY, view=view, bots={"cheat": bot}), "bot cheat tells")


def test_a_bot_that_makes_moves_that_are_not_offered_is_caught() -> None:
    def bot(seat: Seat, view: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        return Swap()

    fails(bots, replace(TOY, bots={"wild": bot}), "not offered")


def test_a_bot_with_luck_of_its_own_is_caught() -> None:
    chance = random.Random(1)

    def bot(seat: Seat, view: Any, offers: Any, heard: Any, said: Any, luck: Any) -> Any:
        if offers[0].move == "Keep":
            return chance.choice((Keep(), Swap()))
        return Guess(chance.choice(offers[0].args["username"].one_of))

    fails(bots, replace(TOY, bots={"moody": bot}), "of two minds")


# 9 and 11: audiences, conservation; and the words


def test_an_event_for_who_is_out_is_caught() -> None:
    def leave(state: ToyState, seat: Seat, luck: Any) -> Change[Any]:
        made = toy.leave(state, seat, luck)
        told = [only(gone, Drawn(made.state.numbers[gone])) for gone in state.gone]
        return Change(made.state, (*made.told, *told))

    def check(game: AnyGame) -> None:
        for seed in range(60):
            out: tuple[Seat, ...] = ()
            for playthrough in match(game, N, game.options(), seed, troubled):
                laws.told_to_whom_it_concerns(playthrough, out)
                out = game.out(playthrough.state)

    check(TOY)
    fails(check, replace(TOY, leave=leave), "tells who is out")


def test_a_number_that_gets_lost_is_caught() -> None:
    def lost(change: Change[Any], state: ToyState, seat: Seat, move: Any) -> Change[Any]:
        return Change(changed(change.state, deck=change.state.deck[1:]), change.told)

    fails(conserved, after(lost), "lost or doubled")


def test_a_sentence_without_its_fact_is_caught() -> None:
    bad = replace(toy.WORDS, event=lambda event: toy.Text("%(who)s did something."))
    fails(words, replace(TOY, words=lambda options: bad), "no fact for")


# What is said of a fault is enough to see it again


def test_a_broken_law_says_the_smallest_replay_and_the_field_that_differs() -> None:
    game = view_with(number=lambda state: state.numbers[Seat(0)])
    with pytest.raises(AssertionError) as caught, named_in_failures():
        secret(game)
    said, (replay,) = str(caught.value), caught.value.__notes__
    assert said.startswith("view tells the gallery what it may not know: view.number is ")
    assert " here and " in said
    # The first moment of the first match is enough, so it is that one and no later one.
    assert replay == f"in toy, 4 seats, seed 0, {game.options()}, some_act, at its setup"


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
