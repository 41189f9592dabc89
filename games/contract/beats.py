"""Beats: events shown one after the other to everybody at a table.

A game decides which events are beats and how heavy they are. The platform decides how long they
last (`games.engine.shows`). Only public events are shown, for the same time to everybody, so that a
duration reveals nothing about a hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from games.contract.data import Seat, Viewer
from games.contract.words import Fact, Text

Weight = Literal["light", "normal", "heavy"]
Mood = Literal["", "sweat", "grin"]
"""Expression of a face. An empty string means neutral."""
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
    """Objects that fly between seats during a beat.

    The seat None stands for the middle of the table.
    """

    what: str
    """CSS class in the stylesheet of the game."""
    many: int
    away_from: Viewer = None
    to: Viewer = None


@dataclass(frozen=True, kw_only=True)
class Beat:
    """An event to show at the table. The headline may address its reader (`Text.to`)."""

    headline: Text
    beside: Text | None = None
    """Headline below a drawing that already shows part of it. None means the same headline."""
    weight: Weight = "normal"
    sound: Sound | None = None
    own: Mapping[Seat, Sound] = field(default_factory=dict)
    """Different sounds for these seats."""
    seat: Viewer = None
    """The seat that is highlighted during the beat."""
    flies: tuple[Flight, ...] = ()
    """Coins and cards that fly between seats."""
    stage: str = ""
    """Name of an animation over the scene (`moment.html.jinja` of the game).

    Pages show the changes of the act only after the animation, in the beats that follow it. Picture
    and sound must not depend on the result until the animation reveals it.
    """
    reading: float = 0.0
    """Seconds for reading what the animation shows. 0 means that `weight` decides.

    They end as soon as every player with an open page has skipped the animation. At paces faster
    than normal there is no animation, and `weight` decides.
    """


@dataclass(frozen=True, kw_only=True)
class Bubbles:
    """Speech bubbles: what seats have said or done in public.

    Each is a short sentence in the first person that addresses its target as "you" (`Text.to`). If
    there is too little room, only the key words of the sentence are shown.
    """

    said: Mapping[Seat, Text] = field(default_factory=dict)
    fresh: bool = False
    """Whether to remove the other seats' earlier bubbles.

    Bubbles of the same act are kept while it is shown.
    """
    answer: bool = False
    """Whether it is one of several answers. They are kept until something else is said or done."""
    over: bool = False
    """Whether to remove all bubbles of earlier acts."""
    note: Text | None = None
    """A short note below the bubble, shown if there is room."""


@dataclass(frozen=True, kw_only=True)
class Beats:
    """How a game shows its events."""

    of: Callable[[Any], tuple[Beat, ...]] = lambda event: ()
    """Returns the beats of a public event, the same for every reader."""
    act: Callable[[tuple[Beat, ...]], tuple[Beat, ...]] = lambda beats: beats
    """Chooses which beats of an act to show.

    The argument contains the beats of all the act's events.
    """
    bubbles: Callable[[Any], Bubbles | None] = lambda event: None
    """Returns the speech bubbles of an event. None means that bubbles stay as they are."""
    moods: Callable[[Any], Mapping[Seat, Mood]] = lambda event: {}
    """Returns the faces until the next act. They depend only on public events, so that liars look
    like honest players.
    """


NO_BEATS = Beats()
NOTHING = Text("")
"""Empty `Beat.beside`, for a drawing that already shows everything."""


def addressed(who: Seat, to_you: Text, to_others: Text, **facts: Fact) -> Text:
    """Return a sentence about `who`, with one text for `who` and another for everybody else."""
    return to_others.of(who=who, **facts).to(who, to_you)
