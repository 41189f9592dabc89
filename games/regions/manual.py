"""The rules of a game as this table plays it, ready for a template."""

from __future__ import annotations

from django.utils.translation import get_language, gettext

from games.engine.absent import game_of
from games.engine.bounded_cache import BoundedCache
from games.language.sentences import say
from games.rules.core import Options
from games.tables.serializers import options
from games.tables.table import Json, Table

MOST_BYTES = 4 << 20
"""Maximum memory for manuals: tables of one game mostly play by the same options."""

_drawn: BoundedCache[tuple[str, Options, int | None, str], tuple[Json, ...]] = BoundedCache(
    MOST_BYTES, lambda blocks: 4 * len(repr(blocks))
)


def region(table: Table) -> Json:
    """The rules with the options in force, and with the size where one can be told."""
    return {
        "name": table.game.name,
        "blocks": blocks(table.game.slug, options(table), _seats(table)),
    }


def _seats(table: Table) -> int | None:
    """How many play, or would if the match began now."""
    if table.match is not None and table.playing:
        return len(table.match.players)
    least, most = table.game.seats
    count = sum(not member.spectator for member in table.members)
    return count if least <= count <= most else None


def blocks(slug: str, chosen: Options, seats: int | None) -> list[Json]:
    """Paragraphs and lists, each with the phases during which it is lit up."""
    key = (slug, chosen, seats, get_language() or "en")
    found = _drawn.get(key)
    if found is None:
        found = _blocks(*key)
        _drawn.put(key, found)
    return list(found)


def _blocks(slug: str, chosen: Options, seats: int | None, language: str) -> tuple[Json, ...]:
    found: list[Json] = []
    for one in game_of(slug).manual(chosen, seats):
        text, part = say(one.text, language=language), " ".join(one.parts)
        if not one.listed:
            found.append({"text": text, "part": part, "entries": []})
            continue
        if not found or not found[-1]["entries"]:
            found.append({"text": "", "part": "", "entries": []})
        name, colon, about = text.partition(": ")
        entry = {"name": name if colon else "", "text": about or text, "part": part}
        found[-1]["entries"].append(entry)
    missing = gettext("No rules page yet. Everything you can do shows up at the table.")
    return tuple(found or [{"text": missing, "part": "", "entries": []}])
