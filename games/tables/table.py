"""What one viewer may know of a room: the read model that pages, packets and lists are made of.

A `Table` is one loading of a room. Comparing two of them tells what is new; nothing else is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from django.utils.functional import cached_property

from chat import messages
from chat.models import Message
from games.contract.core import Turn
from games.contract.data import Seat, Viewer
from games.contract.game import AnyGame
from games.contract.recap import Recap
from games.contract.wording import Words
from games.engine.absent import game_of
from games.engine.catalogs import Choices
from games.engine.frozen_times import Pause, pause_of
from games.engine.options import kept_options
from games.engine.snapshots import MatchSnapshot
from games.engine.table_policy import BOT, Display, TablePolicy, policy_of
from games.engine.told import ToldAct
from games.models import Invitation, Member, Room
from games.rooms.evening import Score
from games.rooms.new_game import NewGame
from games.rooms.recent_players import RecentPlayer

Json = dict[str, Any]

RECENT = 30
"""So many acts are at hand for who shows them a little later than others."""

_PER_MEMBER = 45_000
_PER_ACT = 2_000
_PER_MESSAGE = 2_000
"""Bytes of memory that a table takes, measured with a page open for every member."""

NOTHING_NEW: Mapping[str, Any] = {"acts": (), "story": (), "renamed": False, "between": None}
"""What only the loading of a table says, and no act."""


@dataclass(frozen=True)
class Table:
    """A room as committed at one moment, with the acts since the loading before."""

    room: Room
    members: tuple[Member, ...]
    gone: tuple[Member, ...]
    match: MatchSnapshot | None
    """The running or last match; None before the first, and while it is parked."""
    chat: tuple[Message, ...]
    acts: tuple[ToldAct, ...] = ()
    story: tuple[ToldAct, ...] = ()
    renamed: bool = False
    """Whether what was told before is to be told anew, for there are other names in it."""
    parked: bool = False
    """Whether a match runs that this code cannot read (`games.engine.snapshots.Parked`)."""
    last: MatchSnapshot | None = None
    """The match as it was read last, while it is parked."""
    newest: ToldAct | None = None
    """The act that led to what is shown, where it was seen."""
    between: Table | None = None
    """At the end of the match shown before, where another has begun since."""
    for_pages: bool = True
    """Whether what is shown on pages only was read, too: the six that follow."""
    choices: Mapping[str, Choices] = field(default_factory=dict)
    """What options that name something of the house can be, while they can be changed."""
    claims: tuple[Message, ...] = ()
    """What was claimed in the match, in a game that knows claims."""
    recap: Recap | None = None
    """What the match was, when it is over."""
    asked: tuple[Invitation, ...] = ()
    """Invitations of people who are not here."""
    known: tuple[RecentPlayer, ...] = ()
    """Whom the host has played with lately."""
    looks: tuple[str, ...] = ()
    """Why moderators looked at the secrets of the match, when it is over."""
    display: Display | None = None
    """What a table of its own kind shows besides its match."""
    kept: frozenset[tuple[int, int, bool, bool]] = frozenset()
    """What the people here keep from whom: (person, other, mutes, blocks)."""
    inside: frozenset[tuple[int | None, int | None]] = frozenset()
    """(match, person) for everybody who is in that match, or was in to its end: they do not read
    what the gallery says."""
    evening: tuple[Score, ...] = ()
    """What everybody has won here so far, over all games."""
    new_games: tuple[NewGame, ...] = ()
    """Where people have gone who were out of the running match, or watched it."""
    loading: object = field(default_factory=object, compare=False, repr=False)
    """Another one for each reading: what has the same differs by nothing but acts."""
    recent: tuple[ToldAct, ...] = ()
    """The newest acts of the match that are at hand, one after the other."""
    made: dict[Any, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    """What has been made of this table for everybody who is shown it."""
    carried: dict[Any, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    """What has been made of its room and its people: holds as long as only acts are added."""

    @property
    def game(self) -> AnyGame:
        return game_of(self.room.game)

    @property
    def policy(self) -> TablePolicy:
        return policy_of(self.room)

    @cached_property
    def words(self) -> Words[Any]:
        """The sentences at this table."""
        if self.match is not None:
            return self.match.game.telling.words(self.match.options)
        return self.game.telling.words(kept_options(self.game, self.room.options))

    @property
    def match_id(self) -> int | None:
        """The number of the running or last match, read or parked."""
        if self.match is not None:
            number: int = self.match.row.id
            return number
        return self.room.match_id if self.parked else None

    @cached_property
    def playing(self) -> bool:
        """Whether a match runs here."""
        return self.room.status == Room.Status.PLAYING

    @cached_property
    def pause(self) -> Pause | None:
        """The pause the running match stands still in."""
        return pause_of(self.match.row) if self.match is not None else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.match.names if self.match else ()

    @cached_property
    def spoken_names(self) -> tuple[str, ...]:
        """The names by seat as sentences say them: of bots without “(bot)” where nobody else here
        bears that name."""
        plain = [name.removesuffix(BOT) for name in self.names]
        return tuple(
            name if plain.count(short) > 1 else short
            for name, short in zip(self.names, plain, strict=True)
        )

    @cached_property
    def host(self) -> str | None:
        return next((m.name for m in self.members if m.user_id == self.room.host_id), None)

    @cached_property
    def turn(self) -> Turn | None:
        return self.match.game.rules.turn(self.match.state) if self.match and self.playing else None

    @cached_property
    def awaited(self) -> tuple[Seat, ...]:
        if self.match is None or self.match.over:
            return ()
        return self.match.game.rules.awaited(self.match.state)

    def member(self, user_id: int | None) -> Member | None:
        """The member this person is now."""
        return None if user_id is None else self.people.get(user_id)

    @cached_property
    def people(self) -> Mapping[int, Member]:
        """Who is here, by person."""
        return {m.user_id: m for m in self.members if m.user_id is not None}

    @cached_property
    def seated(self) -> tuple[Member, ...]:
        """Who would play if a match started now, were there a seat for all of them."""
        return tuple(m for m in self.members if not m.spectator and m.away_since is None)

    @cached_property
    def surplus(self) -> frozenset[int]:
        """The members who would play, were there a seat for them (rows, while no match runs)."""
        most = self.policy.most_seats(self.game.seats[1])
        if self.playing or most is None or self.policy.continuous:
            return frozenset()
        return frozenset(m.pk for m in self.seated[most:])

    def is_host(self, member: Member) -> bool:
        """Whether this member may do what a host does."""
        if self.display is not None:
            return member.user_id in self.display.hosts
        return member.user_id is not None and member.user_id == self.room.host_id

    def viewer(self, user_id: int | None) -> Viewer:
        """The seat through whose eyes this person sees the match."""
        return self.match.seat_of(user_id) if self.match else None

    def acting(self, user_id: int | None) -> Viewer:
        """The seat this person can act for now: in, not out, the match running."""
        seat = self.viewer(user_id)
        return seat if seat in self.in_play else None

    @cached_property
    def in_play(self) -> frozenset[Seat]:
        """The seats that are in, while the match runs."""
        if self.match is None or not self.playing:
            return frozenset()
        return frozenset(Seat(player.seat) for player in self.match.players if not player.out)

    def in_chat(self, user_id: int | None) -> tuple[Message, ...]:
        """Return the newest messages this person may read (docs/rules/conventions.md C9)."""
        readable = [m for m in self.chat if self.may_read(user_id, m)]
        return tuple(readable[-messages.KEPT_AT_HAND :])

    def may_read(self, user_id: int | None, message: Message) -> bool:
        """Not what was said by those one has muted; and who is in, or was in to the end, never
        reads what the gallery said."""
        if message.author_id in self.muted(user_id):
            return False
        if message.audience == "table" or user_id is None:
            return True
        return (message.chapter, user_id) not in self.inside

    def muted(self, user_id: int | None) -> frozenset[int]:
        """Whose words this person does not want to read."""
        return frozenset(other for me, other, mutes, _ in self.kept if mutes and me == user_id)

    def blocked(self, user_id: int | None) -> frozenset[int]:
        """Whom this person does not want to meet."""
        return frozenset(other for me, other, _, blocks in self.kept if blocks and me == user_id)

    @property
    def room_id(self) -> int:
        """The number of the room."""
        return self.room.pk

    @property
    def present(self) -> Iterator[int | None]:
        """Who is connected, by a page or as a program."""
        return (m.user_id for m in self.members if not m.bot and m.away_since is None)

    @property
    def looking(self) -> Iterator[int | None]:
        """Who has a page of the table open (`games.engine.pauses`)."""
        return (m.user_id for m in self.members if m.at_page and not m.bot and m.away_since is None)

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes, with all that is made of it for those here."""
        match = self.match.size if self.match is not None else 0
        told = _PER_ACT * (len(self.story) + len(self.recent)) + _PER_MESSAGE * len(self.chat)
        return match + told + _PER_MEMBER * len(self.members)

    def advanced(self, match: MatchSnapshot, act: ToldAct) -> Table | None:
        """The table after an act that left its people and its room as they were.

        None where the match is not at the version before that act here.
        """
        known = self.match
        before = known and (known.row.pk, known.row.version + 1, known.row.revision)
        if self.parked or before != (match.row.pk, match.row.version, match.row.revision):
            return None
        return self._after_acts(
            match=match,
            recent=(*self.recent[1 - RECENT :], act),
            newest=act,
            inside=_inside_after(self.inside, self.chat, match),
            **{**NOTHING_NEW, "acts": (act,)},
        )

    def since(self, shown: Table) -> Table | None:
        """This table as what came after the one that was shown; None where that is to be read."""
        known = shown.match
        if known is None or self.match is None or shown.room.version != self.room.version:
            return None
        missing = self.match.row.version - known.row.version
        same = (known.row.pk, known.row.revision) == (self.match.row.pk, self.match.row.revision)
        if not same or not 0 <= missing <= len(self.recent) or shown.parked:
            return None
        if missing == len(self.acts) and self.between is None:
            return self
        acts = self.recent[len(self.recent) - missing :]
        return self._after_acts(acts=acts, between=None)

    def _after_acts(self, **changes: Any) -> Table:
        """This table with other fields, of which none is about its room or its people.

        `dataclasses.replace` takes three times as long, and would forget what is carried.
        """
        known = self.__dict__
        after = object.__new__(Table)
        after.__dict__.update({name: known[name] for name in FIELDS} | changes)
        after.__dict__.update(made={}, carried=self.carried)
        after.__dict__.update(people=self.people, playing=self.playing, host=self.host)
        return after


def _inside_after(
    inside: frozenset[tuple[int | None, int | None]], chat: Sequence[Message], match: MatchSnapshot
) -> frozenset[tuple[int | None, int | None]]:
    """The same after an act of this match, in which somebody may have gone out."""
    if match.row.pk not in of_gallery(chat):
        return inside
    held = {(match.row.pk, p.user_id) for p in match.players if not p.out and not p.gone}
    return frozenset({one for one in inside if one[0] != match.row.pk} | held)


def of_gallery(chat: Sequence[Message]) -> set[int]:
    """The matches during which the gallery has said something."""
    return {m.chapter for m in chat if m.audience == "gallery" and m.chapter}


FIELDS = tuple(field.name for field in fields(Table))
