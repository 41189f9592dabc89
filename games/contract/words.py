"""Sentences to be translated later: message ids and the facts to insert."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from msgspec import UNSET, Struct, UnsetType

from games.contract.data import Seat

BEGINS = re.compile(r"(?:^|[“„«‚‘]|(?:^|\s)\"|(?:[!?]|[^\W\d_]{4}\.)\s)$")
"""Matches the end of a text if a sentence or quotation begins after it.

A short word with a full stop does not match, because it may be an abbreviation.
"""
AT_MOST = 6
"""Maximum characters that `BEGINS` needs: four letters, a full stop, a space."""


def begins(before: str) -> bool:
    """Whether a sentence or a quotation begins after this text."""
    return bool(BEGINS.search(before[-AT_MOST:]))


def after(before: str, text: str) -> str:
    """Return `text`, capitalized if a sentence begins after `before`."""
    return text[:1].upper() + text[1:] if begins(before) else text


class Text(Struct, frozen=True):
    """A sentence to be translated later: a message id with `%(name)s` placeholders, and the facts
    to insert.

    Key words are put between `**` and `**`: one or two words, or a short sentence. Pages emphasize
    them if there is room. Elsewhere the stars are removed. With `plural`, `count` chooses between
    `id` and `plural` as in gettext. `to_you` holds different sentences for readers in these seats:
    "You lose a card." rather than "Ann loses a card."
    """

    id: str
    facts: Mapping[str, Fact] = {}
    plural: str = ""
    count: int = 0
    to_you: Mapping[Seat, Text] = {}

    def of(self, **facts: Fact) -> Text:
        """Return this sentence with additional facts."""
        return Text(self.id, {**self.facts, **facts}, self.plural, self.count, self.to_you)

    def to(self, reader: Fact, text: Text) -> Text:
        """Return this sentence with `text` as its version for readers in these seats.

        `text` gets the same facts as the sentence.
        """
        seats = reader if isinstance(reader, tuple) else (reader,)
        said = text.of(**{**self.facts, **text.facts})
        own = {seat: said for seat in seats if isinstance(seat, Seat)}
        return Text(self.id, self.facts, self.plural, self.count, {**self.to_you, **own})


Fact = Seat | str | int | Text | tuple["Fact", ...]


def _(message: str, **facts: Fact) -> Text:
    """Return a Text. The name lets gettext's tools find the message."""
    return Text(message, facts)


def ngettext(singular: str, plural: str, count: int, **facts: Fact) -> Text:
    """Return a Text with two forms. `count` chooses the form, and is also a fact (`%(count)s`)."""
    return Text(singular, {"count": count, **facts}, plural, count)


def unasked(auto: str | UnsetType, who: Fact, what: Text) -> Text:
    """Return the log line of a move, with the reason if it was automatic (`core.Echo`)."""
    if auto is UNSET:
        return what
    if auto == "clock":
        late = _("%(who)s ran out of time. %(what)s", who=who, what=what)
        return late.to(who, _("You ran out of time. %(what)s"))
    away = _("%(who)s is away. %(what)s", who=who, what=what)
    return away.to(who, _("You were away. %(what)s"))


def won(winners: tuple[Seat, ...], why: Text) -> Text:
    """Return a sentence with the winners and the reason: "Ann wins: last player standing." """
    if not winners:
        return _("Nobody wins: %(why)s", why=why)
    text = ngettext(
        "%(who)s wins: %(why)s", "%(who)s win: %(why)s", len(winners), who=winners, why=why
    )
    alone = len(winners) == 1
    return text.to(winners, _("You win: %(why)s") if alone else _("You share the win: %(why)s"))


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """A paragraph of a game's rules text."""

    text: Text
    parts: tuple[str, ...] = ()
    """The phases in which the paragraph is highlighted at the table."""
    listed: bool = False
    """Whether the paragraph is an entry of a list.

    The text before its colon is the entry's name.
    """
    row: bool = False
    """Whether the paragraph is a row of a table. The text before its colon is the row's heading."""
    heading: Text | None = None
    """Heading of this paragraph and of the following ones with the same heading.

    `A_TURN` is drawn as steps with large pictures.
    """
    art: tuple[str, ...] = ()
    """Names of the paragraph's pictures (in the game's `art` template)."""


def under(heading: Text, *paragraphs: Paragraph) -> tuple[Paragraph, ...]:
    """Return these paragraphs under this heading."""
    return tuple(replace(one, heading=heading) for one in paragraphs)


A_TURN = _("A turn")
AN_EXAMPLE, WINNING, CAREFUL = _("An example"), _("Winning"), _("Careful")
"""Headings used in the rules of several games."""
GOOD_TO_KNOW = _("Good to know")
"""Heading of a list whose entries are closed until they are tapped."""
