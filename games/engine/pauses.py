"""Display pauses: a result stands for a while, for whoever looks at it, however fast bots are.

Whoever has a page of the table open looks, seated, out or watching, until they have let the match
go on. Programs do not look: where there are only programs, nothing is held up. Nothing here
depends on anything hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta

from django.conf import settings

from games.engine import time_source, timing
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot
from games.models import Member, Player
from games.rules.core import AnyGame, Move, Options, State
from games.rules.data import Seat


class TooSoon(Exception):
    """This move would end a pause while somebody still looks; it may be made in `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def is_pause(game: AnyGame, state: State) -> bool:
    """Whether a result is shown, and nobody is asked anything (conventions C1)."""
    return not game.awaited(state) and game.patience(state) is not None


def least(options: Options) -> float:
    """Seconds that a result stands at least, while somebody looks."""
    seconds: float = settings.RESULT_SECONDS
    return seconds * timing.PACE.get(options.pace, 1.0)


def somebody_looks(
    room_id: int, game: AnyGame, state: State, players: Sequence[Player], but: Collection[Seat] = ()
) -> bool:
    """Whether anybody looks at the result who has not gone on (nor does so now, as those of `but`).

    Who is out or has no seat cannot go on: they look as long as they are there.
    """
    out = game.out(state)
    done = {
        player.user_id
        for player in players
        if (seat := Seat(player.seat)) not in out and (seat in but or not game.offers(state, seat))
    }
    return any(user_id not in done for user_id in _looking(room_id))


def _looking(room_id: int) -> Iterable[int | None]:
    """Who has a page of the room open."""
    if (room := memory.get(room_id)) is not None:
        return room.looking
    people = Member.objects.filter(
        room_id=room_id, left_at=None, bot="", away_since=None, at_page=True
    )
    return people.values_list("user_id", flat=True)


def shown(match: MatchSnapshot, state: State, players: Sequence[Player]) -> float:
    """How long bots let the result that `state` shows stand; 0: there is none, or nobody looks."""
    if not is_pause(match.game, state) or not any(player.bot for player in players):
        return 0
    looks = somebody_looks(match.row.room_id, match.game, state, players)
    return least(match.options) if looks else 0


def check(match: MatchSnapshot, seat: Seat, made: Move) -> None:
    """Raise TooSoon for the move of a person that would take a result away from others."""
    game, state, ends = match.game, match.state, match.row.deadline
    if ends is None or not is_pause(game, state):
        return
    begun = ends - timedelta(seconds=timing.lasts(game, state, match.options) or 0)
    left = (begun - time_source.now()).total_seconds() + least(match.options)
    if left <= 0 or game.apply(state, seat, made, match.luck()).state.clock == state.clock:
        return
    if somebody_looks(match.row.room_id, game, state, match.players, but=(seat,)):
        raise TooSoon(min(left, least(match.options)))
