"""The coach's tips for a user who learns a game by playing it."""

from __future__ import annotations

from games.contract.lesson import LEARNER, Tip
from games.engine.lessons import tip_of
from games.pages.region import Region, kept
from games.pages.viewpoint import Viewpoint
from games.tables.sentences import say
from games.tables.table import Table


def region(table: Table, eyes: Viewpoint) -> Region:
    """Return the region with the current tip and the part of the table that the tip is about.

    If this is no lesson, the region is empty.
    """
    match = table.match
    if match is None or eyes.seat != LEARNER or not match.row.lesson:
        return kept(table, "no coach", (), lambda: _region(table, eyes, None))
    tip = tip_of(match)
    return kept(table, ("coach", eyes.language), (tip,), lambda: _region(table, eyes, tip))


def _region(table: Table, eyes: Viewpoint, tip: Tip | None) -> Region:
    if tip is None:
        return Region("coach", "coach", {"text": "", "at": "", "last": False})
    text = say(tip.text, table.spoken_names, eyes.language, eyes.seat)
    return Region("coach", "coach", {"text": text, "at": tip.at, "last": tip.last})
