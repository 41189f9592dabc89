"""What the coach says to somebody who learns a game by playing; nothing at other tables."""

from __future__ import annotations

from games.engine.lessons import tip_of
from games.language.sentences import say
from games.regions.region import Region, kept
from games.regions.viewpoint import Viewpoint
from games.rules.lesson import LEARNER
from games.tables.table import Table


def region(table: Table, eyes: Viewpoint) -> Region:
    """The sentence for this moment, and the part of the table it is about."""
    match = table.match
    tip = tip_of(match) if match is not None and eyes.seat == LEARNER else None
    key = ("coach", eyes.language)

    def made() -> Region:
        if tip is None:
            return Region("coach", "coach", {"text": "", "at": "", "last": False})
        text = say(tip.text, table.spoken_names, eyes.language, eyes.seat)
        return Region("coach", "coach", {"text": text, "at": tip.at, "last": tip.last})

    return kept(table, key, (tip,), made)
