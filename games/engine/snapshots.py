"""Snapshots of matches at one version. They are decoded from rows, immutable, cached and shared."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import DatabaseError
from django.utils.functional import cached_property

from games.contract.core import Options, Refused, State, Told
from games.contract.data import Seat, Viewer, decode, unpack
from games.contract.game import AnyGame
from games.contract.luck import KeyedLuck, Luck, mix
from games.contract.mixing import seed_of_list
from games.engine import state_parts, timing
from games.engine.bounded_cache import BoundedCache
from games.engine.frozen_times import pause_of
from games.engine.mixed import mixed_of
from games.models import Match, Player
from games.registry import GAMES

MOST_BYTES = 32 << 20
"""Maximum memory for cached matches."""
_FIXED = 12_000
_FOR_EACH_BYTE = 10
"""Bytes of a snapshot itself (`_FIXED`), and bytes per character of its stored state.

Both are the highest values measured in any game.
"""


class Parked(Refused):
    """Raised if the stored match cannot be read. It is left unchanged until it can be.

    Its game is not installed or is too old, or the stored state is damaged.
    """

    def __init__(self) -> None:
        super().__init__("parked")


@dataclass(frozen=True)
class MatchSnapshot:
    """Match `row` at `row.version`, with its players by seat. Do not change its rows."""

    row: Match
    players: tuple[Player, ...]
    game: AnyGame
    options: Options
    state: State

    @property
    def size(self) -> int:
        """Approximate size in memory without shared parts, in bytes."""
        return _FIXED + _FOR_EACH_BYTE * len(self.row.state)

    @cached_property
    def parts(self) -> tuple[Any, ...]:
        """Parts of the state that other matches share, except those built into the code."""
        return state_parts.read_parts_of(self.state)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def over(self) -> bool:
        return self.row.ended_at is not None

    @property
    def phase(self) -> str:
        """The phase of the match, which is public."""
        phase: str = self.game.rules.view(self.state, None).phase
        return phase

    @property
    def pace(self) -> str:
        """The pace of the match, which is that of the options unless the match overrides it."""
        pace: str = self.row.pace or self.options.pace
        return pace

    @property
    def is_unhurried(self) -> bool:
        """Whether turns have no clock because a newcomer to the game plays against bots only."""
        return bool(self.row.pace == timing.NO_CLOCK)

    @cached_property
    def only_bots(self) -> bool:
        """Whether the match is running and only bots are left."""
        return not self.over and only_bots(self.players)

    def seat_of(self, user_id: int | None, version: int | None = None) -> Viewer:
        """Return the seat whose secrets this user may see, now or at the act with this version.

        All reading goes through this check (decision 32). After a seat was given up, nobody sees
        its secrets until its owner has it back.
        """
        if user_id is None:
            return None
        if version is None:
            return self._held_now.get(user_id)
        held = (p for p in self.players if p.user_id == user_id and p.held(version))
        return next((Seat(player.seat) for player in held), None)

    @cached_property
    def _held_now(self) -> Mapping[int | None, Seat]:
        """Seats by user id. If a user has two seats, the first one is used."""
        return {p.user_id: Seat(p.seat) for p in reversed(self.players) if p.held()}

    def luck(self) -> Luck:
        """Return the source of random numbers for the next act."""
        return luck_of(self.row, self.seed, self.row.version + 1, self.row.drawn or {})

    @cached_property
    def seed(self) -> bytes:
        """The seed of all random numbers of the match. It is secret until the match ends."""
        return seed_of(self.row)

    def then(self, row: Match, players: tuple[Player, ...], state: State) -> MatchSnapshot:
        """Return the match after an act. Cached properties that stay valid are kept."""
        after = MatchSnapshot(row, players, self.game, self.options, state)
        always = ("seed", "parts")
        kept = (*always, "names", "_held_now") if players is self.players else always
        known = vars(self)
        vars(after).update({name: known[name] for name in kept if name in known})
        return after


def only_bots(players: Iterable[Player]) -> bool:
    """Whether only bots are left. A bot that keeps a seat warm counts as the seat's owner."""
    return all(
        (player.bot and not player.is_warm) or player.gone or player.out for player in players
    )


def seed_of(match: Match) -> bytes:
    """Return the seed of all random numbers of a match. It is secret until the match ends."""
    if (mixed := mixed_of(match)) is not None:
        return seed_of_list(match.secret, mixed.listed, mixed.shares)
    return mix(bytes.fromhex(match.secret), match.nonces)


def luck_of(match: Match, seed: bytes, act: int, drawn: Mapping[str, int]) -> Luck:
    """Return the source of random numbers for an act. `drawn` says how often the match has drawn
    with each label before.
    """
    return Luck(seed, act) if match.mixed is None else KeyedLuck(seed, drawn)


