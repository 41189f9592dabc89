"""Display pauses, which keep a result visible for a while even if bots play fast.

It stays until all events have been shown (`games.engine.shows`), and for at least RESULT_SECONDS.
Everybody with an open page of the table counts as looking (seated, out or watching) until they
continue. Programs do not count. If no page is open, a big screen counts. If there is no screen
either, the match is never delayed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from games.contract.core import Move, State
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.engine import time_source, timing
from games.engine.shows import Show, has_screen, looking
from games.engine.snapshots import MatchSnapshot
from games.models import Player


class TooSoon(Exception):
    """Raised if a move would end a display pause while others are still looking. The move may be
    repeated after `seconds`.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def somebody_looks(
    room_id: int, game: AnyGame, state: State, players: Sequence[Player], but: Collection[Seat] = ()
) -> bool:
    """Whether anybody is still looking at the result. Seats in `but` count as having continued.

    Eliminated players and spectators cannot continue, so they count while their page is open. A big
    screen counts only if no page is open: otherwise players may continue before it is over.
    """
    out = game.rules.out(state)
    done = {
        player.user_id
        for player in players
        if (seat := Seat(player.seat)) not in out
        and (seat in but or not game.rules.offers(state, seat))
    }
    people = list(looking(room_id))
    return any(one not in done for one in people) if people else has_screen(room_id)


def waits_for_absent(
    game: AnyGame, state: State, players: Sequence[Player], present: Collection[int | None]
) -> bool:
    """Whether the pause waits only for players who are disconnected."""
    if not timing.is_pause(game, state):
        return False
    left = [player for player in players if game.rules.offers(state, Seat(player.seat))]
    return bool(left) and all(not p.bot and p.user_id not in present for p in left)


def go_on(match: MatchSnapshot, show: Show, now: datetime) -> datetime:
    """Return the time from which bots may end the display pause of this match.

    This is now if nobody is looking.
    """
    stands = show.awaited_from
    if stands is None:
        return now
    looks = somebody_looks(match.row.room_id, match.game, match.state, match.players)
    return stands if looks else now


def check(match: MatchSnapshot, seat: Seat, made: Move) -> None:
    """Raise TooSoon if this move would hide a result that others are still looking at."""
    game, state, stands = match.game, match.state, match.row.awaited_from
    if stands is None or not timing.is_pause(game, state):
        return
    left = (stands - time_source.now()).total_seconds()
    if left <= 0 or game.rules.apply(state, seat, made, match.luck()).state.clock == state.clock:
        return
    if somebody_looks(match.row.room_id, game, state, match.players, but=(seat,)):
        raise TooSoon(left)
