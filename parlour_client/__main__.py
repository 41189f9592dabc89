"""`python -m parlour_client`: a bot that makes random moves in any game, to try things out."""

from parlour_client.command import command
from parlour_client.decision import Decision
from parlour_client.offers import Move


def bot(decision: Decision) -> Move | None:
    return decision.random()


if __name__ == "__main__":
    command(bot, "Plays random legal moves in any game.", name="Randy")
