"""Hints for players who are new to a game."""

from __future__ import annotations

from games.contract.lesson import Moment
from games.contract.words import Text
from games.pages.region import Region, kept
from games.pages.viewpoint import Viewpoint
from games.tables.sentences import say
from games.tables.table import Table
from games.tables.views import offers_of, view_of

NOTHING, SILENT = (Region("hint", "hint", {"text": "", "given": given}) for given in (False, True))
"""The regions without hints, and without a hint for this moment. Most pages show one of them."""


def region(table: Table, eyes: Viewpoint) -> Region:
    """Return the region with the hint for the current question.

    Space for hints is reserved while a match with hints is running, even for eliminated players.
    """
    match, seat = table.match, eyes.seat
    if match is None or match.over or match.row.lesson:  # in lessons, the coach replaces hints
        return NOTHING
    if seat is None or not match.players[seat].newcomer:
        return NOTHING
    if table.pause is not None or eyes.acting is None:
        return SILENT
    moment = Moment(seat, view_of(table, match, seat), offers_of(table, match, seat))
    text = table.words.explain(moment)
    return kept(table, ("hint", seat, eyes.language), (text,), lambda: _made(table, eyes, text))


def _made(table: Table, eyes: Viewpoint, text: Text | None) -> Region:
    if text is None:
        return SILENT
    said = say(text, table.spoken_names, eyes.language, eyes.acting)
    return kept(
        table,
        ("hint", text.id, eyes.language),
        (said,),
        lambda: Region("hint", "hint", {"text": said, "given": True}),
    )
