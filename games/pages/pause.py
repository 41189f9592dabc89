"""A paused match: template data."""

from __future__ import annotations

from math import ceil

from django.utils.translation import gettext

from accounts.isolation import isolated
from games.pages.viewpoint import Viewpoint
from games.tables.serializers import pause
from games.tables.table import Json, Table


def region(table: Table, eyes: Viewpoint) -> Json | None:
    """Return the remaining time and who can resume, or None if the match is not paused."""
    stopped = table.pause
    if stopped is None or eyes.spectator is None:
        return None
    return {
        "left": "" if stopped.left is None else _duration(ceil(stopped.left)),
        "may_resume": eyes.is_host,
        "host": table.host,
    }


def sentence(table: Table) -> str:
    """Return the sentence that says who has paused the match."""
    paused = pause(table)
    if paused is None or paused.by is None:
        return gettext("The match is paused.")
    return gettext("Paused by %(who)s.") % {"who": isolated(paused.by)}


def _duration(seconds: int) -> str:
    """Format seconds like the running clock of a page (room.js)."""
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60}:{seconds % 60:02}"
