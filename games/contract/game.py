"""A game: its rules, its bots, its texts and its additions to the page.

A game is a record of pure functions. It never sees a user, a clock, a socket or Django. Everything
it takes and returns is frozen data that survives a round trip through JSON. Only `Rules` is
required. The other three parts have defaults that make a game playable.
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
from games.contract.tally import Tally
from games.contract.wording import Words
from games.contract.words import Paragraph, Text

SHARED: Any = PlainOptions
BY_DEFAULT: Any = None
"""Placeholder for a member that `Rules` derives from its other members."""


@dataclass(frozen=True, kw_only=True)
class Rules(Generic[O, S, V]):
    """The rules of a game: possible moves and their effects. Times are in seconds.

    `events` and `moves` are unions of the game's Event and Move classes.
    """

    options: type[O] = SHARED
    state: type[S]
    view_type: type[V]
    moves: Any
    events: Any
    version: int = 1
    """Version of the state.

    Increase it if the previous version of the code cannot read states of this one.
    """
    former: Mapping[int, Callable[[str], S]] = field(default_factory=dict)
    """Functions that read states stored by earlier versions, by version."""
    stock: Callable[[O, Callable[[str], Any]], O] = lambda options, find: options
    """Returns the options with the content they refer to by name (such as packs of Cards).

    `find(name)` returns the content that the platform stores under this name for the host, or None.
    The result is only passed to `check` and `setup`, and is neither stored nor sent. Raises Refused
    if content is missing or cannot be used.
    """
    restock: Callable[[O, S], O] = lambda options, state: options
    """Returns the options as `stock` returned them when the match began, given any of its states.

    A replay calls `setup` with them, even if the stored content has changed or is gone.
    """
    check: Callable[[O, int | None], None] = lambda options, seats: None
    """Checks combinations of options, when a match starts also with the number of seats.

    Raises Refused if they are not allowed.
    """
    setup: Callable[[int, O, Luck], Change[S]]
    awaited: Callable[[S], tuple[Seat, ...]]
    """Returns the seats that the clock is waiting for.

    During a display pause and after the match, there are none.
    """
    idles: Callable[[S], tuple[Seat, ...]] | None = None
    """Returns the awaited seats that count as idle after a timeout (docs/rules/conventions.md C5).

    None means all of them.
    """
    out: Callable[[S], tuple[Seat, ...]] = lambda state: ()
    """Returns the seats that are eliminated or gone."""
    turn: Callable[[S], Turn] = BY_DEFAULT
    """Returns the turn.

    By default, the only awaited seat has the turn, and each new question counts as a turn.
    """
    offers: Callable[[S, Seat], tuple[Offer, ...]]
    """Returns everything this seat may do now."""
    apply: Callable[[S, Seat, Any, Luck], Change[S]]
    """Makes a move. Raises Ignored, or Refused(code, **facts)."""
    lapse: Callable[[S, Luck], Change[S]] = BY_DEFAULT
    """Handles a timeout.

    By default, awaited seats make the first move that they are offered, but risky moves come last.
    """
    leave: Callable[[S, Seat, Luck], Change[S]]
    join: Callable[[S, Luck], Change[S] | None] = lambda state, luck: None
    comeback: str | None = None
    """Name of the move that is made for a leaver who takes the seat back.

    None means that leavers cannot do that.
    """
    patience: Callable[[S], float | None] = BY_DEFAULT
    """Returns the time limit in seconds for this question at normal pace, or None when the match is
    over. By default it is 30.
    """
    unpaced: Callable[[S], bool] = lambda state: False
    """Returns whether `patience` applies at every pace, because an option sets it."""
    deal_wait: float = 0.0
    """Maximum seconds, at normal pace, for looking at what was dealt before pages show the first
    question. Animations have `Beat.reading`.
    """
    view: Callable[[S, Viewer], V]
    outcome: Callable[[S], Outcome | None]
    sides: Callable[[S], tuple[str, ...]] | None = None
    """Returns the side of each seat. None means that the game has no sides."""
    free_options: frozenset[str] = frozenset()
    """Options that may differ from the default in a rated match, because they only change its pace
    or how people talk.
    """
    claims: Claims[S] | None = None
    """Claims in the chat. None means that the game has no claims."""
    disabled_moves: Callable[[S, Seat], Mapping[str, Refused]] = lambda state, seat: {}
    """Returns moves of this question that this seat cannot make now, each with the reason to show.

    They must depend only on what the seat may know.
    """
    seating: Callable[[S], Sequence[Seat]] = lambda state: ()
    """Returns the fixed order of seats, if they do not play in order of number. It is public."""
    auto_pass: Callable[[V, Seat], str | None] | None = None
    """Returns the move with which this seat declines a question that is put to everybody.

    Returns None for other questions, or if the question concerns this seat. The result must not
    depend on what the seat holds. None means that the game has no such questions.
    """

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
        """Return the awaited seats that count as idle if they time out."""
        return (self.idles or self.awaited)(state)


@dataclass(frozen=True, kw_only=True)
class Bots(Generic[V]):
    """The bots of a game. A game that defines no levels has only `random`."""

    levels: Mapping[str, Bot] = field(default_factory=dict)
    """Bots by level, from weak to strong, `random` first.

    `easy` is usually `normal` mixed with random moves. Add `hard` only if it is measurably better.
    """
    level_notes: Mapping[str, Text] = field(default_factory=dict)
    """Special descriptions of levels for people, one sentence each."""
    tempered: frozenset[str] = frozenset()
    """Levels whose bots have a temper: careful, plain or bold."""
    manner_note: Callable[[str, Manner], Text | None] = lambda level, manner: None
    """If bots of the game have tastes, returns the preferences of a bot of this level, for its
    profile.
    """
    searching: Mapping[str, Callable[[V], bool]] = field(default_factory=dict)
    """Levels whose bots may compute for up to a second.

    The function tells whether they do so with this view. If so, they run in a separate process.
    """
    talks: Mapping[str, Talk] = field(default_factory=dict)
    """Policies for claims by level. Bots of other levels stay silent."""

    @property
    def usual_level(self) -> str:
        """The default level of bots: `normal`, or else the strongest level."""
        return "normal" if "normal" in self.levels else list(self.levels)[-1]


@dataclass(frozen=True, kw_only=True)
class Telling(Generic[O, S, V]):
    """The parts of a game that users read and see: texts, beats, rules, recap, tally and so on."""

    words: Callable[[O], Words[V]] = lambda options: Words()
    """Returns the sentences at a table with these options."""
    beats: Callable[[O], Beats] = lambda options: NO_BEATS
    """Returns the beats and speech bubbles at a table with these options."""
    manual: Callable[[O, int | None], tuple[Paragraph, ...]] = lambda options, seats: ()
    """Returns the rules text for a table with these options and number of seats.

    The number is None if it is not known yet. The text describes only the rules that apply at that
    table.
    """
    recap: Callable[[S, Sequence[Told]], Recap] | None = None
    """Returns the recap of a finished match, from its final state and all its events."""
    tally: Tally[S] | None = None
    """Feats that the statistics of players count. None means only matches and places."""
    presets: tuple[Preset, ...] = ()
    """Sets of options that can be chosen with one tap."""
    groups: Groups = ()
    """Headings for the game's own options. Options shared by all games have separate headings."""
    lesson: Lesson | None = None
    """The lesson that teaches the game. If this is None or has no tips, there is no lesson."""


