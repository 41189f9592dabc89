"""The games as PettingZoo environments (docs/research.md)."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from config.places import CODE
from examples.pettingzoo_match import play
from games.contract.choices import every_move
from games.contract.core import Move
from games.contract.luck import Luck
from games.registry import GAMES
from parlour.numbers import NumberedMoves
from parlour.pettingzoo import RawEnv, env
from tests.kit.cases import secrets
from tests.kit.shipped import SHIPPED

games = pytest.mark.parametrize("slug", SHIPPED)


def random_match(of: RawEnv, seed: int, dice: Random | None = None) -> Iterator[dict[str, Any]]:
    """Play random legal actions. Yield each observation before the action."""
    dice = dice or Random(seed)
    of.reset(seed=seed)
    for _ in of.agent_iter():
        observation, _, is_over, _, _ = of.last()
        assert observation is not None
        yield observation
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        of.step(None if is_over else dice.choice(legal))


@games
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # it is a dict with the mask
def test_environment_passes_the_tests_of_pettingzoo(slug: str) -> None:
    api_test(env(slug), num_cycles=300)
    seed_test(lambda: env(slug), num_cycles=100)


@games
@pytest.mark.slow
def test_benchmark_of_pettingzoo_runs(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(env(slug))
    assert "turns per second" in capsys.readouterr().out


@games
@pytest.mark.parametrize("fewest", [True, False])
def test_every_observation_is_in_its_space(slug: str, fewest: bool) -> None:
    of = RawEnv(slug, seats=GAMES[slug].seats[0 if fewest else 1])
    assert len(set(of.names)) == len(of.names)
    for at, observation in enumerate(random_match(of, 5)):
        assert of.terminations[of.agent_selection] or observation["action_mask"].any()
        if at % 10 == 0:
            assert of.observation_space(of.agent_selection).contains(observation)
    assert not of.agents


@games
def test_observation_does_not_depend_on_secrets_of_others(slug: str) -> None:
    """Law 8, for every number that a seat is given."""
    scramble, compared = secrets(GAMES[slug]).scramble, 0
    for seats in dict.fromkeys((GAMES[slug].seats[0], min(GAMES[slug].seats[1], 6))):
        of = RawEnv(slug, seats=seats)
        for at, _ in enumerate(random_match(of, 3)):
            if of.terminations[of.agent_selection]:
                break
            state, asked = of._state, of._seat
            for agent in of.agents:
                before, seen = of.observe(agent), of.view(agent)
                of._state = scramble(state, of._seat_of(agent), Luck(b"scramble", at))
                compared += of._state != state
                if agent == of.agent_selection:
                    of._ask(asked)  # finds the legal actions again
                after = of.observe(agent)
                assert seen == of.view(agent)
                of._state = state
                assert (before["observation"] == after["observation"]).all(), agent
                assert (before["action_mask"] == after["action_mask"]).all(), agent
            of._ask(asked)
            if at > 100:
                break
    assert compared > 20


@games
def test_all_offered_moves_have_different_numbers(slug: str) -> None:
    """In Cards, discarding several cards at once has no number."""
    of = RawEnv(slug)
    for _ in random_match(of, 1):
        if of.terminations[of.agent_selection]:
            break
        view = of.game.rules.view(of._state, of._seat)
        offers = [one for one in of._offers if one.move != "DiscardCards"]
        moves = [move for one in offers for move in every_move(of.game.rules.moves, one)]
        numbers = {of._moves.number(move, view, of._seat) for move in moves}
        assert None not in numbers
        assert numbers <= set(of._legal)
        assert len(numbers) == len(moves)


def test_seats_are_counted_from_the_seat_that_looks() -> None:
    of = RawEnv("coup", seats=3)
    of.reset(seed=1)
    steal = next(n for n, (name, args) in enumerate(of.actions) if (name, args) == ("Steal", (1,)))
    assert of._legal[steal].target == (of._seat + 1) % 3  # type: ignore[attr-defined]
    own = of.observe(of.agent_selection)["observation"]
    (mine,) = [at for at, name in enumerate(of.names) if name == ".on_turn=0"]
    assert own[mine] == 1


@games
def test_same_seed_gives_the_same_match(slug: str) -> None:
    one, two = (list(random_match(RawEnv(slug), 9)) for _ in range(2))
    assert len(one) == len(two)
    assert all((a["observation"] == b["observation"]).all() for a, b in zip(one, two, strict=True))


def test_reset_without_a_seed_continues_with_the_next_deal() -> None:
    one, two = RawEnv("coup"), RawEnv("coup")
    one.reset(seed=7)
    one.reset()
    two.reset(seed=8)
    assert one.view("player_0") == two.view("player_0")


@games
def test_bots_of_the_server_play_to_the_end(slug: str) -> None:
    of = RawEnv(slug, options={"pointsToWin": 2} if slug == "cards" else None)
    of.reset(seed=2)
    while not of.terminations[of.agent_selection]:
        of.step(of.bot_action())
    assert set(of.rewards.values()) == {1.0, -1.0}


def test_example_plays_random_moves_against_the_bot_normal() -> None:
    of = RawEnv("mia")
    for at, agent in enumerate(of.possible_agents):
        of.action_space(agent).seed(at)
    won = sum(play(of, seed) > 0 for seed in range(60))
    assert 0 < won < 30, "random moves seldom beat `normal`"


def test_illegal_action_ends_the_match_or_raises_an_error() -> None:
    raw = RawEnv("mia")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match=r"player_\d cannot take the action 20 now\. Legal: 0\."):
        raw.step(20)
    wrapped = env("mia")
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.last()
    wrapped.step(20)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": "chess"}, "There is no game 'chess'. There are: chamber"),
        ({"game": "mia", "seats": 1}, "Mia takes 2 to 8 players."),
        ({"game": "mia", "options": {"lives": 99}}, r"`int` <= 9"),
        ({"game": "cards", "options": {"packs": ["gone"]}}, "These options are refused as"),
    ],
)
def test_wrong_arguments_are_explained(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        RawEnv(**given)


@games
def test_match_is_rendered_as_sentences(slug: str) -> None:
    of = RawEnv(slug, render_mode="ansi")
    shown = []
    for _ in random_match(of, 4):
        shown.append(of.render() or "")
    assert all(shown)
    assert "player_" in shown[0]
    assert not any(re.search(r"%\(|\*\*|None|Seat\(", text) for text in shown)
    assert RawEnv(slug).render() is None


def test_move_without_declared_values_is_named() -> None:
    class Odd(Move, frozen=True):
        what: str

    with pytest.raises(TypeError, match=r"Declare all values of Odd\.what with `Values`"):
        NumberedMoves(Odd, 2)


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=CODE, check=False
    )


def test_missing_extra_is_explained() -> None:
    done = run("import sys; sys.modules['pettingzoo'] = None; import parlour.pettingzoo")
    assert done.stderr.strip().splitlines()[-1] == (
        "ImportError: PettingZoo is not installed. Install the extra `parlour[rl]`, or run"
        " `make setup` in a checkout (docs/research.md)."
    )


def test_playing_needs_no_django() -> None:
    done = run(
        "import sys; from parlour.pettingzoo import env; env('mia').reset(seed=1);"
        "print('django' in sys.modules)"
    )
    assert done.stdout == "False\n", done.stderr


def test_documented_sizes_are_right() -> None:
    text = (CODE / "docs" / "research.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|", text, re.M)
    found = []
    for slug in SHIPPED:
        of = RawEnv(slug)
        found.append((slug, str(of.game.seats[0]), str(len(of.names)), str(len(of.actions))))
    assert rows == found


def test_numbers_of_moves_grow_with_the_table() -> None:
    sizes = [len(NumberedMoves(GAMES["coup"].rules.moves, seats).keys) for seats in (2, 6)]
    assert sizes[0] < sizes[1]
