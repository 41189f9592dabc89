"""The level `hard` of Chamber: exact where possible, and better than `normal`."""

from __future__ import annotations

import pytest

from games.chamber import GAME
from games.chamber.bots import hard as chamber_hard
from games.chamber.bots.expectimax import KINDS, Choice, Position, Side, best
from games.chamber.bots.hard import hard
from games.chamber.bots.normal import normal
from games.chamber.rules.state import (
    Aim,
    Item,
    ShootPlayer,
    State,
    UseChamberCheckItem,
    UseDoubleDamageItem,
)
from games.chamber.tests.tables import A, B, table
from games.contract.core import Move
from games.contract.data import Seat
from games.contract.luck import BotLuck


def side(lives: int, *items: Item) -> Side:
    return Side(lives, tuple(items.count(kind) for kind in KINDS))


def decides(state: State, seat: Seat = A) -> Move:
    view, offers = GAME.rules.view(state, seat), GAME.rules.offers(state, seat)
    return hard(seat, view, offers, (), (), BotLuck(b"hard", 1))


def odds(at: Position) -> dict[Choice, float]:
    return dict(best(at, 100_000))


def test_certainly_live_shell_wins_when_fired_at_the_last_rival() -> None:
    found = odds(Position(1, 0, side(1), side(1)))
    assert found == {Choice("other"): 1.0, Choice("me"): 0.0}


def test_hard_bot_doubles_a_lethal_shot_and_checks_before_risking_one() -> None:
    deadly = table("LL", n=2, lives={A: 1, B: 2}, items={A: ["double_damage"]})
    assert decides(deadly) == UseDoubleDamageItem()
    assert decides(table("Lb", n=2, lives={A: 1, B: 1}, items={A: ["chamber_check"]})) == (
        UseChamberCheckItem()
    )
    assert decides(table("bL", n=2, aim=Aim(peeked=True))) == ShootPlayer(A)


def test_hard_bot_plays_like_normal_without_a_search_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = table("LLb", n=2, items={A: ["skip"]})
    monkeypatch.setattr(chamber_hard, "BUDGET", 0)
    luck = BotLuck(b"hard", 1)
    assert decides(state) == normal(
        A, GAME.rules.view(state, A), GAME.rules.offers(state, A), (), (), luck
    )
