"""A game as it is handed to the platform: its rules, bots, sentences and what a page draws.

A game is a record of pure functions. It never sees a user, a clock, a socket or Django. Everything
it takes and returns is frozen data that survives JSON. Only `Rules` has to be written; the other
three parts have defaults with which a game can be played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic

from games.contract.beats import NO_BEATS, Beats
from games.contract.choices import random_bot
from games.contract.core import (
    Bot,
    Change,
    Claims,
    O,
    Offer,
    Outcome,
    PlainOptions,
    Refused,
    S,
    Talk,
    Told,
    Turn,
    V,
)
from games.contract.data import Seat, Viewer
from games.contract.defaults import first_move_lapse, steady_patience, turn_of_awaited
from games.contract.lesson import Lesson
from games.contract.luck import Luck, Manner
from games.contract.presets import Groups, Preset
from games.contract.recap import Recap
from games.contract.wording import Words
from games.contract.words import Paragraph, Text

SHARED: Any = PlainOptions
BY_DEFAULT: Any = None
"""Value of a member that `Rules` makes from its other members."""


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[O, S, V]):
    """What may be done, and what comes of it. Times are seconds.

    `events`, `moves`: unions of the game's Event and Move classes.
    """

    options: type[O] = SHARED
    state: type[S]
    view_type: type[V]
    moves: Any
    events: Any
    version: int = 1
    """Raised when the previous version of the code cannot read what this one stores."""
    former: Mapping[int, Callable[[str], S]] = field(default_factory=dict)
    """Readers of states that earlier versions have stored, by version."""
    stock: Callable[[O, Callable[[str], Any]], O] = lambda options, find: options
    """The options with what they only name (the packs of Cards) filled in: `find(name)` is what
    the platform keeps under that name for this host, or None. Made before `check` and `setup`, and
    for these two only: what it returns is neither stored nor sent. Raises Refused."""
    check: Callable[[O, int | None], None] = lambda options, seats: None
    """Cross checks of the options; with a number of seats at the start. Raises Refused."""
    setup: Callable[[int, O, Luck], Change[S]]
    awaited: Callable[[S], tuple[Seat, ...]]
    """The seats the clock is waiting for; empty in a display pause and when over."""
    idles: Callable[[S], tuple[Seat, ...]] | None = None
    """The awaited seats whose timeout counts as idle (docs/rules/conventions.md C5); None: all."""
    out: Callable[[S], tuple[Seat, ...]] = lambda state: ()
    """The seats eliminated or gone."""
    turn: Callable[[S], Turn] = BY_DEFAULT
    """By default the turn of the only awaited seat. Each new question counts as a turn."""
    offers: Callable[[S, Seat], tuple[Offer, ...]]
    """Everything this seat may do now."""
    apply: Callable[[S, Seat, Any, Luck], Change[S]]
    """The change a move makes; raises Ignored, or Refused(code, **facts)."""
    lapse: Callable[[S, Luck], Change[S]] = BY_DEFAULT
    """What happens instead when the clock has run out. By default the awaited seats make the first
    move they are offered, risky ones last."""
    leave: Callable[[S, Seat, Luck], Change[S]]
    join: Callable[[S, Luck], Change[S] | None] = lambda state, luck: None
    comeback: str | None = None
    """The move that is made for a leaver who takes the seat back; None: it is gone for good."""
    patience: Callable[[S], float | None] = BY_DEFAULT
    """Seconds this question may take at normal pace; None when over. By default 30."""
    unpaced: Callable[[S], bool] = lambda state: False
    """Whether it takes so many seconds at every pace, as an option has said."""
    deal_wait: float = 0.0
    """Seconds at most, at normal pace, for people to look at what they were dealt before the first
    question is put on their pages."""
    view: Callable[[S, Viewer], V]
    outcome: Callable[[S], Outcome | None]
    sides: Callable[[S], tuple[str, ...]] | None = None
    """Which side each seat plays for, where a game has sides."""
    claims: Claims[S] | None = None
    """What is claimed in the chat, in a game that knows claims."""
    disabled_moves: Callable[[S, Seat], Mapping[str, Refused]] = lambda state, seat: {}
    """Moves of this question that this seat cannot make just now, and why: for people to see.
    They depend only on what the seat may know."""
    seating: Callable[[S], Sequence[Seat]] = lambda state: ()
    """The seats as they follow each other all match long, where that is not by number. Public."""
    auto_pass: Callable[[V, Seat], str | None] = lambda view, seat: None
    """The move by which this seat lets a question to everybody pass; None when it is aimed at it,
    or not such a question. From the view alone: who holds what makes no difference."""

    def __post_init__(self) -> None:
        lapse = first_move_lapse(self.moves, self.awaited, self.offers, self.apply)
        defaults = {
            "turn": turn_of_awaited(self.awaited),
            "lapse": lapse,
            "patience": steady_patience(self.outcome),
        }
        for name, default in defaults.items():
            if getattr(self, name) is BY_DEFAULT:
                object.__setattr__(self, name, default)

    def idle(self, state: S) -> tuple[Seat, ...]:
        """The awaited seats whose timeout counts as idle."""
        return (self.idles or self.awaited)(state)


@dataclass(frozen=True, kw_only=True)
class Bots(Generic[V]):
    """Who plays where no person does. Without levels of its own, a game has `random`."""

    levels: Mapping[str, Bot] = field(default_factory=dict)
    """By name, from weak to strong: `random` first. `easy` is `normal` with random moves among
    its own; `hard` is there only where it was measured to be better."""
    level_notes: Mapping[str, Text] = field(default_factory=dict)
    """How bots of a level play, in a sentence for people, where there is more to say than usual."""
    tempered: frozenset[str] = frozenset()
    """Levels whose bots are careful, plain or bold."""
    manner_note: Callable[[str, Manner], Text | None] = lambda level, manner: None
    """What a bot of this level likes, for its sheet, in a game whose bots differ by taste."""
    searching: Mapping[str, Callable[[V], bool]] = field(default_factory=dict)
    """Levels whose bots may compute for up to a second, and whether they do with this view: then
    they are asked in a process of their own."""
    talks: Mapping[str, Talk] = field(default_factory=dict)
    """What bots claim, by level; a level that is not there stays silent."""

    @property
    def usual_level(self) -> str:
        """The level of a bot where nobody names one: `normal`, else the best there is."""
        return "normal" if "normal" in self.levels else list(self.levels)[-1]


@dataclass(frozen=True, kw_only=True)
class Telling(Generic[O, S, V]):
    """What people read and are shown, besides the table itself."""

    words: Callable[[O], Words[V]] = lambda options: Words()
    """The sentences at a table with these options."""
    beats: Callable[[O], Beats] = lambda options: NO_BEATS
    """Which events are shown as beats at a table with these options, and what seats say."""
    manual: Callable[[O, int | None], tuple[Paragraph, ...]] = lambda options, seats: ()
    """The rules as people read them, at a table with these options and so many seats (None: not
    known yet). What an option or the size changes is said as it is there, never in general."""
    recap: Callable[[S, Sequence[Told]], Recap] | None = None
    """A finished match looked back on, from its end and everything that was told in it."""
    presets: tuple[Preset, ...] = ()
    """Sets of options to be chosen by one tap."""
    groups: Groups = ()
    """Headings for the options of the game; those all games share have their own."""
    lesson: Lesson | None = None
    """How it is learned by playing; None, or one without tips: not that way."""


@dataclass(frozen=True, kw_only=True)
class Web(Generic[V]):
    """What a page draws of a game besides its templates and static files, which are found in the
    folder `web` of the game."""

    at_seat: Callable[[V, Seat], Mapping[str, Any]] | None = None
    """What a page draws at a seat besides its facts. From the view of the gallery alone."""


@dataclass(frozen=True, kw_only=True)
class Game(Generic[O, S, V]):
    """A game's table of contents."""

    slug: str
    name: str
    seats: tuple[int, int]
    """Fewest and most players."""
    minutes: int = 15
    """About how long a match of people takes."""
    rules: Rules[O, S, V]
    bots: Bots[V] = Bots()
    telling: Telling[O, S, V] = Telling()
    web: Web[V] = Web()

    def __post_init__(self) -> None:
        if not self.bots.levels:
            random = replace(self.bots, levels={"random": random_bot(self.rules.moves)})
            object.__setattr__(self, "bots", random)


AnyGame = Game[Any, Any, Any]
