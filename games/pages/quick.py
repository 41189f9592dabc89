"""Reactions, and ready-made phrases that all members read in their own language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.contract.words import Text, _
from games.models import Member
from games.pages.region import Region
from games.rooms.reacting import Shown
from games.tables.sentences import say
from games.tables.table import Json, Table
from games.wire.parts import Reaction

REACTIONS: Mapping[Reaction, Text] = {
    "laugh": _("Laughing"),
    "gasp": _("Surprised"),
    "doubt": _("Doubtful"),
    "cool": _("Cool"),
    "cry": _("In tears"),
    "angry": _("Angry"),
    "clap": _("Applause"),
    "heart": _("Love it"),
}
PHRASES: tuple[Text, ...] = (
    _("Ha!"),
    _("Liar!"),
    _("Well played"),
    _("Hmm …"),
    _("Trust me"),
    _("Nice try"),
    _("Your turn!"),
    _("One moment"),
)
_BY_TEXT = {phrase.id: phrase for phrase in PHRASES}


def as_read(message: str, language: str | None = None) -> str:
    """Return a message as its reader sees it: phrases are translated."""
    phrase = _BY_TEXT.get(message)
    return message if phrase is None else say(phrase, language=language)


def region(table: Table) -> Json:
    """Return all reactions and phrases, or none if the chat is off."""
    if table.room.options.get("chat") == "off":
        return {"open": False}
    return {"open": True, **taps()}


def taps() -> Json:
    """Return all reactions and phrases."""
    return {
        "reactions": [{"value": name, "text": say(text)} for name, text in REACTIONS.items()],
        "phrases": [{"value": phrase.id, "text": say(phrase)} for phrase in PHRASES],
    }


def reacted_region(reactions: Iterable[tuple[Member, Shown]]) -> Region:
    """Return the region that shows new reactions. The viewer must be allowed to see all of them."""
    shown = [
        {"name": member.name, "value": one.reaction, "text": say(REACTIONS[one.reaction])}
        for member, one in reactions
    ]
    return Region("reacted", "reacted", {"reactions": shown})
