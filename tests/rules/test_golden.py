"""Golden transcripts: what each seat saw of one seeded match per game, line by line.

A difference is a change of the rules and has to be meant: `python -m tests.rules.test_golden`
writes the transcripts anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.rules import GAMES
from games.rules.choices import random_move
from games.rules.core import AnyGame, Change, all_seats
from games.rules.data import pack
from games.rules.luck import Luck

FOLDER = Path(__file__).parent / "golden"
SEATS, LONGEST = 3, 60


def transcript(game: AnyGame) -> str:
    """One line per act: the act, then what each seat was told, and the gallery."""
    key, dice = b"golden".ljust(32, b"."), Luck(b"golden dice", 1)
    n = max(SEATS, game.seats[0])
    change, lines, act = game.setup(n, game.options(), Luck(key, 1)), [], 1
    lines.append(_told("setup", change, n))
    while game.outcome(change.state) is None and act < LONGEST:
        asked = [(s, o) for s in all_seats(n) if (o := game.offers(change.state, s))]
        seat, offers = dice.pick("who", asked)
        move = random_move(game.moves, offers, dice)
        act += 1
        change = game.apply(change.state, seat, move, Luck(key, act))
        lines.append(_told(f"{seat} {json.dumps(pack(move))}", change, n))
    return "\n".join(lines) + "\n"


def _told(what: str, change: Change, n: int) -> str:
    lines = [f"== {what}"]
    for viewer in (None, *all_seats(n)):
        heard = [t.event for t in change.told if t.to is None or viewer in t.to]
        name = "gallery" if viewer is None else f"seat {viewer}"
        lines += [f"{name}: {json.dumps(pack(event))}" for event in heard]
    return "\n".join(lines)


@pytest.mark.parametrize("slug", GAMES)
def test_every_seat_sees_what_it_saw_before(slug: str) -> None:
    assert transcript(GAMES[slug]) == (FOLDER / f"{slug}.txt").read_text()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug, game in GAMES.items():
        (FOLDER / f"{slug}.txt").write_text(transcript(game))
