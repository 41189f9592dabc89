"""A hint for somebody who is new to a game; nothing for all others."""

from __future__ import annotations

from games.engine.newcomers import hint_of
from games.language.sentences import say
from games.regions.region import Region, kept
from games.regions.viewpoint import Viewpoint
from games.rules.words import Text
from games.tables.serializers import view_of
from games.tables.table import Table

NOTHING = Region("hint", "hint", {"text": ""})
"""Drawn once, as it stands on most pages at most moments."""


def region(table: Table, eyes: Viewpoint) -> Region:
    """The sentence for this moment."""
    match, seat = table.match, eyes.acting
    if match is None or match.over or seat is None or table.pause is not None:
        return NOTHING
    text = hint_of(match, seat, view_of(table, match, seat))
    return kept(table, ("hint", seat, eyes.language), (text,), lambda: _made(table, eyes, text))


def _made(table: Table, eyes: Viewpoint, text: Text | None) -> Region:
    if text is None:
        return NOTHING
    said = say(text, table.spoken_names, eyes.language, eyes.acting)
    return Region("hint", "hint", {"text": said})
