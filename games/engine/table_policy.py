"""Table policies: how tables opened by the server differ from tables opened by users.

A room has a kind (`Room.kind`). The package that provides a kind registers its policy. Other code
asks the policy and never checks the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.contract.wording import Words
from games.models import Member, Pool, Room

Json = dict[str, Any]

BOT = " (bot)"
"""Suffix for bots' names if names may contain spaces."""


class Display(Protocol):
    """Extra display of a table: the table's own standings and past rounds."""

    @property
    def number(self) -> int | None:
        """Version of the display. It increases with every change."""

    @property
    def hosts(self) -> frozenset[int]:
        """User ids of members who may act as host of the room."""

    @property
    def points(self) -> Mapping[str, int]:
        """The standings, as points by name."""

    @property
    def view(self) -> Json | None:
        """Data shown in place of the match view while no match is running."""

    def sentence(self, words: Words[Any]) -> str:
        """Return the status sentence shown while no match is running."""

    def region(self, words: Words[Any]) -> Json:
        """Return the template context for the display's region of the page."""


@dataclass(frozen=True, kw_only=True)
class TablePolicy:
    """How tables of one kind behave. The defaults apply to tables opened by users."""

    continuous: bool = False
    """Whether rounds start automatically, each as a match.

    If so, settings can be changed at any time, and everybody who is seated plays in every round.
    """
    programs: bool = False
    """Whether programs that are not members play along over UDP."""
    archived: bool = True
    """Whether each match has a page in the history. Otherwise it is only in the extra display."""
    pool: str = Pool.PEOPLE
    """The players who are rated against each other in its matches."""
    forbidden: Collection[str] = frozenset()
    """Names of commands that members cannot use."""
    counts_wins: bool = True
    """Whether the standings count matches won."""
    most_seats: Callable[[int], int | None] = lambda most: most
    """Returns the maximum number of players, given the game's maximum. None means no limit."""
    one_word_names: bool = False
    """Whether names must be a single word."""
    may_host: Callable[[int | None], bool] | None = None
    """Returns whether a user may act as host. If this is None, the room has its own host."""
    may_sit: Callable[[Room], bool] = lambda room: True
    """Returns whether users may play in a room."""
    is_listed: Callable[[], bool] = lambda: True
    """Returns whether the list of tables shows the room."""
    fixed_options: Mapping[str, Any] = field(default_factory=dict)
    """Options with a fixed value."""
    hidden_options: frozenset[str] = frozenset()
    """Options hidden from forms."""
    refuse_name: Callable[[str, int | None], str | None] = lambda name, user_id: None
    """Returns a rejection code if this user cannot have this name, else None.

    The person is None for a bot.
    """
    on_admitted: Callable[[str, int], None] = lambda name, user_id: None
    """Called after a user with this name has joined."""
    on_arrived: Callable[[Room], None] = lambda room: None
    """Called in the writer's thread after a user who was expected or disconnected has come."""
    take_name: Callable[[int, str], None] | None = None
    """Frees a name that this user may no longer use.

    If this is None, the person is renamed and stays.
    """
    anonymize: Callable[[int, str, str], None] = lambda match_id, name, instead: None
    """Replaces a name in stored data of a match, except in its log."""
    display: Callable[[Room, Iterable[Member]], Display] | None = None
    """Returns the extra display, given a room and all its members, including past members."""

    def bot_names(self, names: Sequence[str]) -> list[str]:
        """Return these bot names in the form used at tables of this kind."""
        ending = "-bot" if self.one_word_names else BOT
        return [self.person_name(name) + ending for name in names]

    def person_name(self, name: str) -> str:
        """Return this user's name in the form used at tables of this kind."""
        return name.replace(" ", "-") if self.one_word_names else name


_by_kind: dict[str, TablePolicy] = {Room.Kind.PEOPLE: TablePolicy()}


def register(kind: str, policy: TablePolicy) -> None:
    """Set the policy for one kind of room. Called once, when the app is ready."""
    _by_kind[kind] = policy


def policy_of(room: Room) -> TablePolicy:
    """Return the policy of a room. Raise KeyError if its kind is not registered."""
    return _by_kind[room.kind]
