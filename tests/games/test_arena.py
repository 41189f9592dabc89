"""The arena: bots against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.contract.choices import random_move
from games.contract.core import Event, Outcome, all_seats
from games.contract.data import Seat
from games.contract.luck import Luck
from games.management.arena import compare, play
from games.mia.rules.state import Fault, PlayerRolls, Rolled
from games.registry import GAMES
from tests.kit.altered import altered
from tests.kit.samples import Sample, short_and_long

DRAW = Outcome(all_seats(3), (all_seats(3),), None, "draw")

COMPARED = ("normal", "random")
"""Levels whose strength is checked. The others must only move legally."""
MARGINS = {"secret_hitler": -0.2, "cards": -0.2}
"""Margins for games in which one seat matters little: sides win, or random voters decide."""


@pytest.mark.slow
@short_and_long
@pytest.mark.parametrize("slug", GAMES)
def test_bots_move_legally_and_normal_beats_random(sample: Sample, slug: str) -> None:
    game = GAMES[slug]
    least, most = game.seats
    seats = min(max(3, least), most)
    found = {
        level: compare(
            slug, game.rules.options(), seats, level, "random", sample.of(matches), workers=1
        )
        for level in game.bots.levels
        for matches in [60 if level in COMPARED else 20]
    }
    assert all(tally.illegal == tally.fallbacks == 0 for tally in found.values())
    fair = 0.5 if game.rules.sides else 1 / seats
    assert found["normal"].rate > fair + MARGINS.get(slug, 0.1) - sample.slack
    assert abs(found["random"].rate - fair) < 0.2 + sample.slack


@short_and_long
@pytest.mark.parametrize(("n", "matches"), [(5, 60), (7, 60), (10, 20)])
def test_side_of_normal_bots_beats_random_bots(sample: Sample, n: int, matches: int) -> None:
    options = GAMES["secret_hitler"].rules.options()
    for side, at_least in (("liberal", 0.6), ("fascist", 0.75)):
        good = compare(
            "secret_hitler",
            options,
            n,
            "normal",
            "random",
            sample.of(matches),
            workers=1,
            side=side,
        )
        assert good.rate > at_least - sample.slack
        assert good.illegal == good.fallbacks == 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"offers": lambda state, seat: ()}, "is awaited without offers"),
        (
            {"offers": lambda state, seat: (), "awaited": lambda state: ()},
            "no seat has an offer",
        ),
    ],
)
def test_arena_says_why_a_match_cannot_continue(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], said: str
) -> None:
    monkeypatch.setitem(GAMES, "mia", altered(GAMES["mia"], **changes))
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with pytest.raises(CommandError, match=f"Mia cannot be played: seed 0, act 1: .*{said}"):
        call_command("arena", "mia", games=1)


def test_arena_command_prints_a_row_per_level(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("arena", "mia", games=20, seats=2, bots="normal")
    said = capsys.readouterr().out
    assert "normal" in said
    assert "fair share 0.500" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, "There is no game chess"),
        ({"game": "mia", "seats": 9}, "2 to 8 players"),
        ({"game": "mia", "bots": "clever"}, "There is no bot clever"),
        ({"game": "mia", "options": ["lives=99"]}, "must be one of"),
        ({"game": "mia", "options": ["lives"]}, "like NAME=VALUE"),
        ({"game": "mia", "games": 0}, "at least 1"),
        ({"game": "mia", "seed": -1}, "0 or more"),
        ({"game": "secret_hitler", "side": "red"}, "There are: fascist, liberal"),
    ],
)
def test_invalid_arguments_are_rejected_with_a_message(given: dict[str, object], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("arena", given.pop("game"), **given)


def test_shared_wins_count_as_fractions() -> None:
    game = altered(GAMES["mia"], outcome=lambda state: DRAW if state.round > 1 else None)
    outcome, tally = play(game, game.rules.options(), ["random"] * 3, 3, Seat(1))
    assert outcome is DRAW
    assert tally.won == 1 / 3


def test_failed_and_illegal_bot_moves_are_counted_and_replaced() -> None:
    def fails(*facts: Any) -> Any:
        raise ValueError

    game = GAMES["mia"]
    bots = {**game.bots.levels, "failing": fails, "cheating": lambda *facts: Fault()}
    for level, counted in (("failing", "fallbacks"), ("cheating", "illegal")):
        levels = [level, "random"]
        _, tally = play(altered(game, levels=bots), game.rules.options(), levels, 5, Seat(0))
        other = {"fallbacks": "illegal", "illegal": "fallbacks"}[counted]
        assert getattr(tally, counted) == len(tally.times) > 0
        assert getattr(tally, other) == 0


def test_bot_receives_only_the_events_of_its_seat() -> None:
    heard: list[Sequence[Event]] = []

    def listening(seat: Seat, view: Any, offers: Any, events: Any, said: Any, luck: Luck) -> Any:
        heard.append(tuple(events))
        return random_move(GAMES["mia"].rules.moves, offers, luck)

    game = altered(
        GAMES["mia"], levels={"listening": listening, "random": GAMES["mia"].bots.levels["random"]}
    )
    play(game, game.rules.options(), ["random", "listening"], 2, Seat(1))
    rolls = [event for event in heard[-1] if isinstance(event, PlayerRolls)]
    own = [event for event in heard[-1] if isinstance(event, Rolled)]
    assert len(own) == sum(event.username == Seat(1) for event in rolls) > 0
    assert len(own) < len(rolls)
