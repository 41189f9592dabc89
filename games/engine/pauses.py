"""Display pauses: a result stands for a while, for anyone who looks at it, however fast bots are.

It stands until what has happened has been shown (`games.engine.shows`), and at least for
RESULT_SECONDS. Everybody with a page of the table open looks, seated, out or watching, until they
have let the match go on. Programs do not look: where there are only programs, nothing is held up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from games.contract.core import Move, State
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.engine import time_source, timing
from games.engine.shows import Show, looking
from games.engine.snapshots import MatchSnapshot
from games.models import Player


class TooSoon(Exception):
    """This move would end a pause while somebody still looks; it may be made in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def somebody_looks(
    room_id: int, game: AnyGame, state: State, players: Sequence[Player], but: Collection[Seat] = ()
) -> bool:
    """Whether anybody looks at the result who has not gone on (nor does so now, as those of `but`).

    Who is out or has no seat cannot go on: they look as long as they are there.
    """
    out = game.rules.out(state)
    done = {
        player.user_id
        for player in players
        if (seat := Seat(player.seat)) not in out
        and (seat in but or not game.rules.offers(state, seat))
    }
    return any(user_id not in done for user_id in looking(room_id))


def waits_for_absent(
    game: AnyGame, state: State, players: Sequence[Player], present: Collection[int | None]
) -> bool:
    """Whether a pause goes on only because people who are not there have not ended it."""
    if not timing.is_pause(game, state):
        return False
    left = [player for player in players if game.rules.offers(state, Seat(player.seat))]
    return bool(left) and all(not p.bot and p.user_id not in present for p in left)


def go_on(
    match: MatchSnapshot, state: State, players: Sequence[Player], show: Show, now: datetime
) -> datetime:
    """From when on the result that `state` shows may be taken away: at once when nobody looks."""
    stands = show.awaited_from
    if stands is None or not timing.is_pause(match.game, state):
        return now
    return stands if somebody_looks(match.row.room_id, match.game, state, players) else now


def check(match: MatchSnapshot, seat: Seat, made: Move) -> None:
    """Raise TooSoon for the move of a person that would take a result away from others."""
    game, state, stands = match.game, match.state, match.row.awaited_from
    if stands is None or not timing.is_pause(game, state):
        return
    left = (stands - time_source.now()).total_seconds()
    if left <= 0 or game.rules.apply(state, seat, made, match.luck()).state.clock == state.clock:
        return
    if somebody_looks(match.row.room_id, game, state, match.players, but=(seat,)):
        raise TooSoon(left)
