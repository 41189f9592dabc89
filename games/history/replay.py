"""Replays of finished matches: all their states, computed again from the acts in the log.

The log holds moves, events and draws, but no states. Nothing computed here is saved.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import ValidationError
from msgspec.structs import replace

from accounts.models import User
from chat.models import Message
from games.contract.core import Change, State
from games.contract.data import Seat, unpack
from games.contract.game import AnyGame
from games.contract.luck import Draw, Luck, drawn_after
from games.engine import seats, shows
from games.engine.bounded_cache import BoundedCache
from games.engine.snapshots import MatchSnapshot, Parked, luck_of, snapshot_of, told_in_acts
from games.engine.told import ToldAct, told_act
from games.models import Act, Match, Member, Player, Room
from games.rooms.claims import claims_in
from games.tables.table import RECENT, Table
from games.wire.wire import read_move

log = logging.getLogger(__name__)

MOST_BYTES = 64 << 20
"""Maximum memory for cached replays."""
MOST = 20
"""Maximum number of cached replays."""
_PER_ACT = 6_000
"""Bytes of memory per act, measured with the longest matches of each game."""
UNTIMED: Mapping[str, Any] = {
    "deadline": None,
    "awaited_from": None,
    "dealt": None,
    "paused": None,
    "plans": {},
    "talks": {},
}
"""Fields of a match that a replay does not restore. It shows no clock."""


class Logged(NamedTuple):
    """An act as the log holds it. Model instances would be more expensive."""

    number: int
    kind: str
    by: str
    seat: int | None
    move: Any
    told: Any
    draws: Any


class Moment(NamedTuple):
    """The state of a match after an act, and the players at that time."""

    state: State
    players: tuple[Player, ...]


@dataclass(frozen=True, eq=False)
class Replay:
    """A finished match with its earlier states. Version n is the one after act n."""

    last: MatchSnapshot
    room: Room
    people: Mapping[int, User]
    """The users who played, by id."""
    moments: Sequence[Moment]
    """The moments of versions 1, 2, … up to the last one that these rules still compute."""
    told: Sequence[ToldAct]
    """All acts of the match, in order."""

    @property
    def has_changed(self) -> bool:
        """Whether these rules do not lead to the end of the match."""
        return len(self.moments) < len(self.told)

    @property
    def size(self) -> int:
        """Approximate size in memory, in bytes."""
        return max(MOST_BYTES // MOST, _PER_ACT * len(self.told))

    def table(self, version: int) -> Table | None:
        """Return the table at this version, made of rows that are never saved.

        Return None if the rules have changed since.
        """
        if not 1 <= version <= len(self.moments):
            return None
        state, players = self.moments[version - 1]
        is_end = version == self.last.row.version
        row, room = copy(self.last.row), copy(self.room)
        row.version = version
        room.status = Room.Status.FINISHED if is_end else Room.Status.PLAYING
        for name, value in UNTIMED.items():
            setattr(row, name, value)
        if not is_end:
            row.ended_at = row.outcome = None
            row.broken = False
        match = MatchSnapshot(row, players, self.last.game, self.last.options, state)
        return Table(
            room,
            members=tuple(self._present(room, players)),
            gone=(),
            match=match,
            chat=(),
            newest=self.told[version - 1],
            recent=tuple(self.told[max(0, version - RECENT) : version]),
            claims=tuple(self._claims(version)),
        )

    def _present(self, room: Room, players: Iterable[Player]) -> Iterator[Member]:
        """Yield the players who had not left, as members."""
        for player in players:
            if not player.gone:
                bot = "" if player.substitute else player.bot
                user = self.people.get(player.user_id or 0)
                yield Member(room=room, user=user, name=player.name, bot=bot)

    def _claims(self, version: int) -> Iterator[Message]:
        """Yield the claims made up to this version. They are read again, as chat may be deleted."""
        if self.last.game.rules.claims is None:
            return
        for one in claims_in(self.last):
            if one.after is None or one.after <= version:
                yield one

    @cached_property
    def heavy(self) -> tuple[int, ...]:
        """The versions whose acts have a heavy beat, such as a lost card or the end."""
        return tuple(act.version for act in self.told if _is_heavy(self.last, act))


def unfold(match: Match) -> Replay | None:
    """Return the replay of a finished match, or None if it cannot be read. Replays are cached."""
    if match.pruned:
        return None
    key = (match.pk, match.revision)
    found = _replays.get(key)
    if found is None:
        try:
            found = _unfolded(snapshot_of(match))
        except Parked:
            return None
        _replays.put(key, found)
    return found


def _is_heavy(match: MatchSnapshot, act: ToldAct) -> bool:
    told = ((event, to) for _, to, event in act.told)
    beats = shows.shown_to_all(match.game, match.options, told)
    return any(beat.weight == "heavy" for beat in beats)


_replays: BoundedCache[tuple[int, int], Replay] = BoundedCache(
    MOST_BYTES, lambda replay: replay.size, lambda replay: replay.last.parts
)


def _unfolded(last: MatchSnapshot) -> Replay:
    """Compute all states of a match. Stop before the first act that differs from the log."""
    rows = Act.objects.filter(match=last.row).order_by("number").values_list(*Logged._fields)
    acts = [Logged(*row) for row in rows]
    told = told_in_acts(last.game, [act.told for act in acts])
    moves = _moves_in(last.game, acts)
    moments: list[Moment] = []
    counts: Mapping[str, int] = {}
    players = tuple(_at_the_start(last))
    try:
        for at, act in enumerate(acts):
            luck = luck_of(last.row, last.seed, act.number, counts)
            change = _again(last, moments[-1] if moments else None, act, moves, luck)
            drawn = unpack(act.draws, tuple[Draw, ...])
            if (at + 1, told[at], drawn) != (act.number, change.told, tuple(luck.draws)):
                break
            counts = drawn_after(counts, drawn)
            players = _after(last, players, change.state, act, acts[at + 1 :])
            moments.append(Moment(change.state, players))
    except Exception:  # the match was played with older rules
        log.info("match %s cannot be replayed to its end", last.row.pk, exc_info=True)
    entries = [
        told_act(last, act.number, act.kind, events, act.seat)
        for act, events in zip(acts, told, strict=True)
    ]
    room = Room.objects.get(pk=last.row.room_id)
    people = User.objects.in_bulk({p.user_id for p in last.players if p.user_id is not None})
    return Replay(last, room, people, moments, entries)


def _moves_in(game: AnyGame, acts: Iterable[Logged]) -> Mapping[int, Any]:
    """Return the moves by the numbers of their acts, or nothing if one of them is unknown."""
    made = {act.number: act.move for act in acts if act.kind == Act.Kind.MOVE}
    try:
        moves = unpack(list(made.values()), list[game.rules.moves])  # type: ignore[name-defined]
    except ValidationError:
        return {}  # `_again` finds out which one
    return dict(zip(made, moves, strict=True))


def _again(
    last: MatchSnapshot, before: Moment | None, act: Logged, moves: Mapping[int, Any], luck: Luck
) -> Change[Any]:
    """Apply an act of the log again. `before` is the moment before it."""
    rules = last.game.rules
    if before is None:
        stocked = rules.restock(last.options, last.state)
        return rules.setup(len(last.row.nonces), stocked, luck)
    state, players = before
    unchanged: Change[Any] = Change(state, ())
    seat = Seat(act.seat) if act.seat is not None else None
    if act.kind == Act.Kind.LAPSE:
        return rules.lapse(state, luck)
    if act.kind == Act.Kind.NUDGE:
        return Change(replace(state, clock=state.clock + 1), ()) if seat is None else unchanged
    if seat is None:
        return unchanged
    if act.kind == Act.Kind.MOVE:
        made = moves[act.number] if moves else unpack(act.move, rules.moves)
        return rules.apply(state, seat, made, luck)
    if act.kind == Act.Kind.LEAVE:
        if seat in rules.out(state) or last.options.on_leave == "substitute":
            return unchanged
        return rules.leave(state, seat, luck)
    if seat >= len(players):
        return rules.join(state, luck) or unchanged
    if act.told:
        made = read_move(last.game, {"type": rules.comeback}, last.names)
        return rules.apply(state, seat, made, luck)
    return unchanged


def _at_the_start(last: MatchSnapshot) -> Iterator[Player]:
    """Return the players with whom the match began."""
    for player in last.players[: len(last.row.nonces)]:
        yield _but(player, **NEW, bot="" if player.substitute else player.bot)


def _after(
    last: MatchSnapshot,
    players: tuple[Player, ...],
    state: State,
    act: Logged,
    later: Iterable[Logged],
) -> tuple[Player, ...]:
    """Return the players after an act. `later` are the acts that follow it."""
    if act.seat is not None and act.seat >= len(players):
        players = (*players, _but(last.players[act.seat], **NEW, bot=""))
    elif act.seat is not None:
        change = _of_seat(last, players[act.seat], act, later)
        players = _with(players, {act.seat: change} if change else {})
    out = set(last.game.rules.out(state))
    return _with(players, {p.seat: {"out": not p.out} for p in players if p.out != (p.seat in out)})


NEW: Mapping[str, Any] = {"gone": "", "gone_at": None, "substitute": False, "out": False}
"""Fields of a player who has just sat down."""


def _of_seat(
    last: MatchSnapshot, player: Player, act: Logged, later: Iterable[Logged]
) -> Mapping[str, Any]:
    """Return how an act changed the row of its seat."""
    if act.by == Act.By.SERVER:  # the seat got another owner or name
        return {}
    if act.kind == Act.Kind.LEAVE:
        gone = {"gone": last.players[player.seat].gone or "left", "gone_at": act.number}
        stays_empty = player.out or last.options.on_leave != "substitute"
        return gone if stays_empty else {**gone, **seats.substituted(last)}
    if act.kind == Act.Kind.JOIN and act.by == Act.By.CLOCK:
        return seats.substituted(last)
    if act.kind == Act.Kind.MOVE and act.by == Act.By.HAND and player.is_warm:
        return seats.GIVEN_BACK
    if act.kind == Act.Kind.JOIN and (act.told or player.substitute):
        # Version 0.1 logged changes of names like returns, but the bot played on after them.
        following = next((one for one in later if one.seat == player.seat), None)
        if following is None or following.by != Act.By.BOT:
            return {**seats.GIVEN_BACK, "gone": "", "gone_at": None}
    return {}


def _with(
    players: tuple[Player, ...], changes: Mapping[int, Mapping[str, Any]]
) -> tuple[Player, ...]:
    """Return the players with these fields changed, by seat."""
    if not changes:
        return players
    return tuple(_but(p, **changes[p.seat]) if p.seat in changes else p for p in players)


def _but(player: Player, **fields: Any) -> Player:
    changed = copy(player)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
