"""The `hard` Mia bots: the worst-case loss of their tables, and their use of observations."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command

from games.contract.core import Event
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.management.commands import mia_tables
from games.management.commands.mia_tables import lost_to_best, strategy
from games.mia import GAME
from games.mia.bots.hard import hard
from games.mia.bots.normal import normal
from games.mia.bots.observing import Answer, Word, expected
from games.mia.bots.odds import TOP
from games.mia.bots.responses import Rules, exploitability
from games.mia.bots.rounds import START, Place
from games.mia.bots.tables import kept, reply, solved
from games.mia.rules.state import (
    Announce,
    Announced,
    Dice,
    PlayerWantsToSee,
    RoundStarted,
    See,
    ranking,
)
from games.mia.tests.table import Table
from tests.kit.scene import A, B, C

CORNERS = [(little, must_raise) for little in (False, True) for must_raise in (False, True)]


def decides(table: Table, who: Seat, told: tuple[Event, ...] = (), luck: int = 1) -> object:
    view, offers = table.view(who), GAME.rules.offers(table.state, who)
    return hard(who, view, offers, told, (), BotLuck(b"bot", luck))


def announces(table: Table, who: Seat) -> set[Dice]:
    moves = {decides(table, who, luck=luck) for luck in range(40)}
    return {move.dice for move in moves if isinstance(move, Announce)}


@pytest.mark.parametrize(("little", "must_raise"), CORNERS)
@pytest.mark.parametrize("n", [2, 6])
def test_best_response_gains_almost_nothing_against_the_equilibrium(
    n: int, little: bool, must_raise: bool
) -> None:
    assert lost_to_best(Rules(n, little, must_raise)) < 0.005
    assert lost_to_best(Rules(n, little, must_raise, mia_costs=2)) < 0.005


def test_reply_beats_its_target_strategy_and_has_bounded_exploitability() -> None:
    worth = kept().worth
    assert len(worth) == 25
    for name in worth:
        if name in kept().tables:
            assert worth[name][name] <= worth["solved/solved"][name]
            assert exploitability(strategy(reply(name)), Rules(2)) < 0.17


def test_command_reports_the_loss_of_each_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mia_tables, "SIZES", range(2, 4))
    out = StringIO()
    call_command("mia_tables", stdout=out)
    assert "usual/raise" in out.getvalue()
    assert "normal/never" in out.getvalue()


@pytest.mark.parametrize("little", [False, True])
@pytest.mark.parametrize("n", [2, 8])
def test_bot_announces_its_mia_and_never_a_certain_loss(n: int, little: bool) -> None:
    assert announces(Table(n, little_mia=little).roll(A, "2,1"), A) == {"2,1"}
    values = ranking(little)
    table = Table(n, little_mia=little).say(A, "5,5").roll(B, "6,5")
    assert all(values.index("5,5") < values.index(dice) < TOP for dice in announces(table, B))


def test_bot_reads_from_the_offers_that_announcements_may_be_repeated() -> None:
    table = Table(2, must_raise=False).say(A, "6,6").roll(B, "4,3")
    assert announces(table, B) == {"6,6"}
    table = Table(2).say(A, "6,6").roll(B, "4,3")
    assert announces(table, B) <= set(ranking(False))


def test_hard_bot_keeps_playing_if_faults_are_moves() -> None:
    table = Table(2, on_fault="lose")
    assert type(decides(table, A)).__name__ == "Roll"
    assert announces(table.roll(A, "4,3"), A)


def opponent(rolled: Dice, said: Dice, rounds: int) -> tuple[Event, ...]:
    """Return rounds in which A announces `said` after rolling `rolled`, and B calls."""
    told: list[Event] = []
    for _ in range(rounds):
        table = Table(2, lives=9)
        told += [RoundStarted(1, (A, B)), *table.say(A, said, rolled=rolled).told]
        told += table.see(B).told
    return tuple(told)


def test_bot_chooses_the_reply_to_the_observed_strategy() -> None:
    """Lie to a player who never calls, and call the highest announcements of a boaster."""
    worth = kept().worth

    def best(seen: list[Word | Answer]) -> str:
        return min(worth, key=lambda name: expected(seen, worth[name]))

    assert best([Answer(Place(5), 16, False)] * 12).endswith("/never")
    boasting = reply(best([Word(START, 19, 2), Word(START, 18, 5)] * 6))
    assert boasting.sees(START, 19) > 0.99 > solved(False, True, 2).sees(START, 19)


def test_boaster_is_called_more_often() -> None:
    def looks(told: tuple[Event, ...]) -> int:
        table = Table(2, lives=9).say(A, "6,6")
        heard = (*told, RoundStarted(1, (A, B)), *table.told)
        return sum(decides(table, B, heard, luck) == See() for luck in range(50))

    assert looks(opponent("3,1", "6,6", 30)) > looks(()) + 8


def test_hard_bot_plays_like_normal_if_all_rivals_are_reckless() -> None:
    def looking(*who: Seat) -> list[Event]:
        words = (RoundStarted(1, (A, B, C)), Announced(A, "3,1"))
        return [event for seat in who for event in (*words, PlayerWantsToSee(seat))] * 6

    def differs(told: list[Event]) -> bool:
        table = Table(3, lives=9).roll(A, "5,4")
        seen = (A, table.view(A), GAME.rules.offers(table.state, A), told, ())
        return any(
            hard(*seen, BotLuck(b"wild", at)) != normal(*seen, BotLuck(b"wild", at))
            for at in range(9)
        )

    assert not differs(looking(B, C))
    assert differs([])
