"""Fast playouts of Iron Throne from a given state."""

from __future__ import annotations

from games.contract.choices import random_move
from games.contract.core import Move
from games.contract.data import Seat
from games.contract.luck import BotLuck, Luck
from games.coup.bots.belief import Record
from games.coup.bots.shrewd import play
from games.coup.rules import play as rules
from games.coup.rules.offering import awaited, offers
from games.coup.rules.state import CoupState, Moves
from games.coup.rules.views import outcome, seen_by

LONGEST = 400
"""Maximum number of moves of a match of two."""


def won_by(
    seat: Seat,
    state: CoupState,
    move: Move,
    record: Record,
    key: bytes,
    random: frozenset[Seat] = frozenset(),
) -> float:
    """Return this seat's share of the win if it makes `move` and everybody then plays `normal`.

    The seats in `random` choose their moves at random instead.
    """
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
