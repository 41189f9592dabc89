"""Cards: the moves of a seat and their effects (docs/rules/cards.md §3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.cards.rules import rounds
from games.cards.rules.rounds import first
from games.cards.rules.state import (
    AuthorsShown,
    CardsDiscarded,
    Continue,
    Continued,
    DiscardCards,
    Moves,
    Numbers,
    Options,
    PlayerPlayed,
    PlayerVoted,
    PlayWhiteCards,
    State,
    Vote,
)
from games.cards.rules.stock import plain, stock
from games.contract.core import (
    Change,
    Ignored,
    Offer,
    OneOf,
    Refused,
    Some,
    Turn,
    all_seats,
    answered,
    everyone,
    offer,
    only,
)
from games.contract.data import BySeat, Seat
from games.contract.luck import Luck

PATIENCE = {"play": 90.0, "vote": 60.0, "results": 10.0}


def setup(n: int, options: Options, luck: Luck) -> Change[State]:
    """Shuffle both decks and begin round 1.

    If the options are not stocked, use the built-in packs.
    """
    seats, stocked = all_seats(n), stock(options)
    black, white = stocked.stock.playable(options.vetoed)
    state = State(
        clock=0,
        prompts=(0,) * n,
        options=plain(options),
        stock=stocked.stock,
        round=1,
        phase="play",
        black_deck=luck.shuffled("black", black),
        white_deck=luck.shuffled("white", white),
        hands=BySeat(dict.fromkeys(seats, ())),
        scores=BySeat(dict.fromkeys(seats, 0)),
    )
    return rounds.begin(state, luck)


def out(state: State) -> tuple[Seat, ...]:
    """Return the seats that have left. Nobody is ever eliminated."""
    return state.gone


def turn(state: State) -> Turn:
    """Return the round number as the turn count. No seat has the turn, because all act at once."""
    order = all_seats(len(state.prompts))
    return Turn(seat=None, count=state.round, next=None, order=order)


def patience(state: State) -> float | None:
    """Return the time limit of the phase in seconds, or None if the match is over."""
    return PATIENCE.get(state.phase)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Return the offers of `seat`: to play, to vote, to discard or to continue."""
    if state.phase == "results":
        waiting = state.is_dealt(seat) and seat not in state.continued
        return (offer(Continue),) if waiting else ()
    asked_now = rounds.is_awaited(state, seat)
    if state.phase == "play" and asked_now:
        return (_play_offer(state, seat),)
    if state.phase == "vote" and state.is_dealt(seat):
        return (*(_vote_offer(state, seat) if asked_now else ()), *_discard_offer(state, seat))
    return ()


def apply(state: State, seat: Seat, move: Moves, luck: Luck) -> Change[State]:
    """Apply a move.

    Raise Ignored if the seat is not asked, or Refused if the move is not allowed.
    """
    match move:
        case PlayWhiteCards():
            return _play(state, seat, move, luck)
        case Vote():
            return _vote(state, seat, move)
        case DiscardCards():
            return _discard(state, seat, move)
        case Continue():
            return _continue(state, seat, luck)
    assert_never(move)


def lapse(state: State, luck: Luck) -> Change[State]:
    """End the phase on timeout. Silent seats play nothing, abstain, or continue."""
    match state.phase:
        case "play":
            return rounds.reveal(state, luck)
        case "vote":
            return rounds.count(state)
        case "results":
            return rounds.next_round(state, luck)
        case "over":
            return Change(state, ())
    assert_never(state.phase)


def _play_offer(state: State, seat: Seat) -> Offer:
    pick = _cards_to_pick(state)
    hand = _ids(state, seat)
    return offer(PlayWhiteCards, cards=Some(some=hand, least=pick, most=pick, ordered=True))


def _vote_offer(state: State, seat: Seat) -> tuple[Offer, ...]:
    others = tuple(at for at, author in enumerate(state.order) if author != seat)
    return (offer(Vote, play_id=OneOf(others)),)


