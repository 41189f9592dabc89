"""What a finished match was, for the table to look back on. Sentences are not translated here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.contract.data import Seat
from games.contract.words import Text, _

MOST_MOMENTS = 3


@dataclass(frozen=True, kw_only=True)
class Line:
    """How one count went, step by step: a seat's, or that of what the Text names."""

    of: Seat | Text
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Recap:
    """`was`: who or what each seat was; `mine`: the same, said to that seat. `did`: what it did, in
    short. `moments`: what decided it. `reasons`: one decision of each bot that says why (the
    house adds them).

    `measure` says what `lines` count; every line has one value per step of the match.
    """

    measure: Text
    lines: tuple[Line, ...] = ()
    was: Mapping[Seat, Text] = field(default_factory=dict)
    mine: Mapping[Seat, Text] = field(default_factory=dict)
    did: Mapping[Seat, tuple[Text, ...]] = field(default_factory=dict)
    moments: tuple[Text, ...] = ()
    reasons: tuple[Text, ...] = ()


def line_per_seat(steps: Sequence[Sequence[int]]) -> tuple[Line, ...]:
    """A line for every seat out of the counts of all seats at each step."""
    return tuple(
        Line(of=Seat(at), values=values) for at, values in enumerate(zip(*steps, strict=True))
    )


def last(stories: Sequence[Sequence[Text]]) -> tuple[Text, ...]:
    """The latest moments: those nearest to the end decided most.

    `stories`: moments that explain each other; none of these begins in its middle, but the very
    last where it is too long.
    """
    found: tuple[Text, ...] = ()
    for story in reversed(stories):
        if found and len(story) + len(found) > MOST_MOMENTS:
            break
        found = (*story, *found)
    return found[-MOST_MOMENTS:]


def left(who: Seat) -> Text:
    """Somebody went away."""
    return _("%(who)s left.", who=who).to(who, _("You left."))


def and_out(what: Text, who: Seat) -> Text:
    """What has put somebody out, and that it has."""
    out = _("%(who)s is out.", who=who).to(who, _("You're out."))
    return _("%(what)s %(out)s", what=what, out=out)
