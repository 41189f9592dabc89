"""Cards: joining late and leaving (docs/rules/cards.md §3.6, §6)."""

from __future__ import annotations

from games.cards.rules import rounds
from games.cards.rules.rounds import replace
from games.cards.rules.state import PLAYERS, SeatJoined, State
from games.cards.rules.stock import check_white
from games.contract.core import Change, Refused, answered, everyone
from games.contract.data import BySeat, Seat
from games.contract.luck import Luck


def leave(state: State, seat: Seat, luck: Luck) -> Change[State]:
    """Remove a seat and discard its hand.

    If its play has already been shown, the play stays on the table.
    """
    if seat in state.gone or state.phase == "over":
        return Change(state, ())
    state = _without(state, seat)
    if rounds.too_few(state):
        return Change(rounds.end(state, "not_enough_players"), ())
    return rounds.go_on(state, luck)


def join(state: State, luck: Luck) -> Change[State] | None:
    """Add a latecomer, who is dealt in from the next round.

    Return None if only watching is possible.
    """
    players = len(state.in_game)
    full = players >= PLAYERS[1]
    if not state.options.allow_late_join or state.phase == "over" or full:
        return None
    if not _enough_cards(state, players + 1):
        return None
    seat = Seat(len(state.prompts))
    after = replace(
        state,
        prompts=(*state.prompts, 0),
        hands=state.hands.but(seat, ()),
        scores=state.scores.but(seat, 0),
        joining=(*state.joining, seat),
    )
    return Change(after, (everyone(SeatJoined(seat)),))


def _without(state: State, seat: Seat) -> State:
    """Return the state without a seat. Its play is dropped only if nobody has seen it."""
    hidden = state.phase == "play"
    dropped = state.plays.get(seat, ()) if hidden else ()
    kept = {at: cards for at, cards in state.plays.items() if at != seat or not hidden}
    return answered(
        state,
        seat,
        gone=tuple(sorted((*state.gone, seat))),
        joining=tuple(at for at in state.joining if at != seat),
        plays=BySeat(kept),
        hands=state.hands.but(seat, ()),
        white_discard=state.white_discard + dropped + state.hands[seat],
    )


def _enough_cards(state: State, n: int) -> bool:
    lying = () if state.active_black is None else (state.active_black,)
    black = map(state.stock.black, (*state.black_deck, *state.black_discard, *lying))
    white = len(state.white_deck) + len(state.white_discard)
    white += sum(map(len, (*state.hands.values(), *state.plays.values())))
    try:
        check_white(state.options, n, max(card.cards_to_draw for card in black), white)
    except Refused:
        return False
    return True