def disabled_moves(state: State, seat: Seat) -> Mapping[str, Refused]:
    """Return the discard as a disabled move if the seat cannot afford it during the vote."""
    cost = state.options.discard_cost
    if state.phase != "vote" or not state.is_dealt(seat) or state.scores[seat] >= cost:
        return {}
    return {"DiscardCards": Refused("not_enough_points", needed=cost, have=state.scores[seat])}


def _discard_offer(state: State, seat: Seat) -> tuple[Offer, ...]:
    cost, hand = state.options.discard_cost, _ids(state, seat)
    if not hand or state.scores[seat] < cost:
        return ()
    some = Some(some=hand, least=1, most=len(hand))
    return (offer(DiscardCards, risky=cost > 0, cards=some),)


def _play(state: State, seat: Seat, move: PlayWhiteCards, luck: Luck) -> Change[State]:
    if state.phase != "play" or not rounds.is_awaited(state, seat):
        raise Ignored
    pick = _cards_to_pick(state)
    if len(move.cards) != pick:
        raise Refused("wrong_count", needed=pick, have=len(move.cards))
    cards, kept = _taken(state, seat, move.cards)
    after = answered(
        state, seat, plays=state.plays.but(seat, cards), hands=state.hands.but(seat, kept)
    )
    return first(everyone(PlayerPlayed(seat)), rounds.go_on(after, luck))


def _vote(state: State, seat: Seat, move: Vote) -> Change[State]:
    if state.phase != "vote" or not rounds.is_awaited(state, seat):
        raise Ignored
    if not 0 <= move.play_id < len(state.order):
        raise Refused("bad_play")
    if state.order[move.play_id] == seat:
        raise Refused("own_play")
    after = answered(state, seat, votes=state.votes.but(seat, move.play_id))
    authors = {str(at): author for at, author in enumerate(state.order)}
    shown = only(seat, AuthorsShown(authors))
    change = first(shown, rounds.count(after) if not rounds.awaited(after) else Change(after, ()))
    return first(everyone(PlayerVoted(seat)), change)


def _discard(state: State, seat: Seat, move: DiscardCards) -> Change[State]:
    if state.phase != "vote" or not state.is_dealt(seat):
        raise Ignored
    cost, have = state.options.discard_cost, state.scores[seat]
    if have < cost:
        raise Refused("not_enough_points", needed=cost, have=have)
    if not move.cards:
        raise Refused("no_cards")
    cards, kept = _taken(state, seat, move.cards)
    after = answered(
        state,
        seat,
        scores=state.scores.but(seat, have - cost),
        hands=state.hands.but(seat, kept),
        white_discard=state.white_discard + cards,
    )
    return Change(after, (everyone(CardsDiscarded(seat, len(cards), have - cost)),))


def _continue(state: State, seat: Seat, luck: Luck) -> Change[State]:
    if state.phase != "results" or not state.is_dealt(seat) or seat in state.continued:
        raise Ignored
    after = answered(state, seat, continued=tuple(sorted((*state.continued, seat))))
    return first(everyone(Continued(seat)), rounds.go_on(after, luck))


def _taken(state: State, seat: Seat, ids: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Return the cards with these ids, in this order, and the rest of the hand.

    Raise Refused if a card is not in the hand.
    """
    if len(set(ids)) < len(ids):
        raise Refused("duplicate_card")
    held = dict(zip(_ids(state, seat), state.hands[seat], strict=True))
    if not set(ids) <= set(held):
        raise Refused("not_in_hand")
    taken = tuple(held[id_] for id_ in ids)
    return taken, tuple(number for number in state.hands[seat] if number not in taken)


def _ids(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the ids of the cards in a hand."""
    return tuple(card.id for card in state.stock.whites(state.hands[seat]))


def _cards_to_pick(state: State) -> int:
    assert state.black is not None
    return state.black.cards_to_pick
