"""Automatic steps of Cards: beginning a round, showing the plays and counting the votes."""

from __future__ import annotations

from collections import Counter

import msgspec

from games.cards.rules.state import (
    BlackCardDrawn,
    CountedPlay,
    HandDrawn,
    LastRound,
    Numbers,
    PlaysRevealed,
    Reason,
    RoundResult,
    RoundVoid,
    ScoredPlay,
    ShownPlay,
    State,
    Summary,
)
from games.cards.rules.texts import Stock
from games.contract.core import Change, Event, Told, asked, everyone, only
from games.contract.data import BySeat, Seat
from games.contract.luck import Luck

VOID_ROUNDS = 3
FEWEST_PLAYS = 2

replace = msgspec.structs.replace


def begin(state: State, luck: Luck) -> Change[State]:
    """Draw the prompt and fill the hands (docs/rules/cards.md §3.2, §3.3)."""
    state = _draw_black(replace(state, joining=()), luck)
    assert state.black is not None
    told = [everyone(BlackCardDrawn(state.round, state.black))]
    for seat in state.dealt:
        state, new = _draw_hand(state, seat, luck)
        if new:
            told.append(only(seat, HandDrawn(state.stock.whites(new))))
    return Change(asked(state, phase="play"), tuple(told))


def reveal(state: State, luck: Luck) -> Change[State]:
    """Show the plays in random order. With fewer than two plays, the round is void."""
    if len(state.plays) < FEWEST_PLAYS:
        return _void(state)
    order = luck.shuffled("plays", sorted(state.plays))
    shown = tuple(
        ShownPlay(at, state.stock.whites(state.plays[seat])) for at, seat in enumerate(order)
    )
    return Change(
        asked(state, phase="vote", order=order),
        (everyone(PlaysRevealed(shown)),),
    )


def count(state: State) -> Change[State]:
    """Count the votes of a round (docs/rules/cards.md §3.6)."""
    votes = Counter(state.votes.values())
    here = {seat: votes[at] for at, seat in enumerate(state.order) if seat not in state.gone}
    top = max(here.values(), default=0)
    winners = tuple(sorted(seat for seat, n in here.items() if n == top > 0))
    scores = BySeat({seat: n + (seat in winners) for seat, n in state.scores.items()})
    last = _last_round(state, votes, winners)
    told = summary(state.stock, last)
    event = RoundResult(**{name: getattr(told, name) for name in told.__struct_fields__})
    cleared = _cleared(replace(state, scores=scores, last_round=last, void_rounds=0))
    return _pause(cleared, event)


def summary(stock: Stock, last: LastRound) -> Summary:
    """Return a finished round with the texts of its cards."""
    return Summary(
        round=last.round,
        black=stock.black(last.black),
        plays=tuple(
            ScoredPlay(play.play_id, stock.whites(play.cards), play.author, play.votes)
            for play in last.plays
        ),
        winners=last.winners,
        ballots=last.ballots,
    )


def awaited(state: State) -> tuple[Seat, ...]:
    """Return the seats that still have to play or vote."""
    return tuple(seat for seat in state.hands if is_awaited(state, seat))


def is_awaited(state: State, seat: Seat) -> bool:
    """Return whether this seat still has to play or vote."""
    if state.phase == "play":
        return seat not in state.plays and state.is_dealt(seat)
    return state.phase == "vote" and seat not in state.votes and state.is_dealt(seat)


def go_on(state: State, luck: Luck) -> Change[State]:
    """End the phase if every seat has answered."""
    if state.phase == "play" and not awaited(state):
        return reveal(state, luck)
    if state.phase == "vote" and not awaited(state):
        return count(state)
    if state.phase == "results" and set(state.dealt) <= set(state.continued):
        return next_round(state, luck)
    return Change(state, ())


def next_round(state: State, luck: Luck) -> Change[State]:
    """Begin the next round."""
    return begin(replace(state, round=state.round + 1, continued=()), luck)


def end(state: State, reason: Reason) -> State:
    """End the match. Cards on the table go to the discard piles."""
    return asked(_cleared(state), phase="over", ended=reason)


def too_few(state: State) -> bool:
    """Return whether too many players have left."""
    return len(state.in_game) < state.options.min_players_to_continue


def _void(state: State) -> Change[State]:
    assert state.active_black is not None
    last = LastRound(
        round=state.round, black=state.active_black, plays=(), winners=(), ballots=None
    )
    cleared = _cleared(replace(state, last_round=last, void_rounds=state.void_rounds + 1))
    return _pause(cleared, RoundVoid(state.round))


def _pause(state: State, event: Event) -> Change[State]:
    reason = _reason(state)
    after = end(state, reason) if reason else asked(state, phase="results")
    return Change(after, (everyone(event),))


def _reason(state: State) -> Reason | None:
    options = state.options
    best = max((state.scores[seat] for seat in state.in_game), default=0)
    if 0 < options.points_to_win <= best:
        return "points"
    if state.round >= options.max_rounds:
        return "max_rounds"
    if state.void_rounds >= VOID_ROUNDS:
        return "inactive"
    return "not_enough_players" if too_few(state) else None


def _cleared(state: State) -> State:
    """Move the plays and the black card from the table to the discard piles."""
    lying = state.order or tuple(sorted(state.plays))
    black = () if state.active_black is None else (state.active_black,)
    white = tuple(number for seat in lying for number in state.plays[seat])
    return replace(
        state,
        white_discard=state.white_discard + white,
        black_discard=state.black_discard + black,
        active_black=None,
        plays=BySeat(),
        order=(),
        votes=BySeat(),
        continued=(),
    )


def _last_round(state: State, votes: Counter[int], winners: tuple[Seat, ...]) -> LastRound:
    assert state.active_black is not None
    plays = tuple(
        CountedPlay(at, state.plays[seat], seat, votes[at]) for at, seat in enumerate(state.order)
    )
    ballots = BySeat(sorted(state.votes.items())) if state.options.reveal_ballots else None
    return LastRound(
        round=state.round,
        black=state.active_black,
        plays=plays,
        winners=winners,
        ballots=ballots,
    )


def _draw_black(state: State, luck: Luck) -> State:
    deck, discard = state.black_deck, state.black_discard
    if not deck:
        deck, discard = luck.shuffled("black.again", discard), ()
    return replace(state, active_black=deck[0], black_deck=deck[1:], black_discard=discard)


def _draw_hand(state: State, seat: Seat, luck: Luck) -> tuple[State, Numbers]:
    """Fill a hand up to the hand size of this round. A larger hand is left unchanged."""
    assert state.black is not None
    full = state.options.hand_size + state.black.cards_to_draw
    missing = max(0, full - len(state.hands[seat]))
    deck, discard = state.white_deck, state.white_discard
    if len(deck) < missing:
        deck, discard = deck + luck.shuffled("white.again", discard), ()
    new = deck[:missing]
    hands = state.hands.but(seat, state.hands[seat] + new)
    after = replace(state, hands=hands, white_deck=deck[missing:], white_discard=discard)
    return after, new


def first(told: Told, change: Change[State]) -> Change[State]:
    """Prepend `told` to the events of the change."""
    return Change(change.state, (told, *change.told))
