"""Plays every game legally and knows none of them: it picks any move that is offered.

python -m examples.random_bot --room K7QX2
python -m examples.random_bot --host coup --bots 3
"""

from parlour_client import Decision, Move, command


def bot(decision: Decision) -> Move | None:
    return decision.random()


if __name__ == "__main__":
    command(bot, "Plays random legal moves in any game.", name="Randy")
