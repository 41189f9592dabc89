"""The read model of a room, from which pages, packets and lists are made.

A `Table` is a snapshot of a room. Comparing two tables gives the changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple, cast

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
from games.engine.rated import OFF, rated_or_why_not
from games.engine.snapshots import MatchSnapshot
from games.engine.table_policy import BOT, Display, TablePolicy, policy_of
from games.engine.told import ToldAct
from games.models import Invitation, Member, Room
from games.rooms.evening import Score
from games.rooms.new_game import NewGame
from games.rooms.recent_players import RecentPlayer
from games.wire.parts import Rated

Json = dict[str, Any]
T = TypeVar("T")
Ts = TypeVarTuple("Ts")

RECENT = 30
"""Maximum recent acts that are kept for sockets that show them late."""

_PER_MEMBER = 45_000
_PER_ACT = 2_000
_PER_MESSAGE = 2_000
"""Bytes of memory per part of a table, measured with one open page per member."""

NOTHING_NEW: Mapping[str, Any] = {"acts": (), "story": (), "renamed": False, "between": None}
"""Fields that belong to one loading. Acts do not carry them over."""


@dataclass(frozen=True)
class Table:
    """A room as committed at one moment, with the acts since the previous load."""

    room: Room
    members: tuple[Member, ...]
    gone: tuple[Member, ...]
    match: MatchSnapshot | None
    """The running or last match. None before the first match and while the match is parked."""
    chat: tuple[Message, ...]
    acts: tuple[ToldAct, ...] = ()
    story: tuple[ToldAct, ...] = ()
    renamed: bool = False
    """Whether the log must be shown again because names in it have changed."""
    parked: bool = False
    """Whether this code cannot read the running match (`games.engine.snapshots.Parked`)."""
    last: MatchSnapshot | None = None
    """While the match is parked, the match as it was last read."""
    newest: ToldAct | None = None
    """The act that led to the current state, if loaded."""
    between: Table | None = None
    """The table at the end of the match that was shown before, if the room has moved on since."""
    for_pages: bool = True
    """Whether the next six fields, which only pages show, were read."""
    choices: Mapping[str, Choices] = field(default_factory=dict)
    """Choices for options with stored content, such as decks.

    Empty while options cannot be changed.
    """
    claims: tuple[Message, ...] = ()
    """The claims of the match, if the game has claims."""
    recap: Recap | None = None
    """The recap of the match, once the match is over."""
    asked: tuple[Invitation, ...] = ()
    """Unanswered invitations, newest first."""
    known: tuple[RecentPlayer, ...] = ()
    """Recent players of the host."""
    looks: tuple[str, ...] = ()
    """Moderators' reasons for seeing the secrets of the match, once the match is over."""
    display: Display | None = None
    """Extra display of a table that users did not open."""
    kept: frozenset[tuple[int, int, bool, bool]] = frozenset()
    """Mutes and blocks among the members: (user, other, mutes, blocks)."""
    inside: frozenset[tuple[int | None, int | None]] = frozenset()
    """(match, user) for everybody who is still in that match, or was at its end.

    They may not read the gallery's messages.
    """
    evening: tuple[Score, ...] = ()
    """Everybody's wins here so far, across all games."""
    new_games: tuple[NewGame, ...] = ()
    """New games opened by members who were out of the running match or were watching it."""
    loading: object = field(default_factory=object, compare=False, repr=False)
    """Identifies a loading. Tables of the same loading differ only by acts."""
    recent: tuple[ToldAct, ...] = ()
    """The newest acts of the match, without a gap."""
    made: dict[Any, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    """Cache of values derived from this table, shared by all viewers (`per_table`)."""
    carried: dict[Any, Any] = field(init=False, default_factory=dict, repr=False, compare=False)
    """Cache of values that stay valid while only acts are added (`per_loading`, `Table.reuse`)."""

    @cached_property
    def game(self) -> AnyGame:
        return game_of(self.room.game)

    @cached_property
    def policy(self) -> TablePolicy:
        return policy_of(self.room)

    @cached_property
    def words(self) -> Words[Any]:
        """The sentences of the game, with the options of this table."""
        if self.match is not None:
            return self.match.game.telling.words(self.match.options)
        return self.game.telling.words(kept_options(self.game, self.room.options))

    @property
    def match_id(self) -> int | None:
        """Id of the running or last match. It is known even while the match is parked."""
        if self.match is not None:
            number: int = self.match.row.id
            return number
        return self.room.match_id if self.parked else None

    @cached_property
    def playing(self) -> bool:
        """Whether a match is running at this table."""
        return self.room.status == Room.Status.PLAYING

    @cached_property
    def rated(self) -> Rated:
        """Whether the match is rated, or why not: the running one, or the next one if all who are
        here now play (`games.engine.rated`).
        """
        if self.match is not None and self.playing:
            return cast(Rated, self.match.row.rated or OFF)
        seated = [one for one in self.seated if one.pk not in self.surplus]
        return cast(Rated, rated_or_why_not(self.room, self.game, seated))

    @cached_property
    def pause(self) -> Pause | None:
        """The pause of the running match, or None if it is not paused."""
        if self.match is None or self.match.row.paused is None:
            return None
        return pause_of(self.match.row)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.match.names if self.match else ()

    @cached_property
    def spoken_names(self) -> tuple[str, ...]:
        """Names for use in sentences, by seat.

        Bots lose their “(bot)” unless two names would then be equal.
        """
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
        """Return this user's membership, if any."""
        return None if user_id is None else self.people.get(user_id)

    @cached_property
    def people(self) -> Mapping[int, Member]:
        """Members by user id."""
        return {m.user_id: m for m in self.members if m.user_id is not None}

    @cached_property
    def seated(self) -> tuple[Member, ...]:
        """Members who would play if a match with unlimited seats started now."""
        return tuple(m for m in self.members if not m.spectator and m.away_since is None)

    @cached_property
    def surplus(self) -> frozenset[int]:
        """Ids of members without a seat in the next match. Empty while a match is running."""
        most = self.policy.most_seats(self.game.seats[1])
        if self.playing or most is None or self.policy.continuous:
            return frozenset()
        return frozenset(m.pk for m in self.seated[most:])

    def is_host(self, member: Member) -> bool:
        """Whether this member may act as host."""
        if self.display is not None:
            return member.user_id in self.display.hosts
        return member.user_id is not None and member.user_id == self.room.host_id

    def viewer(self, user_id: int | None) -> Viewer:
        """Return the seat whose view this user sees, or None for the gallery's view."""
        return self.match.seat_of(user_id) if self.match else None

    def acting(self, user_id: int | None) -> Viewer:
        """Return the seat for which this user can act now.

        Return None if the match is not running or the player is out.
        """
        seat = self.viewer(user_id)
        return seat if seat in self.in_play else None

    @cached_property
    def in_play(self) -> frozenset[Seat]:
        """The seats that are still in the running match. Empty if no match is running."""
        if self.match is None or not self.playing:
            return frozenset()
        return frozenset(Seat(player.seat) for player in self.match.players if not player.out)

    def in_chat(self, user_id: int | None) -> tuple[Message, ...]:
        """Return the newest messages that this user may read (docs/rules/conventions.md C9)."""
        readable = [m for m in self.chat if self.may_read(user_id, m)]
        return tuple(readable[-messages.KEPT_AT_HAND :])

    def may_read(self, user_id: int | None, message: Message) -> bool:
        """Whether this user may read a message.

        Viewers do not read messages of users they have muted. Players who are still in, or were at
        the end, never read the gallery's messages.
        """
        if message.author_id in self.muted(user_id):
            return False
        if message.audience == "table" or user_id is None:
            return True
        return (message.chapter, user_id) not in self.inside

    def muted(self, user_id: int | None) -> frozenset[int]:
        """Return the ids of the users that this user has muted."""
        return frozenset(other for me, other, mutes, _ in self.kept if mutes and me == user_id)

    def blocked(self, user_id: int | None) -> frozenset[int]:
        """Return the ids of the users that this user has blocked."""
        return frozenset(other for me, other, _, blocks in self.kept if blocks and me == user_id)

    @property
    def room_id(self) -> int:
        """Id of the room."""
        return self.room.pk

    @property
    def present(self) -> Iterator[int | None]:
        """User ids of everybody who is connected, with a page or a program."""
        return (m.user_id for m in self.members if not m.bot and m.away_since is None)

    @property
    def looking(self) -> Iterator[int | None]:
        """User ids of everybody with an open page of the table (`games.engine.pauses`)."""
        return (m.user_id for m in self.members if m.at_page and not m.bot and m.away_since is None)

    @property
    def has_screen(self) -> bool:
        """Whether a big screen shows the table."""
        return self.room.has_screen

    @property
    def size(self) -> int:
        """Estimated memory in bytes, including all of the table's caches."""
        match = self.match.size if self.match is not None else 0
        told = _PER_ACT * (len(self.story) + len(self.recent)) + _PER_MESSAGE * len(self.chat)
        return match + told + _PER_MEMBER * len(self.members)

    def reuse(self, key: Any, inputs: tuple[Any, ...], make: Callable[[], T]) -> T:
        """Return the cached object for `key` if it was made from equal inputs. Otherwise make a
        new one.

        Tables that differ only by acts share these objects, so an unchanged one is the same.
        """
        known = self.carried.get(key)
        if known is None or known[0] != inputs:
            known = self.carried[key] = (inputs, make())
        made: T = known[1]
        return made

    def advanced(self, match: MatchSnapshot, *acts: ToldAct) -> Table | None:
        """Return the table after acts that did not change its members or its room.

        Return None if this table is not at the version before these acts.
        """
        known = self.match
        if known is None or self.parked:
            return None
        after = (known.row.pk, known.row.version + len(acts), known.row.revision)
        if after != (match.row.pk, match.row.version, match.row.revision):
            return None
        return self._after_acts(
            match=match,
            recent=(*self.recent, *acts)[-RECENT:],
            newest=acts[-1],
            inside=self.inside
            if match.players is known.players
            else _inside_after(self.inside, self.chat, match),
            **{**NOTHING_NEW, "acts": acts},
        )

    def since(self, shown: Table) -> Table | None:
        """Return this table with the acts since `shown`, or None if it must be loaded."""
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
        """Return a copy with changed fields, none of which concern its room or members.

        What was derived from the room and its members stays valid.
        """
        after = replace(self, **changes)
        derived = ("game", "policy", "people", "playing", "host")
        vars(after).update({name: getattr(self, name) for name in derived}, carried=self.carried)
        return after


def _inside_after(
    inside: frozenset[tuple[int | None, int | None]], chat: Sequence[Message], match: MatchSnapshot
) -> frozenset[tuple[int | None, int | None]]:
    """Return the new `Table.inside` after an act of this match that may have eliminated players."""
    if match.row.pk not in of_gallery(chat):
        return inside
    held = {(match.row.pk, p.user_id) for p in match.players if not p.out and not p.gone}
    return frozenset({one for one in inside if one[0] != match.row.pk} | held)


def of_gallery(chat: Sequence[Message]) -> set[int]:
    """Return the ids of the matches during which the gallery has written messages."""
    return {m.chapter for m in chat if m.audience == "gallery" and m.chapter}


def per_table(make: Callable[[Table, *Ts], T]) -> Callable[[Table, *Ts], T]:
    """Decorate a function so that it is called once per table for the same arguments, which must be
    hashable.
    """
    return _cached(make, "made")


def per_loading(make: Callable[[Table, *Ts], T]) -> Callable[[Table, *Ts], T]:
    """Like `per_table`, for results that stay valid while only acts are added."""
    return _cached(make, "carried")


def _cached(make: Callable[[Table, *Ts], T], cache: str) -> Callable[[Table, *Ts], T]:
    @wraps(make)
    def cached(table: Table, *args: *Ts) -> T:
        known: dict[Any, T] = getattr(table, cache)
        key = (make, *args)
        if key not in known:
            known[key] = make(table, *args)
        return known[key]

    return cached
