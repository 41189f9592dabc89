"""Table policies: what differs at tables of a kind that people do not open themselves.

A room says of which kind it is (`Room.kind`). Anyone who brings tables of a kind registers their
policy; everybody else asks the policy, and knows no kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.contract.wording import Words
from games.models import Member, Room

Json = dict[str, Any]

BOT = " (bot)"
"""What the names of bots end with, where names may have several words."""


class Display(Protocol):
    """What a table shows besides its match: standings of its own, and what was played there."""

    @property
    def number(self) -> int | None:
        """Rises with everything that is shown anew."""

    @property
    def hosts(self) -> frozenset[int]:
        """Who of the people here may act as its host."""

    @property
    def points(self) -> Mapping[str, int]:
        """The standings."""

    @property
    def view(self) -> Json | None:
        """What stands in for the view of a match while none runs."""

    def sentence(self, words: Words[Any]) -> str:
        """What goes on while no match runs."""

    def region(self, words: Words[Any]) -> Json:
        """What its region of the page is drawn with."""


@dataclass(frozen=True, kw_only=True)
class TablePolicy:
    """What differs at a table of some kind; the defaults are those of a table people open."""

    continuous: bool = False
    """Whether matches are rounds that begin by themselves: nobody starts one, settings can be
    changed at any time, and those who sit there sit in every round."""
    programs: bool = False
    """Whether programs that are no members here play along, by datagrams."""
    archived: bool = True
    """Whether its matches are looked back on one by one; else the display tells of them."""
    counts_wins: bool = True
    """Whether the standings are the matches that were won."""
    most_seats: Callable[[int], int | None] = lambda most: most
    """How many can play, given how many the game is made for; None: there is no limit."""
    one_word_names: bool = False
    """Whether names have no spaces."""
    may_host: Callable[[int | None], bool] | None = None
    """Whether a person may act as host; None: the room has a host of its own."""
    may_sit: Callable[[Room], bool] = lambda room: True
    """Whether people may play, too."""
    is_listed: Callable[[], bool] = lambda: True
    """Whether people find it in the list."""
    fixed_options: Mapping[str, Any] = field(default_factory=dict)
    """Options there is no choice about."""
    hidden_options: frozenset[str] = frozenset()
    """Options that nobody is asked for."""
    refuse_name: Callable[[str, int | None], str | None] = lambda name, user_id: None
    """Why this person (None: a bot) cannot have this name here, as the code of a rejection."""
    on_admitted: Callable[[str, int], None] = lambda name, user_id: None
    """A person of this name has come in."""
    take_name: Callable[[int, str], None] | None = None
    """Frees a name that this person may not bear any more; they leave then. None: they are
    renamed where they sit."""
    anonymize: Callable[[int, str, str], None] = lambda match_id, name, instead: None
    """In what is kept of a match besides its log, a name gives way to another."""
    display: Callable[[Room, Sequence[Member]], Display] | None = None
    """What is shown besides the match, for a room and everybody who has been in it."""

    def bot_names(self, names: Sequence[str]) -> list[str]:
        """These names as bots bear them here."""
        ending = "-bot" if self.one_word_names else BOT
        return [self.person_name(name) + ending for name in names]

    def person_name(self, name: str) -> str:
        """This name as it is written here."""
        return name.replace(" ", "-") if self.one_word_names else name


_by_kind: dict[str, TablePolicy] = {Room.Kind.PEOPLE: TablePolicy()}


def register(kind: str, policy: TablePolicy) -> None:
    """From now on, rooms of this kind have this policy (called once, when the app is ready)."""
    _by_kind[kind] = policy


def policy_of(room: Room) -> TablePolicy:
    """The policy of a room. Raise KeyError where nobody brings rooms of its kind."""
    return _by_kind[room.kind]
