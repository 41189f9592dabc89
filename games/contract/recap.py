"""Recaps of finished matches. Sentences are not translated here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.contract.data import Seat
from games.contract.words import Text, _

MOST_MOMENTS = 3


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the chart: a count at each step of a match, for a seat or for the item that `of`
    names.
    """

    of: Seat | Text
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Recap:
    """A review of a finished match.

    * `measure` says what `lines` count. Every line has one value per step of the match.
    * `was`: who or what each seat was. `mine`: the same, addressed to that seat.
    * `did`: short summaries of what each seat did.
    * `moments`: what decided the match.
    * `reasons`: one explained decision of each bot, added by the platform.
    """

    measure: Text
    lines: tuple[Line, ...] = ()
    was: Mapping[Seat, Text] = field(default_factory=dict)
    mine: Mapping[Seat, Text] = field(default_factory=dict)
    did: Mapping[Seat, tuple[Text, ...]] = field(default_factory=dict)
    moments: tuple[Text, ...] = ()
    reasons: tuple[Text, ...] = ()


def line_per_seat(steps: Sequence[Sequence[int]]) -> tuple[Line, ...]:
    """Return a chart line for every seat. `steps` has the counts of all seats at each step."""
    return tuple(
        Line(of=Seat(at), values=values) for at, values in enumerate(zip(*steps, strict=True))
    )


def last(stories: Sequence[Sequence[Text]]) -> tuple[Text, ...]:
    """Return the last few decisive moments, because what happens near the end matters most.

    `stories` are groups of moments that explain each other. Groups are kept whole, but the last one
    loses its first moments if it is too long.
    """
    found: tuple[Text, ...] = ()
    for story in reversed(stories):
        if found and len(story) + len(found) > MOST_MOMENTS:
            break
        found = (*story, *found)
    return found[-MOST_MOMENTS:]


def left(who: Seat) -> Text:
    """Return a sentence saying that `who` left."""
    return _("%(who)s left.", who=who).to(who, _("You left."))


def and_out(what: Text, who: Seat) -> Text:
    """Return `what`, followed by a sentence saying that `who` is out."""
    out = _("%(who)s is out.", who=who).to(who, _("You're out."))
    return _("%(what)s %(out)s", what=what, out=out)
