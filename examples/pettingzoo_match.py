"""Let random moves play against the built-in bot `normal` in a PettingZoo environment.

python -m examples.pettingzoo_match mia --matches 200

This needs the extra `parlour[rl]`, but no server (docs/research.md).
"""

from __future__ import annotations

import argparse
from collections import Counter

from parlour.pettingzoo import RawEnv


def play(env: RawEnv, seed: int) -> float:
    """Play a match in which one seat moves at random. Return the reward of that seat."""
    env.reset(seed=seed)
    learner = env.agents[seed % len(env.agents)]  # a different seat each time
    reward = 0.0
    for agent in env.agent_iter():
        observation, total, is_over, _, _ = env.last()
        if is_over:
            reward = total if agent == learner else reward
            env.step(None)
        elif agent == learner and observation is not None:
            # Your policy goes here. It sees observation["observation"].
            env.step(env.action_space(agent).sample(observation["action_mask"]))
        else:
            env.step(env.bot_action("normal"))
    return reward


def main() -> None:
    """Play some matches and print how many were won."""
    parser = argparse.ArgumentParser(description="Random moves against the bot `normal`.")
    parser.add_argument("game", nargs="?", default="mia")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=200)
    given = parser.parse_args()
    env = RawEnv(given.game, seats=given.seats)
    for at, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(at)
    found = Counter(play(env, seed) > 0 for seed in range(given.matches))
    print(f"Random moves won {found[True]} of {given.matches} matches of {env.game.name}.")


if __name__ == "__main__":
    main()
