"""Help for players who learn a game: the coach's tips in a lesson, and hints in first matches."""

from __future__ import annotations

from games.contract.lesson import LEARNER, Moment, Tip
from games.engine.lessons import tip_of
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.tables.sentences import say
from games.tables.table import Table, per_loading
from games.tables.views import offers_of, view_of

NO_TIP = Region("coach", "coach", {"text": "", "at": "", "last": False})
NO_HINTS, SILENT = (Region("hint", "hint", {"text": "", "given": given}) for given in (False, True))
"""The regions without hints, and without a hint for this moment. Most pages show one of them."""


def tip(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region with the current tip of a lesson, and the part of the table that the tip is
    about.
    """
    match = table.match
    if match is None or viewpoint.seat != LEARNER or not match.row.lesson:
        return NO_TIP
    if (now := tip_of(match)) is None:
        return NO_TIP
    return table.reuse(("coach", viewpoint.language), (now,), lambda: _tip(table, now, viewpoint))


def _tip(table: Table, now: Tip, viewpoint: Viewpoint) -> Region:
    text = say(now.text, table.spoken_names, viewpoint.language, viewpoint.seat)
    return Region("coach", "coach", {"text": text, "at": now.at, "last": now.last})


def hint(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region with the hint for the current question.

    Space for hints is reserved while a match with hints is running, even for eliminated players.
    """
    match, seat = table.match, viewpoint.seat
    if match is None or match.over or match.row.lesson:  # in lessons, the coach replaces hints
        return NO_HINTS
    if seat is None or not match.players[seat].newcomer:
        return NO_HINTS
    if table.pause is not None or viewpoint.acting is None:
        return SILENT
    moment = Moment(seat, view_of(table, seat), offers_of(table, seat))
    if (text := table.words.explain(moment)) is None:
        return SILENT
    said = say(text, table.spoken_names, viewpoint.language, seat)
    return _hint(table, said, viewpoint.language)


@per_loading
def _hint(table: Table, said: str, language: str) -> Region:
    """Return the region of a hint, which all seats that read the same sentence share."""
    return Region("hint", "hint", {"text": said, "given": True})
