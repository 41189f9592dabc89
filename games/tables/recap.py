"""Recap of a finished match: roles, decisive moments and a chart."""

from __future__ import annotations

import logging
from dataclasses import replace
from itertools import pairwise
from typing import Any

from games.contract.data import Seat, Viewer, unpack
from games.contract.reasons import Reason
from games.contract.recap import Line, Recap
from games.contract.words import Text
from games.engine.bounded_cache import BoundedCache
from games.engine.snapshots import MatchSnapshot, told_in
from games.models import Act
from games.tables.sentences import say

Json = dict[str, Any]
log = logging.getLogger(__name__)

WIDTH, HEIGHT, EDGE = 320, 120, 6
MOST_BYTES = 4 << 20
"""Maximum bytes of cached recaps. Recaps never change."""

_recaps: BoundedCache[int, tuple[Recap | None]] = BoundedCache(
    MOST_BYTES, lambda kept: 4 * len(repr(kept))
)


def recap_of(match: MatchSnapshot) -> Recap | None:
    """Return the recap of a match, or None if it is not over or was not played to its end."""
    if (
        not match.over
        or match.game.telling.recap is None
        or match.game.rules.outcome(match.state) is None
    ):
        return None
    kept = _recaps.get(match.row.pk)
    if kept is None:
        kept = (_recap(match),)
        _recaps.put(match.row.pk, kept)
    return kept[0]


def _recap(match: MatchSnapshot) -> Recap | None:
    acts = Act.objects.filter(match=match.row).order_by("number").values_list("told", flat=True)
    told = [each for act in acts for each in told_in(match.game, act)]
    assert match.game.telling.recap is not None
    try:
        found: Recap = match.game.telling.recap(match.state, told)
        return replace(found, reasons=_reasons(match))
    except Exception:  # an older version of the rules may have written it
        log.exception("the recap of match %s failed", match.row.pk)
        return None


def _reasons(match: MatchSnapshot) -> tuple[Text, ...]:
    """Return the reason each bot stored for its play. Empty while the match is running."""
    words = match.game.telling.words(match.options)
    kept = [(Seat(p.seat), p.reason) for p in match.players if p.bot and p.reason]
    told = [words.reason(seat, unpack(reason, Reason)) for seat, reason in kept]
    return tuple(text for text in told if text is not None)


def recap_data(
    recap: Recap, names: tuple[str, ...], spoken: tuple[str, ...], reader: Viewer = None
) -> Json:
    """Return the recap for a page, in the active language.

    `spoken` are the names used in sentences. Sentences address the seat `reader` as "you".
    """
    mine = recap.mine.get(reader) if reader is not None else None
    top = max((value for line in recap.lines for value in line.values), default=0)
    return {
        "measure": say(recap.measure),
        "top": top,
        "lines": [_line(line, top, spoken) for line in recap.lines],
        "people": [
            {
                "name": name,
                "was": say(recap.was[seat], spoken) if seat in recap.was else "",
                "did": [say(t, spoken) for t in recap.did.get(seat, ()) if t.count or not t.plural],
            }
            for seat, name in ((Seat(at), name) for at, name in enumerate(names))
        ],
        "mine": say(mine, spoken) if mine else "",
        "moments": [say(text, spoken, reader=reader) for text in recap.moments],
        "reasons": [say(text, spoken, reader=reader) for text in recap.reasons],
    }


def _line(line: Line, top: int, names: tuple[str, ...]) -> Json:
    label = names[line.of] if isinstance(line.of, Seat) else say(line.of, names)
    return {"label": label, "values": list(line.values), "points": points(line.values, top)}


def points(values: tuple[int, ...], top: int) -> str:
    """Return the points of an SVG polyline that shows these values as a step chart."""
    across = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    up = (HEIGHT - 2 * EDGE) / max(1, top)
    stairs = [(0, value) for value in values[:1]]
    for at, (before, value) in enumerate(pairwise(values), start=1):
        if value != before:
            stairs += [(at, before), (at, value)]
    stairs += [(len(values) - 1, value) for value in values[-1:]]
    corners = ((EDGE + at * across, HEIGHT - EDGE - value * up) for at, value in stairs)
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
