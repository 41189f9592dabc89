"""Iron Throne bots: moves of `normal` in key situations, and playouts of `hard`."""

from __future__ import annotations

import pytest

from games.contract.choices import random_move
from games.contract.core import Event, Move
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck, Manner, Temper
from games.coup import GAME
from games.coup.bots import belief
from games.coup.bots.belief import Record, Records
from games.coup.bots.shrewd import normal
from games.coup.rules.state import (
    ActionDeclared,
    Assassinate,
    Block,
    Challenge,
    CoupOptions,
    Exchange,
    Pass,
    Steal,
    Tax,
)
from games.coup.tests.table import SPARE, passes, scene
from games.management.arena import compare
from tests.kit.scene import A, B, C, Scene


def decides(
    table: Scene, who: Seat, heard: tuple[Event, ...] = (), luck: int = 1, temper: Temper = "plain"
) -> Move:
    """Return the move of `normal`."""
    view, offers = GAME.rules.view(table.state, who), GAME.rules.offers(table.state, who)
    return normal(who, view, offers, heard, (), BotLuck(b"coup", luck, Manner(temper)))


def all_it_does(table: Scene, who: Seat, temper: Temper = "plain") -> list[Move]:
    return [decides(table, who, luck=luck, temper=temper) for luck in range(200)]


def test_bot_does_not_stop_the_assassination_of_a_rival() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya", "jaqen"), coins=(3, 2, 2))
    assert decides(table.do(A, Assassinate(C)), B) == Pass()


def test_bot_challenges_an_impossible_claim_unless_the_claimant_is_weaker() -> None:
    table = scene(SPARE, ("hound", "hound"), ("arya",), coins=(3, 2, 2))
    hands = table.state.hands
    shown = (hands[C][0], type(hands[C][0])("hound", True))
    table.set(hands=(hands[A], hands[B], shown)).do(A, Assassinate(C))
    assert decides(table, B) == Challenge()
    weaker = table.set(hands=(shown[1:] + hands[A][1:], hands[B], hands[A]))
    assert decides(weaker, B) == Pass()


@pytest.mark.parametrize(("coins", "does"), [(9, Challenge()), (4, Pass())])
def test_bot_about_to_lose_challenges_the_block(coins: int, does: Move) -> None:
    """The rival probably holds the role it claims. Only a Coup next turn justifies a challenge."""
    table = scene(("melisandre",), ("arya", "baelish"), coins=(2, coins)).do(A, Steal(B))
    passes(table).do(B, Block("jaqen"))
    assert decides(table, A, (ActionDeclared(B, "Exchange", None, "jaqen"),)) == does


def test_bot_steals_from_a_rival_to_prevent_a_fatal_coup() -> None:
    table = scene(("arya",), ("melisandre", "hound"), coins=(2, 8))
    assert decides(table, A) == Steal(B)


def test_bot_ends_the_match_if_it_can() -> None:
    table = scene(("hound", "baelish"), ("jaqen",), coins=(3, 2))
    assert set(all_it_does(table, A)) == {Assassinate(B)}


def test_bot_with_two_influences_does_not_bluff_against_an_assassination() -> None:
    two = scene(("hound", "arya"), ("arya", "jaqen"), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(two), B) == Pass()
    one = scene(("hound", "arya"), ("jaqen",), coins=(3, 2)).do(A, Assassinate(B))
    assert decides(passes(one), B) == Block("melisandre")


def test_bots_make_cheap_bluffs_and_bold_bots_more_often() -> None:
    table = scene(("baelish", "melisandre"), SPARE, SPARE)
    odd: dict[Temper, int] = {}
    for temper in ("careful", "plain", "bold"):
        moves = all_it_does(table, A, temper)
        assert set(map(type, moves)) <= {Tax, Steal, Exchange}
        odd[temper] = sum(not isinstance(move, Tax) for move in moves)
    assert 0 < odd["careful"] < odd["plain"] < odd["bold"] < 100


@pytest.mark.long
@pytest.mark.parametrize(("others", "bound"), [("normal", 0.68), ("random", 0.70)])
def test_hard_beats_the_other_levels(others: str, bound: float) -> None:
    tally = compare("coup", CoupOptions(), 2, "hard", others, 200, workers=1)
    assert tally.rate > bound
    assert (tally.illegal, tally.fallbacks) == (0, 0)


def test_continued_records_are_the_same_as_new_ones() -> None:
    """Bots of several matches ask in any order, and a late bot asks about fewer events."""
    records, logs = Records(), [events_of(seed) for seed in range(3)]
    dice = Luck(b"records", 1)
    for _ in range(200):
        heard = dice.pick("match", logs)
        heard = heard[: dice.draw("events", len(heard) + 1)]
        assert records.of(3, heard) == Record.of(3, heard)
    kept = records.of(3, logs[0])
    before = kept.copy()
    records.of(3, [*logs[0], ActionDeclared(A, "Tax", None, "baelish")])
    assert kept == before


def test_number_of_kept_records_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief, "MOST_RECORDS", 2)
    records = Records()
    for seed in range(4):
        records.of(3, events_of(seed))
    assert len(records._kept) == 2


def events_of(seed: int) -> list[Event]:
    """Return everything that is told in a match of random moves."""
    key = seed.to_bytes(1, "big")
    change = GAME.rules.setup(3, CoupOptions(), Luck(key, 1))
    heard, dice = [told.event for told in change.told], Luck(b"moves" + key, 1)
    for act in range(2, 60):
        if GAME.rules.outcome(change.state) is not None:
            break
        seat = GAME.rules.awaited(change.state)[0]
        move = random_move(GAME.rules.moves, GAME.rules.offers(change.state, seat), dice)
        change = GAME.rules.apply(change.state, seat, move, Luck(key, act))
        heard += [told.event for told in change.told]
    return heard
