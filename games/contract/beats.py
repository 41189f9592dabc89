"""Beats: what has happened, shown one moment after the other to everybody at a table.

A game says which events are beats and how much they weigh; how long that is, is the house's to say
(`games.engine.shows`). Only what everybody is told is shown, and what is shown lasts as long for
everybody: a length says nothing about a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from games.contract.data import Seat, Viewer
from games.contract.words import Fact, Text

Weight = Literal["light", "normal", "heavy"]
Mood = Literal["", "sweat", "grin"]
"""How a face looks; empty: as usual."""
Sound = Literal[
    "dice",
    "card",
    "coin",
    "ballot",
    "shot",
    "blank",
    "win",
    "loss",
    "knock",
    "drum",
    "heartbeat",
    "stamp",
]


class Flight(NamedTuple):
    """Things that fly between seats while a beat is shown; no seat: the middle of the table."""

    what: str
    """A class that the stylesheet of the game draws."""
    many: int
    away_from: Viewer = None
    to: Viewer = None


@dataclass(frozen=True, kw_only=True)
class Beat:
    """A moment that is shown: a headline addressed to the reader (`Text.to`), a weight, a sound."""

    headline: Text
    beside: Text | None = None
    """The headline below a drawing that already shows part of it; None: the same."""
    weight: Weight = "normal"
    sound: Sound | None = None
    own: Mapping[Seat, Sound] = field(default_factory=dict)
    """What these seats hear instead."""
    seat: Viewer = None
    """Whom it is about: the seat that is lit up meanwhile."""
    flies: tuple[Flight, ...] = ()
    """Coins and cards that fly between seats."""
    stage: str = ""
    """The drawing that is played over the scene (`moment.html.jinja` of the game).
    Until it is over, pages show nothing of what the act has changed; the beats after it tell that.
    What is drawn and heard does not depend on how it comes out until the answer is drawn."""


@dataclass(frozen=True, kw_only=True)
class Bubbles:
    """What seats have said or done in public: a short sentence of theirs in the first person, to
    whom it is aimed at as "you" (`Text.to`). Where there is no room for it, its key words stand
    there alone."""

    said: Mapping[Seat, Text] = field(default_factory=dict)
    fresh: bool = False
    """Whether what all the others have said before is over with. What they said in the same act
    stands while that is shown."""
    answer: bool = False
    """Whether it is one of many answers: it stands until something else is said or done."""
    over: bool = False
    """Whether what was said in the acts before is over with."""
    note: Text | None = None
    """What is to be known of it, in a few words that stand below it where there is room."""


@dataclass(frozen=True, kw_only=True)
class Beats:
    """What a game shows of its events."""

    of: Callable[[Any], tuple[Beat, ...]] = lambda event: ()
    """The beats of an event that everybody is told: the same for every reader."""
    act: Callable[[tuple[Beat, ...]], tuple[Beat, ...]] = lambda beats: beats
    """Chooses which beats of an act are shown, from those of all its events."""
    bubbles: Callable[[Any], Bubbles | None] = lambda event: None
    """What the event puts beside seats; None: everything stands as it is."""
    moods: Callable[[Any], Mapping[Seat, Mood]] = lambda event: {}
    """How faces look until the next act, by what everybody is told: a liar and an honest player
    look alike."""


NO_BEATS = Beats()
NOTHING = Text("")
"""What is said below a drawing that shows all of it (`Beat.beside`)."""


def addressed(who: Seat, to_you: Text, to_others: Text, **facts: Fact) -> Text:
    """What `who` is told of something they do, and what the others are."""
    return to_others.of(who=who, **facts).to(who, to_you)