@dataclass(frozen=True, kw_only=True)
class Web(Generic[V]):
    """A game's additions to the page besides the templates and static files in its folder `web`."""

    colours: Mapping[str, str] = field(default_factory=dict)
    """CSS colours of the game's table and poster. All have defaults.

    `felt` and `felt-deep`: the cloth in light and shadow. `rim`: its border.
    `accent`: text on pages, so it needs `light-dark()`.
    """
    at_seat: Callable[[V, Seat], Mapping[str, Any]] | None = None
    """Returns what is drawn at each seat in addition to its facts, given the gallery's view."""
    in_one_row: bool = False
    """Whether phones show seven to ten seats in one row, because drawings stick out of them."""


LONGEST_SLUG, LONGEST_LEVEL = 20, 10
"""Maximum characters of a game's slug and of a bot level, which are stored in columns."""


@dataclass(frozen=True, kw_only=True)
class Game(Generic[O, S, V]):
    """A game with all its parts."""

    slug: str
    name: str
    seats: tuple[int, int]
    """Minimum and maximum number of players."""
    minutes: int = 15
    """Approximate duration of a match between human players."""
    rules: Rules[O, S, V]
    bots: Bots[V] = Bots()
    telling: Telling[O, S, V] = Telling()
    web: Web[V] = Web()

    def __post_init__(self) -> None:
        if not self.bots.levels:
            random = replace(self.bots, levels={"random": random_bot(self.rules.moves)})
            object.__setattr__(self, "bots", random)


AnyGame = Game[Any, Any, Any]
