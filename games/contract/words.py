"""Sentences before they are translated: message ids and facts. No language is chosen here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import UNSET, Struct, UnsetType

from games.contract.data import Seat

BEGINS = re.compile(r"(?:^|[“„«‚‘]|(?:^|\s)\"|(?:[!?]|[^\W\d_]{4}\.)\s)$")
"""The end of a text after which a sentence or a quotation begins; a short word with a full stop may
be an abbreviation."""
AT_MOST = 6
"""So many characters it looks at: four letters, a full stop, a space."""


def begins(before: str) -> bool:
    """Whether what follows this text begins a sentence or a quotation."""
    return bool(BEGINS.search(before[-AT_MOST:]))


def after(before: str, text: str) -> str:
    """This text as it is written after that one: with a capital where something begins."""
    return text[:1].upper() + text[1:] if begins(before) else text


class Text(Struct, frozen=True):
    """A sentence to be translated outside: a message id with `%(name)s` places, and its facts.

    What is to be read at a glance stands between `**` and `**`: one or two words, or a short
    sentence. Pages bring it out where they have room for that; nobody else is told the stars.
    With `plural`, `count` chooses between `id` and `plural` as gettext does. `to_you` holds what
    readers in these seats are told instead: "You lose a card." rather than "Ann loses a card."
    """

    id: str
    facts: Mapping[str, Fact] = {}
    plural: str = ""
    count: int = 0
    to_you: Mapping[Seat, Text] = {}

    def of(self, **facts: Fact) -> Text:
        """This sentence with more facts."""
        return Text(self.id, {**self.facts, **facts}, self.plural, self.count, self.to_you)

    def to(self, reader: Fact, text: Text) -> Text:
        """This sentence, as `text` to who sits there: a seat or several. It takes these facts."""
        seats = reader if isinstance(reader, tuple) else (reader,)
        said = text.of(**{**self.facts, **text.facts})
        own = {seat: said for seat in seats if isinstance(seat, Seat)}
        return Text(self.id, self.facts, self.plural, self.count, {**self.to_you, **own})


Fact = Seat | str | int | Text | tuple["Fact", ...]


def _(message: str, **facts: Fact) -> Text:
    """A Text; named so that gettext's tools find its message."""
    return Text(message, facts)


def ngettext(singular: str, plural: str, count: int, **facts: Fact) -> Text:
    """A Text with two forms, chosen by `count`; `%(count)s` is filled with it."""
    return Text(singular, {"count": count, **facts}, plural, count)


def unasked(auto: str | UnsetType, who: Fact, what: Text) -> Text:
    """What a move says in the log, with the reason where no hand made it (`core.Echo`)."""
    if auto is UNSET:
        return what
    if auto == "clock":
        late = _("%(who)s ran out of time. %(what)s", who=who, what=what)
        return late.to(who, _("You ran out of time. %(what)s"))
    away = _("%(who)s is away. %(what)s", who=who, what=what)
    return away.to(who, _("You were away. %(what)s"))


def won(winners: tuple[Seat, ...], why: Text) -> Text:
    """Who wins, and by what: "Ann wins: last player standing." """
    if not winners:
        return _("Nobody wins: %(why)s", why=why)
    text = ngettext(
        "%(who)s wins: %(why)s", "%(who)s win: %(why)s", len(winners), who=winners, why=why
    )
    alone = len(winners) == 1
    return text.to(winners, _("You win: %(why)s") if alone else _("You share the win: %(why)s"))


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """A piece of a game's rules as people read them."""

    text: Text
    parts: tuple[str, ...] = ()
    """The phases during which it is lit up at the table."""
    listed: bool = False
    """Whether it is an entry of a list; what is before its colon names it."""
    row: bool = False
    """Whether it is a row of a table instead; what is before its colon heads it."""
    heading: Text | None = None
    """What stands above it and above those after it with the same heading. A TURN is drawn as
    steps with large pictures."""
    art: tuple[str, ...] = ()
    """Names of its pictures (the game's `art` template)."""


def under(heading: Text, *paragraphs: Paragraph) -> tuple[Paragraph, ...]:
    """Paragraphs with this heading."""
    return tuple(replace(one, heading=heading) for one in paragraphs)


A_TURN = _("A turn")
AN_EXAMPLE, WINNING, CAREFUL = _("An example"), _("Winning"), _("Careful")
"""Headings that the rules of several games have."""
