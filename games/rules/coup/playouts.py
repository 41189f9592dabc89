"""Matches of Iron Throne played on from a state, as fast as the rules allow."""

from __future__ import annotations

from games.rules.choices import random_move
from games.rules.core import Move
from games.rules.coup import rules
from games.rules.coup.belief import Record
from games.rules.coup.offering import awaited, offers
from games.rules.coup.shrewd import play
from games.rules.coup.state import CoupState, Moves
from games.rules.coup.views import outcome, seen_by
from games.rules.data import Seat
from games.rules.luck import BotLuck, Luck

LONGEST = 400
"""More moves than any match of two has left."""


def won_by(
    seat: Seat,
    state: CoupState,
    move: Move,
    record: Record,
    key: bytes,
    random: frozenset[Seat] = frozenset(),
) -> float:
    """What this seat gets when it makes this move and all play on as `normal`, or at random."""
    record, luck, own = record.copy(), Luck(key, 0), BotLuck(key, 1)
    who: Seat = seat
    for _step in range(LONGEST):
        assert isinstance(move, Moves)
        change = rules.apply(state, who, move, luck)
        state = change.state
        for told in change.told:
            record.hear(told.event)
        if (end := outcome(state)) is not None:
            return (seat in end.winners) / max(1, len(end.winners))
        who = awaited(state)[0]
        can = offers(state, who)
        if who in random:
            move = random_move(Moves, can, own)
        else:
            move = play(who, seen_by(state, who), can, record, own)
    return 0.5
