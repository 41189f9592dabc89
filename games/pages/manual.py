"""The rules of a game under the options of a table: template data."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games.contract.core import Options
from games.contract.data import pack
from games.contract.words import A_TURN, GOOD_TO_KNOW, Paragraph
from games.engine.absent import game_of
from games.engine.bounded_cache import BoundedCache
from games.engine.lessons import lesson_of
from games.pages.forms import differences
from games.pages.templating import game_template
from games.tables.sentences import say
from games.tables.serializers import options
from games.tables.table import Json, Table

MOST_BYTES = 4 << 20
"""Maximum bytes of cached manuals. Most tables of a game share one."""

_drawn: BoundedCache[tuple[str, Options, int | None, str], tuple[Json, ...]] = BoundedCache(
    MOST_BYTES, lambda sections: 4 * len(repr(sections))
)


def region(table: Table) -> Json:
    """Return the rules for the current options, and for the number of players if it is known."""
    chosen = options(table)
    return {
        "name": table.game.name,
        "sections": sections(table.game.slug, chosen, _seats(table)),
        "differs": differences(table.game, pack(chosen), table.policy.hidden_options),
        "lesson": table.match is None and lesson_of(table.game) is not None,
        "anchors": False,
    }


class RulesPage(NamedTuple):
    """HTML of the rules page of a new table, in two parts."""

    first: SafeString
    """The section about a turn, with the drawings that both parts use."""
    rest: SafeString
    headings: list[str]
    """Headings of the other sections. The id of the first is `rule-1`."""


def page(slug: str) -> RulesPage:
    """Return the HTML of the rules page of a new table, with drawings."""
    language = get_language() or "en"
    game = game_of(slug)
    given: dict[str, Any] = {"game": slug, "options": None, "match": None}
    legend = game_template(slug, "legend", language).render(given, id="legend")
    found = sections(slug, game.rules.options(), None)
    turn = 1 if found[0]["steps"] else 0

    def drawn(id: str, part: list[Json], anchors: bool) -> SafeString:
        html = game_template(slug, "manual", language).render(
            given, id=id, name="", sections=part, differs=[], lesson=False, anchors=anchors
        )
        return mark_safe(html)  # the template escapes its input

    return RulesPage(
        mark_safe(legend) + drawn("manual-turn", found[:turn], anchors=False),
        drawn("manual", found[turn:], anchors=True),
        [one["heading"] for one in found[turn:]],
    )


def _seats(table: Table) -> int | None:
    """Return the number of players in the running match, or in one that would start now.

    Return None if it is not valid.
    """
    if table.match is not None and table.playing:
        return len(table.match.players)
    least, most = table.game.seats
    count = sum(not member.spectator for member in table.members)
    return count if least <= count <= most else None


def sections(slug: str, chosen: Options, seats: int | None) -> list[Json]:
    """Return the sections of the rules: headings with their entries. Each entry lists the phases in
    which it is highlighted.
    """
    key = (slug, chosen, seats, get_language() or "en")
    found = _drawn.get(key)
    if found is None:
        found = _sections(*key)
        _drawn.put(key, found)
    return list(found)


def _sections(slug: str, chosen: Options, seats: int | None, language: str) -> tuple[Json, ...]:
    found: list[Json] = []
    for one in game_of(slug).telling.manual(chosen, seats):
        heading = say(one.heading, language=language) if one.heading else ""
        if not found or found[-1]["heading"] != heading:
            known = one.heading.id if one.heading else ""
            shape = {"steps": known == A_TURN.id, "closed": known == GOOD_TO_KNOW.id}
            found.append({"heading": heading, **shape, "blocks": []})
        blocks, kind = found[-1]["blocks"], _kind(one)
        if not blocks or blocks[-1]["kind"] != kind:
            blocks.append({"kind": kind, "entries": []})
        blocks[-1]["entries"].append(_entry(one, language))
    missing = gettext("No rules page yet. Everything you can do shows up at the table.")
    entry = {"name": "", "text": missing, "part": "", "art": ()}
    nothing = {
        "heading": "",
        "steps": False,
        "closed": False,
        "blocks": [{"kind": "text", "entries": [entry]}],
    }
    return tuple(found or [nothing])


def _kind(one: Paragraph) -> str:
    return "rows" if one.row else "list" if one.listed else "text"


def _entry(one: Paragraph, language: str) -> Json:
    text = say(one.text, language=language)
    name, colon, about = text.partition(": ") if one.listed or one.row else ("", "", "")
    return {
        "name": name if colon else "",
        "text": about or text,
        "part": " ".join(one.parts),
        "art": one.art,
    }
