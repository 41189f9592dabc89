"""Mia bots: their moves, and how rarely they lose a round."""

from __future__ import annotations

import pytest

from games.contract.core import Event
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.mia import GAME
from games.mia.bots.odds import TOP, at_least, heard, saying, truth
from games.mia.rules.state import Announce, Dice, RoundStarted, See, ranking
from games.mia.tests.table import Table
from tests.kit.scene import A, B, C


def decides(table: Table, who: Seat, told: tuple[Event, ...] = (), luck: int = 1) -> object:
    """Return the move of the bot `normal`."""
    view, offers = table.view(who), GAME.rules.offers(table.state, who)
    return GAME.bots.levels["normal"](who, view, offers, told, (), BotLuck(b"bot", luck))


def announces(dice: Dice, after: Dice | None = None) -> set[Dice]:
    """Return all values that the bot may announce with these dice after `after`."""
    table = Table() if after is None else Table().say(A, after)
    who = A if after is None else B
    table.roll(who, dice)
    moves = {decides(table, who, luck=luck) for luck in range(30)}
    return {move.dice for move in moves if isinstance(move, Announce)}


def test_bot_announces_its_mia() -> None:
    assert announces("2,1") == {"2,1"}
    assert announces("2,1", after="6,6") == {"2,1"}


@pytest.mark.parametrize("dice", ["3,1", "6,5", "6,6"])
@pytest.mark.parametrize("after", [None, "3,1", "5,4", "4,4"])
def test_bot_never_announces_a_certain_loss(dice: Dice, after: Dice | None) -> None:
    values = ranking(False)
    least = -1 if after is None else values.index(after)
    assert all(least < values.index(said) < TOP for said in announces(dice, after))


def test_bot_calls_an_improbable_announcement() -> None:
    assert decides(Table().say(A, "6,6"), B) == See()


def test_bot_does_not_call_an_easily_beaten_announcement() -> None:
    assert decides(Table().say(A, "3,1"), B) != See()


def test_bot_learns_which_players_lie() -> None:
    """A player who was often caught lying is not believed. An honest player is believed."""

    def seen(rolled: Dice) -> object:
        told: list[Event] = []
        for _ in range(4):
            table = Table(lives=9)
            told += [RoundStarted(1, (A, B, C)), *table.say(A, "6,3", rolled=rolled).told]
            told += table.see(B).told
        table = Table(lives=9).say(A, "6,3", rolled=rolled)
        return decides(table, B, (*told, RoundStarted(1, (A, B, C)), *table.told))

    assert seen(rolled="3,1") == See()
    assert seen(rolled="6,3") != See()


@pytest.mark.parametrize("character", ["reckless", "careful"])
def test_announcement_probabilities_of_a_character_sum_to_one(character: str) -> None:
    for last in range(-1, TOP):
        for dice in range(TOP + 1):
            said = saying(character, last, dice)  # type: ignore[arg-type]
            assert sum(said.values()) == pytest.approx(0 if not said else 1)
            assert bool(said) == (last < TOP - 1 or dice == TOP)
            assert all(last < value <= TOP for value in said)
        if last < TOP - 1:
            told = [heard(character, last, value, False) for value in range(TOP + 1)]  # type: ignore[arg-type]
            assert sum(part for part, _ in told) == pytest.approx(1)


def test_probability_of_truth_depends_on_the_character() -> None:
    assert truth("reckless", -1, 14, False) == pytest.approx(at_least(14, False), abs=0.02)
    assert truth("careful", -1, 10, False) == pytest.approx(0.7)


def test_bot_infers_the_little_mia_from_the_announcements() -> None:
    """If 3,1 follows an announcement and does not lose, it must be the little Mia."""
    table = Table(little_mia=True).say(A, "5,5")
    told = [*table.told, *table.say(B, "3,1").told]
    assert decides(table, C, tuple(told)) == See()
    assert decides(table, C) != See()
