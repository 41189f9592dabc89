"""The bots of Iron Throne: moves of `normal` in important scenes, and playouts of `hard`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.contract.choices import is_offered
from games.contract.core import Event, Move
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck, Manner, Temper, bot_luck
from games.coup import GAME
from games.coup.bots import hard as coup_hard
from games.coup.bots.belief import Belief, Record, unseen
from games.coup.bots.hard import Weighed, hard, weigh
from games.coup.bots.shrewd import normal
from games.coup.bots.worlds import sample_world
from games.coup.rules.state import (
    ActionDeclared,
    Assassinate,
    Block,
    Challenge,
    CoupOptions,
    CoupState,
    Exchange,
    Income,
    Pass,
    RoleShown,
    Steal,
    Tax,
)
from games.coup.rules.views import seen_by
from games.coup.tests.table import SPARE, passes, scene
from games.management.arena import compare
from tests.kit.samples import Sample, short_and_long
from tests.kit.scene import A, B, C, Scene


def decides(
    table: Scene, who: Seat, heard: tuple[Event, ...] = (), luck: int = 1, temper: Temper = "plain"
) -> Move:
    """Return the move of `normal`."""
    view, offers = GAME.rules.view(table.state, who), GAME.rules.offers(table.state, who)
    return normal(who, view, offers, heard, (), BotLuck(b"coup", luck, Manner(temper)))


def all_it_does(table: Scene, who: Seat, temper: Temper = "plain") -> list[Move]:
    return [decides(table, who, luck=luck, temper=temper) for luck in range(200)]


def test_it_lets_the_murder_of_a_rival_pass() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya", "jaqen"), coins=(3, 2, 2))
    assert decides(table.do(A, Assassinate(C)), B) == Pass()


def test_it_challenges_an_impossible_one_by_somebody_who_is_no_weaker() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya",), coins=(3, 2, 2))
    hands = table.state.hands
    shown = (hands[C][0], type(hands[C][0])("hound", True))
    table.set(hands=(hands[A], hands[B], shown)).do(A, Assassinate(C))
    assert decides(table, B) == Challenge()
    weaker = table.set(hands=(shown[1:] + hands[A][1:], hands[B], hands[A]))
    assert decides(weaker, B) == Pass()


@pytest.mark.parametrize(("coins", "does"), [(9, Challenge()), (4, Pass())])
def test_one_who_is_lost_at_the_next_turn_challenges_the_block(coins: int, does: Move) -> None:
    """The rival probably holds the role it claims. Only a Coup next turn justifies a challenge."""
    table = scene(("melisandre",), ("arya", "baelish"), coins=(2, coins)).do(A, Steal(B))
    passes(table).do(B, Block("jaqen"))
    assert decides(table, A, (ActionDeclared(B, "Exchange", None, "jaqen"),)) == does


def test_it_takes_what_the_fatal_coup_costs() -> None:
    table = scene(("arya",), ("melisandre", "hound"), coins=(2, 8))
    assert decides(table, A) == Steal(B)


def test_it_ends_the_match_where_it_can() -> None:
    table = scene(("hound", "baelish"), ("jaqen",), coins=(3, 2))
    assert set(all_it_does(table, A)) == {Assassinate(B)}


def test_it_bluffs_no_block_of_a_murder_with_two_influences() -> None:
    two = scene(("hound", "arya"), ("arya", "jaqen"), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(two), B) == Pass()
    one = scene(("hound", "arya"), ("jaqen",), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(one), B) == Block("melisandre")


def test_now_and_then_it_bluffs_what_costs_little_the_bold_one_more_often() -> None:
    table = scene(("baelish", "melisandre"), SPARE, SPARE)
    odd: dict[Temper, int] = {}
    for temper in ("careful", "plain", "bold"):
        moves = all_it_does(table, A, temper)
        assert set(map(type, moves)) <= {Tax, Steal, Exchange}
        odd[temper] = sum(not isinstance(move, Tax) for move in moves)
    assert 0 < odd["careful"] < odd["plain"] < odd["bold"] < 100


def test_a_record_that_is_copied_goes_on_by_itself() -> None:
    record = Record.of(2, (ActionDeclared(B, "Tax", None, "baelish"),))
    before = dict(record.opponents[B].likely)
    record.copy().hear(RoleShown(B, "baelish"))
    assert record.opponents[B].likely == before


def decisions(seed: int) -> Iterator[tuple[CoupState, Seat, list[Event]]]:
    """Yield every decision in a match of two `easy` bots, with the events so far."""
    state, told = GAME.rules.setup(2, CoupOptions(), Luck(b"worlds", seed)).state, list[Event]()
    for act in range(400):
        if GAME.rules.outcome(state) is not None:
            return
        seat = GAME.rules.awaited(state)[0]
        yield state, seat, told
        view, offers = GAME.rules.view(state, seat), GAME.rules.offers(state, seat)
        move = GAME.bots.levels["easy"](
            seat, view, offers, told, (), bot_luck(b"%d" % seed, seat, act)
        )
        change = GAME.rules.apply(state, seat, move, Luck(b"worlds %d" % seed, act))
        state = change.state
        told += [one.event for one in change.told]


def test_a_world_shows_its_seat_what_that_sees() -> None:
    phases = set()
    for seed in range(12):
        for state, seat, told in decisions(seed):
            view = seen_by(state, seat)
            belief = Belief(Record.of(2, told), unseen(view))
            world = sample_world(seat, Seat(1 - seat), view, belief, Luck(b"sample", seed))
            assert seen_by(world, seat) == view
            assert GAME.rules.offers(world, seat) == GAME.rules.offers(state, seat)
            assert world.queue == state.queue
            assert len(world.deck) == len(state.deck)
            phases.add(state.phase)
    assert len(phases) == 6


def test_a_move_has_to_be_clearly_better_than_normals() -> None:
    plain = Weighed(Income(), (1.0, 0.0, 0.0, 1.0))
    assert Weighed(Tax(), (1.0, 1.0, 1.0, 1.0)).clearly_beats(plain)
    assert not Weighed(Tax(), (1.0, 1.0, 0.0, 1.0)).clearly_beats(
        Weighed(Income(), (1.0, 0.0, 1.0, 1.0))
    )
    assert not plain.clearly_beats(plain)


def test_hard_tries_every_move_in_the_same_worlds() -> None:
    table = scene(("hound", "hound"), ("jaqen", "arya"), coins=(3, 2))
    view, offers = GAME.rules.view(table.state, A), GAME.rules.offers(table.state, A)
    record, luck = Record.of(2, ()), BotLuck(b"weigh", 1)
    weighed = weigh(A, view, offers, record, Income(), luck)
    assert weighed[0].move == Income()
    assert len(weighed) == 6
    assert {len(one.won) for one in weighed} == {coup_hard.WORLDS}
    assert all(is_offered(offers, one.move) for one in weighed)


def test_hard_plays_as_normal_while_more_than_two_are_in() -> None:
    table = scene(("hound", "hound"), SPARE, SPARE, coins=(3, 2, 2))
    seen = (A, GAME.rules.view(table.state, A), GAME.rules.offers(table.state, A), (), ())
    for at in range(20):
        assert hard(*seen, BotLuck(b"more", at)) == normal(*seen, BotLuck(b"more", at))


@short_and_long
def test_normal_beats_random_players(sample: Sample) -> None:
    """Measured over 400 matches: 0.83 ± 0.04 with two seats, where 0.50 is fair."""
    tally = compare("coup", CoupOptions(), 2, "normal", "random", sample.of(400), workers=1)
    assert tally.rate > 0.75 - sample.slack / 2
    assert (tally.illegal, tally.fallbacks) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize(("others", "bound"), [("normal", 0.68), ("random", 0.70)])
def test_hard_beats_the_others(others: str, bound: float) -> None:
    tally = compare("coup", CoupOptions(), 2, "hard", others, 200, workers=1)
    assert tally.rate > bound
    assert (tally.illegal, tally.fallbacks) == (0, 0)
