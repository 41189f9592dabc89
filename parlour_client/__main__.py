"""`python -m parlour_client [FILE]`: play with the function `bot` of a file, or at random."""

from __future__ import annotations

import sys
from pathlib import Path

from parlour_client.bot_file import bot_in
from parlour_client.command import command
from parlour_client.decision import Decision
from parlour_client.errors import Misused
from parlour_client.offers import Move


def at_random(decision: Decision) -> Move | None:
    return decision.random()


def main(arguments: list[str]) -> None:
    """Play with the file that the first argument names, if it names one."""
    if not arguments or arguments[0].startswith("-"):
        about = "Plays in any game: at random, or FILE with its function bot(decision)."
        command(at_random, about, name="Randy", argv=arguments, usage="[FILE] [options]")
    path, *others = arguments
    try:
        bot = bot_in(path)
    except Misused as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    name = Path(path).stem[:20]
    command(
        bot, f"Plays with the bot of {path}.", name=name, argv=others, usage=f"{path} [options]"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
