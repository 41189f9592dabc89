"""The games as PettingZoo environments, in process, without a server or a database.

    from parlour.pettingzoo import env

    mia = env("mia", seats=2)

docs/research.md describes the observations, the actions and the rewards.
"""

from __future__ import annotations

import os
import secrets
from array import array
from collections.abc import Mapping
from typing import Any, cast

from games.contract.core import Event, Move, Offer, Refused, Told, all_seats
from games.contract.data import Seat, pack, unpack
from games.contract.luck import Luck, bot_luck
from games.registry import GAMES
from parlour.numbers import NumberedMoves, view_part

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import (
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )
except ImportError:
    raise ImportError(
        "PettingZoo is not installed. Install the extra `parlour[rl]`, or run `make setup` in a"
        " checkout (docs/research.md)."
    ) from None

Observation = dict[str, Any]
RANDOM_BITS = 48


def env(game: str, **how: Any) -> AECEnv[str, Observation, int]:
    """Return a game as an environment that ends with a reward of -1 after an illegal action.

    The arguments are those of `RawEnv`.
    """
    found: Any = TerminateIllegalWrapper(RawEnv(game, **how), illegal_reward=-1)
    return cast(Any, OrderEnforcingWrapper(AssertOutOfBoundsWrapper(found)))


class RawEnv(AECEnv[str, Observation, int]):
    """A game as an environment. `step` raises ValueError for an illegal action.

    `game`: its short name, such as `mia`.
    `seats`: number of players. The default is the minimum of the game.
    `options`: options of the game by their wire names, as in `/api/` of a server.
    """

    metadata = {"name": "parlour_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if game not in GAMES:
            raise ValueError(f"There is no game {game!r}. There are: {', '.join(GAMES)}.")
        self.game = GAMES[game]
        least, most = self.game.seats
        count = least if seats is None else seats
        if not least <= count <= most:
            raise ValueError(f"{self.game.name} takes {least} to {most} players.")
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"parlour_{game}_v0"}
        self._options = self._read_options(options or {}, count)
        self._seats = all_seats(count)
        self.possible_agents = [f"player_{seat}" for seat in self._seats]
        self._vector = view_part(self.game.rules.view_type, count)
        self._moves = NumberedMoves(self.game.rules.moves, count)
        actions = len(self._moves.keys)
        highs = np.array(self._vector.highs, np.int32)
        vector = Box(np.zeros_like(highs), highs, dtype=np.int32)
        mask = Box(0, 1, (actions,), np.int8)
        self._observation_spaces = {
            agent: Dict({"observation": vector, "action_mask": mask})
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}
        self._deal = secrets.randbits(RANDOM_BITS)

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of a vector (`observation`) and of the legal actions (`action_mask`)."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of all moves. Its size does not change during a match."""
        return self._action_spaces[agent]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number of an observation, such as `.players[0].coins`."""
        return self._vector.names

    @property
    def actions(self) -> tuple[tuple[str, tuple[Any, ...]], ...]:
        """The move behind each action: its name and its arguments, with the own seat as 0."""
        return self._moves.keys

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match. Without a seed, play the deal after the last one.

        Raise ValueError for a negative seed.
        """
        if seed is not None and seed < 0:
            raise ValueError("The seed must be 0 or more.")
        self._deal = self._deal + 1 if seed is None else seed
        self._key, self._act = self._deal.to_bytes(32, "big"), 1
        self._order = Luck(b"poll" + self._key, 1)
        self._heard: list[list[Event]] = [[] for _ in self._seats]
        self._unrendered: list[Event] = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        change = self.game.rules.setup(len(self._seats), self._options, Luck(self._key, 1))
        self._go_on(change.state, change.told)

    def step(self, action: int | None) -> None:
        """Make the move of the selected agent, and select the next one."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        move = None if action is None else self._legal.get(int(action))
        if move is None:
            legal = ", ".join(map(str, sorted(self._legal)))
            raise ValueError(f"{agent} cannot take the action {action} now. Legal: {legal}.")
        self._cumulative_rewards[agent] = 0.0
        luck = self._next_luck()
        change = self.game.rules.apply(self._state, self._seat, move, luck)
        self._go_on(change.state, change.told)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """Return what a seat sees, and the legal actions if it is selected."""
        seat = self._seat_of(agent)
        out = array("i", bytes(4 * self._vector.size))
        self._vector.write(out, 0, self.game.rules.view(self._state, seat), seat)
        mask = np.zeros(len(self._moves.keys), np.int8)
        if agent == self.agent_selection:
            mask[list(self._legal)] = 1
        return {"observation": np.frombuffer(out, np.int32), "action_mask": mask}

    def view(self, agent: str) -> Any:
        """Return what a seat sees as plain data with texts (docs/rules/). Seats are numbers."""
        return pack(self.game.rules.view(self._state, self._seat_of(agent)))

    def heard(self, agent: str) -> list[Any]:
        """Return all events of the match that a seat was told, as plain data."""
        return [pack(event) for event in self._heard[self._seat_of(agent)]]

    def bot_action(self, level: str = "normal") -> int:
        """Return the action that a built-in bot of this level would take for the selected agent.

        If that move has no number, return a random legal action.
        """
        bot = self.game.bots.levels.get(level)
        if bot is None:
            levels = ", ".join(self.game.bots.levels)
            raise ValueError(f"There is no bot {level!r}. There are: {levels}.")
        luck = bot_luck(self._key, self._seat, self._act)
        seat, view = self._seat, self.game.rules.view(self._state, self._seat)
        move = bot(seat, view, self._offers, self._heard[seat], (), luck)
        number = self._moves.number(move, view, seat)
        return luck.pick("instead", sorted(self._legal)) if number is None else number

    def render(self) -> str | None:
        """Return what everybody was told since the last call, and the question, as sentences."""
        if self.render_mode is None:
            return None
        say = _sayer()
        words = self.game.telling.words(self._options)
        told = (words.event(event) for event in self._unrendered)
        lines = [say(text, self.possible_agents, "en") for text in told if text is not None]
        self._unrendered.clear()
        outcome = self.game.rules.outcome(self._state)
        view = self.game.rules.view(self._state, None)
        if outcome is None:
            text = words.prompt(view, None)
        else:
            text = words.ending(view, outcome.winners, outcome.reason)
        return "\n".join((*lines, say(text, self.possible_agents, "en")))

    def _go_on(self, state: Any, told: tuple[Told, ...]) -> None:
        """Take over a new state, and let time pass until a seat is asked or the match is over."""
        rules = self.game.rules
        while True:
            self._state = state
            self._hear(told)
            outcome = rules.outcome(state)
            if outcome is not None:
                self._end(outcome.winners)
                return
            asked = rules.awaited(state)
            if asked:
                self._ask(self._order.pick("who", asked))
                return
            change = rules.lapse(state, self._next_luck())
            state, told = change.state, change.told

    def _ask(self, seat: Seat) -> None:
        self._seat, self.agent_selection = seat, self.possible_agents[seat]
        self._offers: tuple[Offer, ...] = self.game.rules.offers(self._state, seat)
        view = self.game.rules.view(self._state, seat)
        self._legal: dict[int, Move] = self._moves.offered(self._offers, view, seat)

    def _end(self, winners: tuple[Seat, ...]) -> None:
        self._legal, self._offers = {}, ()
        for seat, agent in enumerate(self.possible_agents):
            self.terminations[agent] = True
            self.rewards[agent] = 1.0 if seat in winners else -1.0
        self.agent_selection = self.agents[0]

    def _hear(self, told: tuple[Told, ...]) -> None:
        for one in told:
            if one.to is None:
                self._unrendered.append(one.event)
            for seat in self._seats if one.to is None else one.to:
                self._heard[seat].append(one.event)

    def _next_luck(self) -> Luck:
        self._act += 1
        return Luck(self._key, self._act)

    def _seat_of(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(agent))

    def _read_options(self, given: Mapping[str, Any], seats: int) -> Any:
        rules = self.game.rules
        try:
            options = rules.stock(unpack(dict(given), rules.options), lambda name: None)
            rules.check(options, seats)
        except Refused as refused:
            facts = ", ".join(f"{name}: {fact}" for name, fact in refused.facts.items())
            raise ValueError(f"These options are refused as {refused.code} ({facts}).") from None
        return options


def _sayer() -> Any:
    """Return the function that writes sentences. It needs Django, but no database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.apps import apps

    if not apps.ready:
        django.setup()
    from games.tables.sentences import say

    return say