def load_snapshot(
    match_id: int, known: MatchSnapshot | None = None, newest: tuple[int, int] | None = None
) -> MatchSnapshot:
    """Return the match at the newest version visible to this transaction.

    It is not read again if it is cached, or if `known` is that version. `newest` is the version and
    revision of the match, if they have just been read. Raise Parked if it cannot be read.
    """
    newest = newest or _newest(match_id)
    if known is not None and (known.row.pk, *_version(known.row)) == (match_id, *newest):
        return known
    cached = _cached(match_id, newest)
    return cached if cached is not None else decode_snapshot(Match.objects.get(pk=match_id))


def is_newest(match: MatchSnapshot) -> bool:
    """Whether the database has no newer version of this match."""
    return _version(match.row) == _newest(match.row.pk)


def _version(row: Match) -> tuple[int, int]:
    return row.version, row.revision


def _newest(match_id: int) -> tuple[int, int]:
    return Match.objects.values_list("version", "revision").get(pk=match_id)


def snapshot_of(row: Match) -> MatchSnapshot:
    """Return the snapshot for a match row that was just read. Raise Parked if the match cannot be
    read.
    """
    known = _cached(row.pk, _version(row))
    return known if known is not None else decode_snapshot(row)


def _cached(match_id: int, version: tuple[int, int]) -> MatchSnapshot | None:
    known = cache.get(match_id)
    return known if known and _version(known.row) == version else None


def load_readable(match_id: int) -> MatchSnapshot | None:
    """Like `load_snapshot`, but return None while the match is parked."""
    try:
        return load_snapshot(match_id)
    except Parked:
        return None


def parked_among(match_ids: Collection[int]) -> set[int]:
    """Return the ids of the given matches that this process cannot read."""
    rows = Match.objects.filter(pk__in=match_ids)
    return {row.pk for row in rows if not _is_readable(row)}


def _is_readable(match: Match) -> bool:
    if _cached(match.pk, _version(match)) is not None:
        return True
    try:
        cache.put(match.pk, decode_snapshot(match))
    except Parked:
        return False
    return True


def decode_snapshot(match: Match) -> MatchSnapshot:
    """Decode a match from its rows. Raise Parked if that is not possible."""
    try:
        return _decoded(match)
    except DatabaseError:
        raise
    except Exception as error:  # damaged rows can make a decoder raise any exception
        raise Parked from error


def _decoded(match: Match) -> MatchSnapshot:
    game = GAMES[match.game]
    if match.game_version > game.rules.version:
        raise ValueError(
            f"version {match.game_version} of {game.slug}, here is {game.rules.version}"
        )
    found = MatchSnapshot(
        row=match,
        players=tuple(match.players.order_by("seat")),
        game=game,
        options=unpack(match.options, game.rules.options),
        state=_state(match, game),
    )
    seed_of(match)
    timing.read_plans(match.plans)
    pause_of(match)
    if len(found.state.prompts) != len(found.players):
        raise ValueError(f"{len(found.players)} players, {len(found.state.prompts)} seats")
    return found


def _state(match: Match, game: AnyGame) -> State:
    if (read_former := game.rules.former.get(match.game_version)) is not None:
        former: State = read_former(match.state)
        return former
    state: State = decode(match.state, game.rules.state, state_parts.find)
    return state


def told_in(game: AnyGame, told: Iterable[Mapping[str, Any]]) -> tuple[Told, ...]:
    """Decode the events of an act (`Act.told`).

    Raise Parked if this code does not know the events.
    """
    return told_in_acts(game, [told])[0]


def told_in_acts(
    game: AnyGame, acts: Sequence[Iterable[Mapping[str, Any]]]
) -> list[tuple[Told, ...]]:
    """Decode the events of several acts, with one conversion, because each one has a fixed cost.

    Raise Parked if this code does not know the events.
    """
    try:
        entries = [list(told) for told in acts]
        plain = [[entry["event"] for entry in told] for told in entries]
        events = unpack(plain, list[tuple[game.rules.events, ...]])  # type: ignore[name-defined]
        return [
            tuple(
                Told(event, None if entry["to"] is None else tuple(map(Seat, entry["to"])))
                for event, entry in zip(decoded, told, strict=True)
            )
            for decoded, told in zip(events, entries, strict=True)
        ]
    except (msgspec.ValidationError, TypeError, KeyError) as error:
        raise Parked from error


cache: BoundedCache[int, MatchSnapshot] = BoundedCache(
    MOST_BYTES, lambda match: match.size, lambda match: match.parts
)
"""Recently used matches by id, as last committed."""
