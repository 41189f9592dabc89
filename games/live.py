"""A match as it stands: its rows decoded. Immutable, and shared by whoever needs it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from games.models import Act, Match, Player
from games.rules import GAMES
from games.rules.core import AnyGame, Options, State, Told
from games.rules.data import Seat, Viewer, decode, unpack
from games.rules.luck import Luck, mix

KEPT = 500


@dataclass(frozen=True)
class Live:
    """Match `row` at `row.version`, with its players by seat. Nobody changes the rows in it."""

    row: Match
    players: tuple[Player, ...]
    game: AnyGame
    options: Options
    state: State

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def over(self) -> bool:
        return self.row.ended_at is not None

    @property
    def phase(self) -> str:
        """The phase everybody sees."""
        phase: str = self.game.view(self.state, None).phase
        return phase

    def seat_of(self, user_id: int | None, version: int | None = None) -> Viewer:
        """The seat through which this person sees the match now, or knows the act of a version.

        Everybody who reads, reads by this (decision 0032). A seat that was given up is from then on
        nobody's to look through, whoever plays it, until its person has it back.
        """
        if user_id is None:
            return None
        held = (p for p in self.players if p.user_id == user_id and p.held(version))
        return next((Seat(player.seat) for player in held), None)

    def luck(self) -> Luck:
        """The luck of the next act."""
        return Luck(seed_of(self.row), self.row.version + 1)


def seed_of(match: Match) -> bytes:
    """What all luck of a match comes from; known to nobody before its end."""
    return mix(bytes.fromhex(match.secret), match.nonces)


def live(match_id: int) -> Live:
    """The match at its newest committed version (inside a transaction: as this one sees it)."""
    newest = Match.objects.values_list("version", "revision").get(pk=match_id)
    if (known := _cache.get(match_id)) and (known.row.version, known.row.revision) == newest:
        return known
    return read(Match.objects.get(pk=match_id))


def read(match: Match) -> Live:
    """A match decoded from its rows. Raises where the stored state cannot be read."""
    game = GAMES[match.game]
    return Live(
        row=match,
        players=tuple(match.players.order_by("seat")),
        game=game,
        options=unpack(match.options, game.options),
        state=decode(match.state, game.state),
    )


def remember(match: Live) -> None:
    """Keeps a committed match at hand."""
    _cache.put(match.row.pk, match)


def forget(match_id: int) -> None:
    """Lets a match be read anew, though its version is the same."""
    _cache.drop(match_id)


def told_in(game: AnyGame, act: Act) -> tuple[Told, ...]:
    """What an act told, as events."""
    return tuple(
        Told(
            unpack(entry["event"], game.events),
            None if entry["to"] is None else tuple(Seat(at) for at in entry["to"]),
        )
        for entry in act.told
    )


class _Cache:
    """The matches used last."""

    def __init__(self) -> None:
        self._of: OrderedDict[int, Live] = OrderedDict()
        self._lock = Lock()

    def get(self, match_id: int) -> Live | None:
        with self._lock:
            if match_id in self._of:
                self._of.move_to_end(match_id)
            return self._of.get(match_id)

    def drop(self, match_id: int) -> None:
        with self._lock:
            self._of.pop(match_id, None)

    def put(self, match_id: int, match: Live) -> None:
        with self._lock:
            self._of[match_id] = match
            self._of.move_to_end(match_id)
            while len(self._of) > KEPT:
                self._of.popitem(last=False)


_cache = _Cache()
